package wf

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/internal/value"
)

// DoubtPolicy says what becomes of a call that must not be made twice (its effect is [EffectOnce]) when nobody knows whether
// it happened: it took too long, or the connection broke. A catch that names [CodeInDoubt] is asked first.
type DoubtPolicy string

// The policies.
const (
	DoubtAsk   DoubtPolicy = "ask"   // the step waits until somebody decides, like an interrupt; the default
	DoubtRetry DoubtPolicy = "retry" // the call is made again, five times at most; then the step fails with crash_loop
	DoubtFail  DoubtPolicy = "fail"  // the step fails with in_doubt
)

var doubtPolicies = map[DoubtPolicy]kernel.DoubtPolicy{"": kernel.DoubtAsks, DoubtAsk: kernel.DoubtAsks, DoubtRetry: kernel.DoubtRetries, DoubtFail: kernel.DoubtFails}

func (p DoubtPolicy) policy() (kernel.DoubtPolicy, error) {
	policy, ok := doubtPolicies[p]
	if !ok {
		return policy, fmt.Errorf(`in doubt %q: expected "ask", "retry" or "fail"`, p)
	}
	return policy, nil
}

// Doubt is a call of a run of which nobody knows whether it happened, and that waits for a decision.
type Doubt struct {
	ID             string          `json:"id"` // names it in its run: the frame's path, the step and from the second visit on its number
	Frame          string          `json:"frame"`
	Step           string          `json:"step"`
	Visit          int             `json:"visit"`
	Node           string          `json:"node"` // the capability that was called
	Attempts       int             `json:"attempts"`
	IdempotencyKey string          `json:"idempotency_key"` // under which the call may be found where it was made
	Input          json.RawMessage `json:"input"`
	Error          *Error          `json:"error"`    // why it is in doubt
	Outcomes       []Outcome       `json:"outcomes"` // that the call can have had
	EnteredAt      time.Time       `json:"entered_at"`
}

// Verdict is what a [Ruling] says about a doubt.
type Verdict string

// The verdicts.
const (
	VerdictResult Verdict = "result" // it happened: the outcome and output are given
	VerdictAgain  Verdict = "again"  // it did not happen, or does no harm twice: make the call again, with the same key
	VerdictFail   Verdict = "fail"   // the step fails with in_doubt
)

// Ruling ends a doubt.
type Ruling struct {
	// Step is the doubt's id; it may be left out while only one is open.
	Step string `json:"step,omitempty"`
	// Verdict says what to do.
	Verdict Verdict `json:"verdict"`
	// Outcome and Output are the result of a call that happened. The outcome may be left out if there is only one. The output
	// is a Go value, encoded as encoding/json would, or json.RawMessage; nil is an empty object.
	Outcome Outcome `json:"outcome,omitempty"`
	Output  any     `json:"output,omitempty"`
}

// Doubts returns the calls that wait for a decision, in the order of their frames. Inputs made of secret fields are redacted.
func (r *RunHandle) Doubts() []Doubt {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.doubts()
}

func (r *RunHandle) doubts() []Doubt {
	open := r.machine.OpenDoubts()
	if len(open) == 0 {
		return nil
	}
	list := make([]Doubt, len(open))
	hide := r.mask(r.records())
	for i := range open {
		d := &open[i]
		flow, node := r.prog.of(d.Ref.Frame()), r.prog.nodes[d.Op.Callee]
		list[i] = Doubt{
			ID: d.ID, Frame: d.Frame, Step: d.Op.ID, Visit: int(d.Ref.Visit), Node: node.ref, Attempts: int(d.Ref.Attempt), IdempotencyKey: d.Key,
			Input: hide.value(flow.showStepInput(d.Op, d.Input)).JSON(), Error: hide.failure(d.Failure),
			Outcomes: slices.Clone(node.outcomes), EnteredAt: moment(d.Since),
		}
	}
	return list
}

// Decide ends a doubt, and the run goes on. A decision that is refused changes nothing; the error is an [*Error] with the
// code [CodeDoubtUnknown] (also when it was decided before), [CodeDoubtAmbiguous], [CodeRunEnded] or [CodeDecisionInvalid], or
// with that of a result that the step cannot have ([CodeUndeclaredOutcome], [CodeOutputInvalid], or what its writes fail with).
// Decide does not wait for the run: see [RunHandle.Wait].
func (r *RunHandle) Decide(ctx context.Context, d Ruling) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	output, err := encodeGiven(d.Output, "the output", CodeOutputInvalid)
	if err != nil {
		return err
	}
	return r.deliver(ctx, letter{ruling: &d, payload: output})
}

// deciding makes the event of a decision.
func (r *RunHandle) deciding(d *Ruling, output value.Value, ev *kernel.Event) error {
	ref, err := r.doubted(d.Step)
	if err != nil {
		return err
	}
	*ev = kernel.Event{Kind: kernel.Decided, Ref: ref}
	switch d.Verdict {
	case VerdictResult:
		node := r.prog.nodes[ref.At().Callee]
		outcome := d.Outcome
		if outcome == "" && len(node.outcomes) == 1 {
			outcome = node.outcomes[0]
		}
		if fail := node.supplied(outcome, output, ev); fail != nil {
			return refusedAbout("the decision about ", "step", ref.ID(), fail)
		}
	case VerdictAgain:
		ev.Verdict = kernel.VerdictAgain
	case VerdictFail:
		ev.Verdict = kernel.VerdictFail
	default:
		return &Error{Code: CodeDecisionInvalid, Message: fmt.Sprintf(`the verdict %q is none: it is "result", "again" or "fail"`, clip(string(d.Verdict)))}
	}
	return nil
}

// doubted finds the doubt that a decision is about.
func (r *RunHandle) doubted(id string) (kernel.Ref, error) {
	if id != "" {
		if ref, ok := r.machine.FindDoubt(id); ok {
			return ref, nil
		}
	}
	if err := r.ended(); err != nil {
		return kernel.Ref{}, err
	}
	open := r.machine.OpenDoubts()
	switch {
	case id == "" && len(open) == 1:
		return open[0].Ref, nil
	case id == "" && len(open) > 1:
		ids := make([]string, len(open))
		for i := range open {
			ids[i] = open[i].ID
		}
		return kernel.Ref{}, &Error{Code: CodeDoubtAmbiguous, Details: jsonOf(map[string]any{"open": ids}),
			Message: fmt.Sprintf("%d calls are in doubt: %s; say which one is decided", len(open), listSome(ids))}
	case id == "":
		return kernel.Ref{}, &Error{Code: CodeDoubtUnknown, Message: "no call of the run is in doubt"}
	}
	return kernel.Ref{}, &Error{Code: CodeDoubtUnknown, Details: jsonOf(map[string]any{"step": id}),
		Message: fmt.Sprintf("no call %q is in doubt; if it was, somebody has decided, or its frame has ended", clip(id))}
}
