package wf

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"lda.chat/wf/internal/value"
)

// SimRun is a generated plan for tests of other packages: what its capabilities and people answer, and how it ends.
type SimRun struct {
	Workflow *Workflow
	Want     string

	seed uint64
}

// DrawSimRun makes one whose end the model can tell; others are passed over.
func DrawSimRun(t *rapid.T) *SimRun {
	f, _ := simPlan(t, false, false)
	simPatient(f)
	s := &SimRun{Workflow: f.w, seed: rapid.Uint64().Draw(t, "seed")}
	m, way, root := simExpect(f, s.seed)
	if m.steps > simTooLong || m.vague {
		return nil
	}
	status, code := StatusCompleted, ""
	if way.fail != nil {
		status, code, way.output = StatusFailed, way.fail.code, value.Value{}
	}
	state := value.Object()
	for field := range simDefaults {
		if v := root.state[field]; !v.IsAbsent() {
			state = state.With(field, v)
		}
	}
	s.Want = simTold(status, Outcome(way.outcome), code, way.output, state)
	return s
}

// simPatient makes every timeout too long to come: the model knows no time, but where runtimes die it passes.
func simPatient(f *simFlow) {
	const long = 1e8
	patient := func(seconds *float64) {
		if *seconds > 0 {
			*seconds = long
		}
	}
	for _, s := range f.w.Nodes {
		switch s := s.(type) {
		case *NodeStep:
			patient(&s.TimeoutSeconds)
		case *InterruptStep:
			patient(&s.TimeoutSeconds)
		case *ForeachStep:
			patient(&s.TimeoutSeconds)
		case *ForkStep:
			patient(&s.TimeoutSeconds)
		}
	}
	for _, kid := range f.kids {
		simPatient(kid)
	}
}

// Nodes gives the capabilities for one runtime. They tell of each attempt that they are called for.
func (s *SimRun) Nodes(called func(attempt string)) Nodes {
	nodes := simNodes{}
	for ref, def := range simDefs {
		own := *def
		own.Name = strings.TrimPrefix(ref, "sim.")
		nodes[ref] = RawNode(&own, func(ctx context.Context, input json.RawMessage) (*Result, error) {
			return s.call(ctx, own.Outcomes, input, called)
		}).OfSource("sim")
	}
	return nodes
}

// call answers as the simulation of the machine does.
func (s *SimRun) call(ctx context.Context, outcomes []Outcome, input json.RawMessage, called func(string)) (*Result, error) {
	info, _ := CallFrom(ctx)
	id := strings.TrimSuffix(info.Frame, "/") + "/" + info.Step
	if info.Visit > 1 {
		id += fmt.Sprintf("#%d", info.Visit)
	}
	called(fmt.Sprintf("%s %d", id, info.Attempt))
	if fail := simCallFails(s.seed, id, info.Attempt); fail != nil {
		return nil, &Error{Code: Code(fail.code), Message: "as the seed says", Unsent: fail.unsent}
	}
	in, err := value.Parse(input)
	if err != nil {
		return nil, err
	}
	outcome, output := simCall(s.seed, id, wordless(in).String(), outcomes)
	return &Result{Outcome: outcome, Output: output.JSON()}, nil
}

// Answer answers a question.
func (s *SimRun) Answer(i *Interrupt) Answer {
	outcome, payload := simAnswer(s.seed, i.ID, slices.DeleteFunc(slices.Clone(i.Outcomes), func(o Outcome) bool { return o == "late" }))
	return Answer{Interrupt: i.ID, Outcome: outcome, Payload: payload}
}

// Ended tells how a run ended, in the words of Want.
func (s *SimRun) Ended(info *RunInfo) (string, error) {
	code := ""
	if info.Error != nil {
		code = string(info.Error.Code)
	}
	var output value.Value
	if info.Output != nil {
		var err error
		if output, err = value.Parse(info.Output); err != nil {
			return "", err
		}
	}
	state, err := value.Parse(info.State)
	if err != nil {
		return "", err
	}
	return simTold(info.Status, info.Outcome, code, output, state), nil
}

func simTold(status RunStatus, outcome Outcome, code string, output, state value.Value) string {
	return fmt.Sprintf("%s %s %s\noutput %s\nstate %s", status, outcome, code, wordless(output).AppendCanonical(nil), wordless(state).AppendCanonical(nil))
}
