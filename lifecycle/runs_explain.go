package lifecycle

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"lda.chat/wf"
)

// ExplainRun are the parameters of runs.explain.
type ExplainRun struct {
	RunID string `json:"run_id" jsonschema_description:"which run"`
}

// Explanation tells why a run failed, or what it waits for.
type Explanation struct {
	RunID      string          `json:"run_id"`
	Workflow   string          `json:"workflow"`
	Status     wf.RunStatus    `json:"status"`
	Summary    string          `json:"summary"`              // in a sentence or two
	Error      *wf.Error       `json:"error,omitempty"`      // what the run failed with
	Meaning    string          `json:"meaning,omitempty"`    // of its code
	Place      string          `json:"place,omitempty"`      // JSON Pointer of the step in the plan
	Node       string          `json:"node,omitempty"`       // the capability that the step calls
	Input      json.RawMessage `json:"input,omitempty"`      // that the step had
	Retries    []wf.TraceRetry `json:"retries,omitempty"`    // of the step
	Violations []Violation     `json:"violations,omitempty"` // where a value breaks its schema
	Reads      []Read          `json:"reads,omitempty"`      // what of the state the step's input was made of
	Interrupts []wf.Interrupt  `json:"interrupts,omitempty"` // that are open
	Doubts     []wf.Doubt      `json:"doubts,omitempty"`     // that are open
	RepairHint string          `json:"repair_hint,omitempty"`
	Advice     *Advice         `json:"advice,omitempty"`
}

// Read is a place of the state that a step read, and who changed it last before that.
type Read struct {
	Path    string       `json:"path"`                   // state.text
	Changed *StateChange `json:"last_changed,omitempty"` // nil: nobody; it was as the run began
}

// StateChange is a write of a step.
type StateChange struct {
	Step  string          `json:"step"`
	Frame string          `json:"frame"`
	Visit int             `json:"visit"`
	At    time.Time       `json:"at"`
	Path  string          `json:"path"`
	Op    string          `json:"op"`
	Value json.RawMessage `json:"value,omitempty"` // no value: it is not to be shown
}

// ExplainRun implements [Runs].
func (s *Service) ExplainRun(ctx context.Context, p *ExplainRun) (*Explanation, error) {
	r, head, err := s.picture(ctx, p.RunID, 0)
	if err != nil {
		return nil, err
	}
	trace, failure := r.Trace()
	if failure != nil {
		return nil, errorOf(failure)
	}
	run, err := s.shown(ctx, r, &head, View{Full: true}, "runs.explain")
	if err != nil {
		return nil, err
	}
	x := &Explanation{RunID: run.RunID, Workflow: run.Workflow, Status: run.Status, Error: run.Error,
		Interrupts: run.Interrupts, Doubts: run.Doubts, Advice: run.Advice}
	x.Summary = strings.ToUpper(run.Advice.Reason[:1]) + run.Advice.Reason[1:] + "."
	if run.Error == nil {
		return x, nil
	}
	text, failure := s.store.Plan(ctx, run.Digest)
	if failure != nil {
		return nil, errorOf(failure)
	}
	w, found := wf.ParseWorkflow(text)
	if found.HasErrors() {
		return nil, errorOf(found.Err())
	}
	x.failure(run, trace, w)
	again, warnings := s.again(ctx, r, run)
	x.Advice = x.advice(again)
	x.Advice.Warnings = warnings
	return x, nil
}

// failure explains the failure of a run by its trace and its plan.
func (x *Explanation) failure(run *Run, trace []wf.TraceEntry, w *wf.Workflow) {
	e := run.Error
	x.Violations = violationsOf(e)
	if info, ok := wf.LookupCode(e.Code); ok {
		x.Meaning = info.Title + ". " + info.Text
	}
	x.Summary = x.sentence()
	at := lastOf(trace, e)
	if at >= 0 {
		x.Input, x.Retries = trace[at].Input, trace[at].Retries
	}
	place, ok := FindStep(w, e.Frame, e.Step)
	if e.Step == "" || !ok {
		x.RepairHint = hintFor(e, "", x.Reads)
		return
	}
	x.Place = place.Pointer
	if node, ok := place.Step.(*wf.NodeStep); ok {
		x.Node = node.Node
	}
	before := trace
	if at >= 0 {
		before = trace[:at]
	}
	for _, path := range statePaths(place.Step) {
		x.Reads = append(x.Reads, Read{Path: path.String(), Changed: lastChange(before, w, place, e.Frame, path.String())})
	}
	x.RepairHint = hintFor(e, x.Node, x.Reads)
}

func (x *Explanation) sentence() string {
	e := x.Error
	verb := "failed"
	if x.Status == wf.StatusCancelled {
		verb = "was cancelled"
	}
	if e.Step == "" {
		return fmt.Sprintf("The run %s with %s: %s", verb, e.Code, e.Message)
	}
	where := fmt.Sprintf("step %q", e.Step)
	if e.Frame != "" && e.Frame != "/" {
		where += " of the frame " + e.Frame
	}
	tries := ""
	if e.Attempts > 1 {
		tries = fmt.Sprintf(" after %d attempts", e.Attempts)
	}
	return fmt.Sprintf("The run %s at %s%s with %s: %s", verb, where, tries, e.Code, e.Message)
}

// lastOf finds the visit that a failure came from; -1 if there is none.
func lastOf(trace []wf.TraceEntry, e *wf.Error) int {
	for i := len(trace) - 1; i >= 0; i-- {
		if trace[i].Step == e.Step && (trace[i].Frame == e.Frame || e.Frame == "") {
			return i
		}
	}
	return -1
}

