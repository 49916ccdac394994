package wf

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/internal/value"
)

// Backtest is what another plan would have made of a run that is past: run again on what came to it from outside then, the
// results of its calls and the answers to its questions. Nothing is called.
type Backtest struct {
	RunID  string      `json:"run_id"`
	Before RunSide     `json:"before"`
	After  RunSide     `json:"after"` // without an id; as far as it came
	Output []ValueDiff `json:"output,omitempty"`
	State  []ValueDiff `json:"state,omitempty"`
	Routes []StepDiff  `json:"routes,omitempty"`    // visits of steps that only one has, or that left otherwise, in the order of before
	New    []NewCall   `json:"new_calls,omitempty"` // calls and questions without a recorded answer: the other plan goes no further there
	Unused []string    `json:"unused,omitempty"`    // recorded calls and questions, by their ids, that the other plan does not make
}

// NewCall is a call, or a question, that a past run has no answer to.
type NewCall struct {
	Frame string          `json:"frame"`
	Step  string          `json:"step"`
	Visit int             `json:"visit"`
	Node  string          `json:"node,omitempty"` // the capability; "" for a question
	Input json.RawMessage `json:"input"`
}

// Same reports whether the run would have gone as it did.
func (b *Backtest) Same() bool {
	return b.Before.endsAs(&b.After) && len(b.Output)+len(b.State)+len(b.Routes)+len(b.New) == 0
}

// Backtest plays a past run of the journal, as far as it went, by a plan. A call of the plan takes the recorded result of the same visit of the
// same step if the capability and the input are the same, else that of another call of that capability with that input
// which was not taken yet; a question takes the recorded answer to it. Time stands still but for what the plan waits for. A plan with
// errors is refused; one that does not take the run's input fails with that. It is safe to play many runs at once.
func (rt *Runtime) Backtest(ctx context.Context, w *Workflow, runID string) (*Backtest, error) {
	k := rt.keeper
	if k == nil {
		return nil, errNoJournal
	}
	prog, err := rt.rehearsal(w)
	if err != nil {
		return nil, err
	}
	past, was, err := k.history(ctx, runID, 0)
	if err != nil {
		return nil, err
	}
	before := k.picture(was)
	p := &player{prog: prog, past: past, machine: kernel.New(prog.kernel), taken: map[*recordedCall]int{}, now: past.startedAt}
	after := &RunHandle{rt: rt, id: runID, prog: prog, workflow: w, machine: p.machine, base: ctx}
	b := &Backtest{RunID: runID}
	in, err := prog.admit(past.input)
	if refused, ok := errors.AsType[*Error](err); ok { // it would not even begin
		b.Before = sideOf(before.Info())
		b.After = RunSide{Digest: prog.digestOf(w), Status: StatusFailed, Error: refused}
		return b, nil
	}
	if err != nil {
		return nil, err
	}
	after.input = in
	p.play(ctx, kernel.Event{Kind: kernel.Started, RunID: runID, Input: in}, after)
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	diff, err := diffRuns(before, after)
	if err != nil {
		return nil, err
	}
	b.Before, b.After, b.Output, b.State, b.New = diff.A, diff.B, diff.Output, diff.State, p.fresh(after)
	b.After.RunID = ""
	b.Routes = slices.DeleteFunc(diff.Steps, func(s StepDiff) bool {
		return s.A != nil && s.B != nil && s.A.Outcome == s.B.Outcome && s.A.Next == s.B.Next && failedBy(s.A.Error) == failedBy(s.B.Error)
	})
	for _, c := range past.order {
		if p.taken[c] == 0 {
			b.Unused = append(b.Unused, c.id)
		}
	}
	return b, nil
}

// rehearsal compiles a plan with whatever is at hand and stands in for the rest: nothing of it is called.
func (rt *Runtime) rehearsal(w *Workflow) (*program, error) {
	if prog, err := rt.program(w); err == nil {
		return prog, nil
	}
	e, err := rt.edition(w.Digest(), w)
	if err != nil {
		return nil, err
	}
	opts := rt.surroundings()
	nodes := opts.Nodes
	opts.Nodes = func(ref string) (*NodeDef, bool) {
		if def, ok := nodes(ref); ok {
			return def, true
		}
		def := findDef(w, ref)
		return def, def != nil
	}
	if err := Validate(w, opts).Err(); err != nil {
		return nil, err
	}
	return e.prog, nil
}

// player plays a machine on the history of a run.
type player struct {
	prog    *program
	past    *history
	machine *kernel.Machine
	taken   map[*recordedCall]int
	now     int64
	ready   []arrival              // what is known to come, by when it came
	timers  map[kernel.Timer]int64 //
	after   *RunHandle
}

// arrival is an event at its time.
type arrival struct {
	seq int64
	at  int64
	ev  kernel.Event
}

// play goes on until the run ends or waits for what is not recorded.
func (p *player) play(ctx context.Context, ev kernel.Event, after *RunHandle) {
	p.after, p.timers = after, map[kernel.Timer]int64{}
	for more := true; more && ctx.Err() == nil; ev, more = p.next() {
		ev.At = p.now
		after.journal.room(p.out())
		out := p.out()
		if p.machine.Step(&ev, out) != nil {
			continue
		}
		after.journal.keep(&out.Record)
		for i := range out.Effects {
			p.effect(&out.Effects[i])
		}
		out.Effects = out.Effects[:0]
	}
}

