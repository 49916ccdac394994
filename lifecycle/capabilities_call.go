package lifecycle

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"lda.chat/wf"
)

// CapabilityCall is how a call of a capability went.
type CapabilityCall struct {
	Capability string          `json:"capability"`
	Status     wf.RunStatus    `json:"status"`
	Outcome    wf.Outcome      `json:"outcome,omitempty"`
	Output     json.RawMessage `json:"output,omitempty"`
	Extra      json.RawMessage `json:"extra,omitempty"` // what the contract does not declare
	Error      *wf.Error       `json:"error,omitempty"`
	Attempts   int             `json:"attempts"`
	Retries    []wf.TraceRetry `json:"retries,omitempty"` // why it was made again
	StartedAt  time.Time       `json:"started_at"`
	EndedAt    time.Time       `json:"ended_at"`
	Omitted    []Omitted       `json:"omitted,omitempty"`
	Advice     *Advice         `json:"advice,omitempty"`
}

// CallCapability implements [Capabilities].
func (s *Service) CallCapability(ctx context.Context, p *CallCapability) (*CapabilityCall, error) {
	found, failure := s.findCapability(ctx, p.Capability, nil)
	if failure != nil {
		return nil, failure
	}
	if found.saved != nil {
		return nil, s.runInstead(ctx, found.saved, p)
	}
	def := found.def
	input, err := json.Marshal(map[string]json.RawMessage{"input": orObject(p.Input)})
	if err != nil {
		return nil, badParam("input", "the input is no JSON")
	}
	run, err := s.direct.Run(ctx, oneCall(def), json.RawMessage(input))
	if err != nil {
		return nil, errorOf(err)
	}
	defer run.Cancel(context.WithoutCancel(ctx), "nobody waits for it any more")
	trace, err := run.Trace()
	if err != nil {
		return nil, errorOf(err)
	}
	info := run.Info()
	c := &CapabilityCall{Capability: p.Capability, Status: info.Status, Outcome: info.Outcome, Error: info.Error, StartedAt: info.StartedAt, EndedAt: info.UpdatedAt}
	for _, x := range trace {
		if x.Step == theCall {
			c.Output, c.Extra, c.Attempts, c.Retries = x.Output, x.Extra, x.Attempts, x.Retries
		}
	}
	if e := c.Error; e != nil && e.Code == wf.CodeInputInvalid {
		return nil, inputRefused(p.Capability, e).next(callAgain(p, def.InputSchema))
	}
	if ctx.Err() != nil && info.Status == wf.StatusCancelled {
		return nil, errorOf(fmt.Errorf("the call of %q was cancelled: %w", p.Capability, ctx.Err()))
	}
	if c.Error != nil {
		c.Error.Step, c.Error.Frame = "", ""
	}
	if n := len(c.Output); n > Bound && !p.Full {
		c.Output, c.Omitted = nil, append(c.Omitted, Omitted{Field: "output", Bytes: n})
	}
	if def.Effect != wf.EffectPure && def.Effect != wf.EffectRead {
		if err := s.audit(ctx, Event{Method: "capabilities.call", Subject: "capability:" + p.Capability, Note: string(c.Status)}); err != nil {
			return nil, err
		}
	}
	c.Advice = s.callAdvice(ctx, c)
	return c, nil
}

const theCall = "call"

// inputRefused is the error of an input that does not fit. Its places are those of what was given.
func inputRefused(ref string, e *wf.Error) *Error {
	refused := ofFailure(e)
	for i := range refused.Diagnostics {
		d := &refused.Diagnostics[i]
		d.Step, d.LogicalRef = "", ref
	}
	return refused.about("input").next(showCapability(ref))
}

// oneCall is the workflow that calls one capability, and ends with its outcome and its output. What the capability is given, which
// may be any JSON, is the member "input" of the run's.
func oneCall(def *wf.NodeDef) *wf.Workflow {
	whole := func(root wf.Root, parts ...wf.Part) *wf.Path { return &wf.Path{Root: root, Parts: parts} }
	w := &wf.Workflow{Format: wf.Format, Name: theCall, Outcomes: def.Outcomes, Start: theCall}
	if len(w.Outcomes) == 0 {
		w.Outcomes = []wf.Outcome{wf.OK}
	}
	w.Nodes = append(w.Nodes, &wf.NodeStep{StepCommon: wf.StepCommon{ID: theCall}, Node: def.Name,
		Input: []wf.InputBinding{{Target: *whole(wf.RootLocal), Operand: wf.Operand{Path: whole(wf.RootInput, wf.Part{Name: "input"})}}}})
	for i, outcome := range w.Outcomes {
		id := "end_" + strconv.Itoa(i)
		w.Nodes = append(w.Nodes, &wf.EndStep{StepCommon: wf.StepCommon{ID: id}, Outcome: outcome})
		w.Edges = append(w.Edges, wf.Edge{From: theCall, Outcome: outcome, To: id})
	}
	return w
}

// explainCodeOf explains the code of a failure; one of the capability's own is explained as one.
func explainCodeOf(e *wf.Error) NextAction {
	code := e.Code
	if _, known := wf.LookupCode(code); !known {
		code = wf.CodeProviderError
	}
	return explainCode(code)
}