// lastChange finds who last wrote a place of the state, or a part of it, as a frame sees it; nil if nobody did.
func lastChange(trace []wf.TraceEntry, w *wf.Workflow, of Place, frame, path string) *StateChange {
	for _, e := range slices.Backward(trace) {
		for _, write := range slices.Backward(e.Writes) {
			if !overlap(write.Path, path) || !sees(frame, e.Frame) {
				continue
			}
			if place, ok := FindStep(w, e.Frame, e.Step); !ok || place.Scope != of.Scope {
				continue
			}
			return &StateChange{Step: e.Step, Frame: e.Frame, Visit: e.Visit, At: e.EndedAt, Path: write.Path, Op: write.Op, Value: write.Value}
		}
	}
	return nil
}

// sees reports whether a frame sees what another one wrote: itself, those around it, and what regions have left behind. A
// sibling, as another item of the same foreach, counts as seen only if it comes before it in a region that is serial, which
// the trace does not tell; so it does not count.
func sees(frame, writer string) bool {
	mine, its := strings.Split(strings.Trim(frame, "/"), "/"), strings.Split(strings.Trim(writer, "/"), "/")
	for i := range its {
		if i >= len(mine) || its[0] == "" || mine[i] == "" {
			return true
		}
		if mine[i] != its[i] {
			return region(mine[i]) != region(its[i])
		}
	}
	return true
}

// region is a part of a frame's path without which child of the region it is.
func region(part string) string {
	if end := strings.IndexAny(part, "[:"); end >= 0 {
		return part[:end]
	}
	return part
}

// overlap reports whether one of two places is the other or a part of it.
func overlap(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	rest, ok := strings.CutPrefix(b, a)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// statePaths are the places of the state that a step's input, request, list or message is made of, each once.
func statePaths(s wf.Step) (paths []wf.Path) {
	add := func(o *wf.Operand) { paths = operandPaths(paths, o) }
	bindings := func(list []wf.InputBinding) {
		for i := range list {
			add(&list[i].Operand)
		}
	}
	switch s := s.(type) {
	case *wf.NodeStep:
		bindings(s.Input)
	case *wf.SubgraphStep:
		bindings(s.Input)
	case *wf.InterruptStep:
		bindings(s.Request)
	case *wf.EndStep:
		bindings(s.Output)
	case *wf.ForeachStep:
		add(&s.Over)
	case *wf.FailStep:
		add(s.Message)
	case *wf.WaitStep:
		add(s.Seconds)
		add(s.Until)
	case *wf.SetStep:
		for i := range s.Output {
			add(s.Output[i].Operand)
		}
	}
	return paths
}

func operandPaths(paths []wf.Path, o *wf.Operand) []wf.Path {
	if o == nil {
		return paths
	}
	if p := o.Path; p != nil && p.Root == wf.RootState && !slices.ContainsFunc(paths, p.Equal) {
		paths = append(paths, *p)
	}
	for _, list := range [][]wf.Operand{o.Text, o.List} {
		for i := range list {
			paths = operandPaths(paths, &list[i])
		}
	}
	for _, name := range sortedKeys(o.Object) {
		member := o.Object[name]
		paths = operandPaths(paths, &member)
	}
	return operandPaths(paths, o.Length)
}

// hintFor says what may repair a failure.
func hintFor(e *wf.Error, node string, reads []Read) string {
	from := ""
	for _, r := range reads {
		if r.Changed == nil {
			from = fmt.Sprintf("; %s was never written", r.Path)
		} else {
			from = fmt.Sprintf("; %s was written last by the step %q", r.Path, r.Changed.Step)
		}
	}
	switch e.Code {
	case wf.CodeInputInvalid, wf.CodeBindingMissing:
		if e.Step == "" {
			return "start a run with an input that fits the plan's input schema"
		}
		return "bind another value, or give the binding a default" + from
	case wf.CodeOutputInvalid, wf.CodeUndeclaredOutcome:
		if node != "" {
			return fmt.Sprintf("repair %s, or the contract that it does not keep", node)
		}
		return "bind a value that fits the workflow's output schema" + from
	case wf.CodeTimeout:
		return "allow more time with timeout_seconds, retry, or catch the code"
	case wf.CodeTransport, wf.CodeProviderError, wf.CodeHandlerError, wf.CodeHandlerPanic:
		if node != "" {
			return fmt.Sprintf("see why %s fails with this input: call it alone; retry, or catch the code", node)
		}
	case wf.CodeCapabilityMissing:
		return "offer the capability, or bind another source"
	case wf.CodeCancelled:
		return "start the run again"
	}
	if _, engine := wf.LookupCode(e.Code); node != "" && !engine {
		return fmt.Sprintf("%s failed with a code of its own: catch it, or change what the step is given", node)
	}
	return ""
}

// advice says what to do next about a failure; again are the calls that start the run again.
func (x *Explanation) advice(again []NextAction) *Advice {
	return advise(x.Summary, false, append(again, traceStepAction(x), inspectAction(x.RunID, "where the run stood"))...)
}

func traceStepAction(x *Explanation) NextAction {
	if x.Error.Step == "" {
		return traceAction(x.RunID)
	}
	return action(toInspect, "runs.trace", TraceRun{RunID: x.RunID, Step: x.Error.Step}, "all visits of the step", "run", "trace", x.RunID, "--step", x.Error.Step)
}