func (p *player) out() *kernel.Out {
	if p.after.room == nil {
		p.after.makeRoom()
	}
	return &p.after.room.out
}

func (p *player) effect(e *kernel.Effect) {
	switch e.Kind {
	case kernel.Call:
		to := p.prog.nodes[e.Ref.At().Callee]
		input := e.Input.Value()
		if fail := to.refuse(input); fail != nil {
			p.ready = append(p.ready, arrival{at: p.now, ev: kernel.Event{Kind: kernel.CallFailed, Ref: e.Ref, Failure: fail}})
			return
		}
		if c := p.recorded(e.Ref, to.ref, input); c != nil {
			r, _ := c.of(p.attempt(c, e.Ref))
			p.ready = append(p.ready, arrival{r.seq, r.at, r.event(e.Ref, to)})
		}
	case kernel.SetTimer:
		p.timers[e.Timer] = e.At
	case kernel.CancelTimer:
		delete(p.timers, e.Timer)
	case kernel.OpenInterrupt:
		q, _ := p.machine.Question(e.Ref)
		c := p.recorded(e.Ref, "", q.Request)
		if c == nil {
			return
		}
		r := c.results[0]
		ev := kernel.Event{Kind: kernel.Resumed, Ref: e.Ref, Outcome: r.outcome, Output: r.output}
		if r.silent {
			ev = kernel.Event{Kind: kernel.TimerFired, Timer: kernel.Timer{Kind: kernel.AskTimer, Ref: e.Ref}}
		}
		p.ready = append(p.ready, arrival{r.seq, r.at, ev})
	}
}

// recorded finds the past visit whose result a call or question takes, and takes it.
func (p *player) recorded(ref kernel.Ref, node string, input value.Value) *recordedCall {
	fits := func(c *recordedCall) bool {
		if c.node != node || !value.Equal(c.input, input) {
			return false
		}
		_, ok := c.of(p.attempt(c, ref))
		return ok
	}
	if c := p.past.calls[ref.ID()]; c != nil && fits(c) {
		p.taken[c]++
		return c
	}
	for _, c := range p.past.order {
		if p.taken[c] == 0 && fits(c) && (node != "" || c.step == ref.At().ID) {
			p.taken[c]++
			return c
		}
	}
	return nil
}

// attempt is which of a past visit's attempts stands for one: with other retries than then, the last stands for those behind it.
func (p *player) attempt(c *recordedCall, ref kernel.Ref) int32 {
	if n := len(c.results); n > 0 {
		return min(max(ref.Attempt, 1), c.results[n-1].attempt)
	}
	return ref.Attempt
}

// next is what happens next: what is due, in the order in which it came then; else the machine goes on; else time does.
func (p *player) next() (kernel.Event, bool) {
	switch {
	case p.machine.Status().Ended():
		return kernel.Event{}, false
	case p.machine.Proceeds():
		return kernel.Event{Kind: kernel.Proceed}, true
	case len(p.ready) > 0:
		first := slices.MinFunc(p.ready, func(a, b arrival) int { return cmp.Compare(a.seq, b.seq) })
		at := slices.IndexFunc(p.ready, func(a arrival) bool {
			return a.seq == first.seq && a.ev.Ref == first.ev.Ref && a.ev.Timer == first.ev.Timer
		})
		p.ready = slices.Delete(p.ready, at, at+1)
		if first.ev.Kind == kernel.TimerFired {
			delete(p.timers, first.ev.Timer)
		}
		p.now = max(p.now, first.at)
		return first.ev, true
	}
	var due kernel.Timer
	for t, at := range p.timers {
		// What waits for a call or an answer waits for that, and the run's own time is not played.
		if t.Kind != kernel.BackoffTimer && t.Kind != kernel.WaitTimer {
			continue
		}
		if due == (kernel.Timer{}) || at < p.timers[due] || at == p.timers[due] && t.Ref.ID() < due.Ref.ID() {
			due = t
		}
	}
	if due == (kernel.Timer{}) {
		return kernel.Event{}, false
	}
	p.now = max(p.now, p.timers[due])
	delete(p.timers, due)
	return kernel.Event{Kind: kernel.TimerFired, Timer: due}, true
}

// fresh lists what the plan wants that is not recorded, in structural order.
func (p *player) fresh(after *RunHandle) []NewCall {
	var list []NewCall
	hide := after.mask(after.records())
	for _, e := range p.machine.Outstanding() {
		if e.Kind != kernel.Call && e.Kind != kernel.OpenInterrupt {
			continue
		}
		call := NewCall{Frame: e.Ref.Frame().Path(), Step: e.Ref.At().ID, Visit: int(e.Ref.Visit)}
		flow := p.prog.of(e.Ref.Frame())
		switch e.Kind {
		case kernel.Call:
			call.Node = p.prog.nodes[e.Ref.At().Callee].ref
			call.Input = hide.value(flow.showStepInput(e.Ref.At(), e.Input.Value())).JSON()
		default:
			q, _ := p.machine.Question(e.Ref)
			call.Input = hide.value(flow.showBound(q.Op.Input, q.Request)).JSON()
		}
		list = append(list, call)
	}
	return list
}
