package wftest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"lda.chat/wf"
)

// Answer is what a stubbed call gives: [Output], [Outcome], [Failure], [Func], [Decision], [Real] or [Never].
type Answer struct {
	delay    time.Duration
	never    bool
	real     bool
	outcomes []wf.Outcome // that it may choose
	make     func(ctx context.Context, input json.RawMessage) (wf.Outcome, any, error)
}

// Output answers with the outcome "ok" and an output.
func Output(output any) Answer { return Outcome(wf.OK, output) }

// Outcome answers with an outcome and an output; nil is the empty object.
func Outcome(o wf.Outcome, output any) Answer {
	return Answer{outcomes: []wf.Outcome{o}, make: func(context.Context, json.RawMessage) (wf.Outcome, any, error) { return o, output, nil }}
}

// Failure answers with a failure: one of the codes that calls fail with, such as "transport", or one of your own.
func Failure(code wf.Code, message string) Answer {
	return Answer{make: func(context.Context, json.RawMessage) (wf.Outcome, any, error) {
		return "", nil, &wf.Error{Code: code, Message: message}
	}}
}

// Func answers by a Go function, which is given the input decoded.
func Func[In, Out any](f func(context.Context, In) (Out, error)) Answer {
	return Decision(func(ctx context.Context, in In) (wf.Outcome, Out, error) {
		out, err := f(ctx, in)
		return wf.OK, out, err
	}, wf.OK)
}

// Decision answers by a Go function that also chooses one of the outcomes.
func Decision[In, Out any](f func(context.Context, In) (wf.Outcome, Out, error), outcomes ...wf.Outcome) Answer {
	return Answer{outcomes: outcomes, make: func(ctx context.Context, input json.RawMessage) (wf.Outcome, any, error) {
		var in In
		if err := json.Unmarshal(input, &in); err != nil {
			return "", nil, &wf.Error{Code: wf.CodeInputInvalid, Message: "the stub's function does not take the input: " + err.Error()}
		}
		return f(ctx, in)
	}}
}

// Real answers by the function that the workflow or the source has.
func Real() Answer { return Answer{real: true} }

// Never does not answer: the call is out until its timeout, or until the run no longer waits for it.
func Never() Answer { return Answer{never: true} }

// After is the answer once a time has passed since the call was made. A function does its work at the end of that time.
func (a Answer) After(d time.Duration) Answer { a.delay = d; return a }

// Call is a call that a run has made, one attempt.
type Call struct {
	RunID   string
	Ref     string
	Step    string
	Frame   string // the path of its frame in the run, "/" for the root
	Visit   int    // how often the step has been entered in its frame, from 1
	Attempt int    // from 1
	Input   json.RawMessage
	At      time.Time
}

// stub is the answers of one capability.
type stub struct {
	answers []Answer
	next    int
}

// outcomes are those that the answers are known to have.
func (s *stub) outcomes() []wf.Outcome {
	var all []wf.Outcome
	for _, a := range s.answers {
		for _, o := range a.outcomes {
			if !slices.Contains(all, o) {
				all = append(all, o)
			}
		}
	}
	return all
}

// Stub says how calls of a capability are answered: each call takes the next answer, and the last one answers all that
// follow; without answers it is Output(nil). The ref is as in plans: the source's id, a dot and the name, and
// "local.extract" for a Go function that a built workflow calls "extract". Stub again replaces the answers.
//
// Inputs and answers are checked against the contract like those of the real capability. One that is in nobody's contract
// is stubbed with a contract that takes and gives anything, and has the outcomes that the answers name.
func (h *Host) Stub(ref string, answers ...Answer) {
	if len(answers) == 0 {
		answers = []Answer{Output(nil)}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.stubs[ref] = &stub{answers: slices.Clone(answers)}
}

// Calls lists the calls that were made so far, in order: those of the refs, or all.
func (h *Host) Calls(refs ...string) []Call {
	h.mu.Lock()
	defer h.mu.Unlock()
	var list []Call
	for _, c := range h.calls {
		if len(refs) == 0 || slices.Contains(refs, c.Ref) {
			list = append(list, c)
		}
	}
	return list
}

// taken notes a call and chooses its answer.
func (h *Host) taken(c Call) Answer {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.calls = append(h.calls, c)
	s := h.stubs[c.Ref]
	if s == nil {
		return Real()
	}
	a := s.answers[min(s.next, len(s.answers)-1)]
	s.next++
	return a
}

// unstubbed stands for a capability of which there is only a contract.
func unstubbed(h *Host, ref string) func(context.Context, json.RawMessage) (*wf.Result, error) {
	return func(ctx context.Context, input json.RawMessage) (*wf.Result, error) {
		at, _ := wf.CallFrom(ctx)
		h.t.Errorf("wftest: step %q calls %s, which is not stubbed, with the input %s; say what it answers: h.Stub(%q, wftest.Output(…))",
			at.Step, ref, input, ref)
		return nil, &wf.Error{Code: "wftest.unstubbed", Message: fmt.Sprintf("%s is not stubbed", ref)}
	}
}
