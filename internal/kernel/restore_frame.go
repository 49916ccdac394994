package kernel

import (
	"slices"

	"lda.chat/wf/internal/value"
)

// flow reads the state of a workflow.
func (r *restorer) flow(f *Frame, v value.Value) {
	fl := f.flow
	fl.fill(r.value(v, "input"))
	fl.steps = r.number(v, "taken", mostCount)
	for _, item := range v.Get("unset").Items() {
		name, _ := item.AsString()
		if slot := fl.prog.field(name); slot >= 0 {
			fl.slots[slot] = value.Value{}
		}
	}
	for name, x := range v.Get("state").Members() {
		if slot := r.field(f, name); slot >= 0 {
			fl.slots[slot] = r.shared(x)
		}
	}
}

// frame reads a frame that is open, or the root of a run that has ended, and those below it.
func (r *restorer) frame(f *Frame, v value.Value) {
	if r.status(f, v); r.err != nil {
		return
	}
	f.visit, f.attempt = r.count(v, "visit"), r.count(v, "attempt")
	f.entered, f.until = r.time(v, "entered"), r.time(v, "until")
	f.held = flag(v, "held")
	if at := r.number(v, "turn", mostCount); at > 0 {
		r.turns = append(r.turns, turn{at, f})
	}
	r.said(f, v)
	r.prior(f, v.Get("prior"))
	if !f.whole() {
		f.cells = r.cells(f, v.Get("cells"))
		f.log = r.log(nil, f, v.Get("log"))
	}
	r.outputs(f, v.Get("outputs"))
	r.counts(f, v)
	if f.status == frameInside && r.err == nil {
		r.group(f, v.Get("children"))
	}
	if f.status != frameClosed && r.err == nil {
		r.fits(f)
	}
}

// status reads what a frame does, and in which step.
func (r *restorer) status(f *Frame, v value.Value) {
	prog := f.flow.prog
	name := text(v, "status")
	status := slices.Index(frameStatusNames[:], name)
	if f.status = frameStatus(status); f.status == frameTending {
		f.status = frameInside // see settle
	}
	if ended := r.m.status.Ended(); status < 0 || ended != (f.status == frameClosed) || f.status == frameEnded {
		r.fail("frame %s of a run that is %s is %q", f.Path(), r.m.status, name)
		return
	}
	step := text(v, "step")
	to, ok := prog.target(step)
	switch {
	case !ok:
		r.fail("the plan has no step %q, in which frame %s waits", step, f.Path())
	case to >= 0 && prog.Ops[to].Region != f.region:
		r.fail("the plan has step %q in another place than frame %s, which waits in it", step, f.Path())
	case to < 0 && f.status != frameClosed && (to == ToEnd) != f.whole():
		r.fail("frame %s cannot go on to %q", f.Path(), step)
	}
	f.pc = to
}

// standsIn tells in which kinds of steps a frame can have a status.
var standsIn = [...][]Kind{
	frameReady:    {Node, Foreach, Fork, Subgraph}, // in the middle of the step
	frameCalling:  {Node},
	frameBackoff:  {Node, Foreach, Fork, Subgraph},
	frameWaiting:  {Wait},
	frameAsking:   {Interrupt},
	frameDoubting: {Node},
	frameInside:   {Foreach, Fork, Subgraph},
}

// fits checks that a frame can go on from where it stands, as far as deciding and applying rely on it.
func (r *restorer) fits(f *Frame) {
	if f.visit == 0 {
		if f.status != frameReady {
			r.fail("frame %s is %q in a step that it has not entered", f.Path(), frameStatusNames[f.status])
		}
		return
	}
	if f.pc < 0 {
		r.fail("frame %s is in no step, and on visit %d of it", f.Path(), f.visit)
		return
	}
	op := &f.flow.prog.Ops[f.pc]
	if !slices.Contains(standsIn[f.status], op.Kind) {
		r.fail("step %q of the plan is of the kind %s, and frame %s is %q in it", op.ID, op.Kind, f.Path(), frameStatusNames[f.status])
		return
	}
	if f.visits[op.Local] < f.visit {
		r.fail("frame %s has visited step %q %d times, and is on visit %d", f.Path(), op.ID, f.visits[op.Local], f.visit)
	}
	switch f.status {
	case frameBackoff, frameWaiting:
		if f.until == 0 {
			r.fail("frame %s waits in step %q, and the snapshot does not say until when", f.Path(), op.ID)
		}
	case frameDoubting:
		if f.doubt() == nil {
			r.fail("the snapshot does not say what is in doubt about step %q in frame %s", op.ID, f.Path())
		}
	case frameAsking:
		if op.Ask.TimedOut < 0 {
			f.until = 0
		}
	}
	r.bound(f, op)
}

// bound checks that what a step is given can still be made.
func (r *restorer) bound(f *Frame, op *Op) {
	var fail *Failure
	switch op.Kind {
	case Node:
		_, fail = r.m.input(f, op, nil)
	case Interrupt:
		s := r.m.scopeAt(f)
		_, fail = s.bind(op.Input, op.Shape, CodeBindingMissing)
	}
	if fail != nil {
		r.fail("frame %s is in step %q, whose input cannot be made as the plan has it: %s", f.Path(), op.ID, fail.Message)
	}
}

func (r *restorer) said(f *Frame, v value.Value) {
	s := said{key: text(v, "key"), lost: r.count(v, "lost"), idle: r.time(v, "idle")}
	if doubt := v.Get("doubt"); !doubt.IsAbsent() {
		s.doubt = decodeFailure(doubt)
	}
	if s != (said{}) {
		f.said = &s
	}
}

func (r *restorer) prior(f *Frame, v value.Value) {
	at, ok := f.flow.prog.Op(text(v, "step"))
	if !ok || f.flow.prog.Ops[at].Region != f.region {
		return
	}
	if outcome := slices.Index(f.flow.prog.Ops[at].Outcomes, text(v, "outcome")); outcome >= 0 {
		f.priorOp, f.priorOutcome, f.priorRetries = at, int32(outcome), r.count(v, "retries")
	}
}

// outputs reads the step outputs that a frame keeps.
func (r *restorer) outputs(f *Frame, v value.Value) {
	for step, x := range v.Members() {
		at, scope := r.keeps(f.flow.prog, step)
		switch {
		case at < 0:
		case scope != f.scope():
			r.fail("the plan has step %q in another place than frame %s, which keeps its output", step, f.Path())
		default:
			f.keep(at, r.shared(x))
		}
	}
}

// keeps gives the number under which the output of a step is kept, and where; -1 if nobody reads it.
func (r *restorer) keeps(prog *Program, step string) (number, scope int32) {
	at, ok := prog.Op(step)
	if !ok {
		return -1, 0
	}
	return prog.Ops[at].Keep, prog.Regions[prog.Ops[at].Region].Scope
}

// counts reads how often steps were entered and edges taken, of those that are in the frame's region.
func (r *restorer) counts(f *Frame, v value.Value) {
	prog := f.flow.prog
	visits, edges := v.Get("visits"), v.Get("edges")
	for step := range visits.Members() {
		if at, ok := prog.Op(step); ok && prog.Ops[at].Region == f.region {
			f.visits[prog.Ops[at].Local] = r.count(visits, step)
		}
	}
	for step, taken := range edges.Members() {
		at, ok := prog.Op(step)
		if !ok || prog.Ops[at].Region != f.region {
			continue
		}
		op := &prog.Ops[at]
		for outcome := range taken.Members() {
			if n := slices.Index(op.Outcomes, outcome); n >= 0 && op.Next[n].Max > 0 {
				f.counters[op.Next[n].Counter] = r.count(taken, outcome)
			}
		}
	}
}

// field finds a field that has a value.
func (r *restorer) field(f *Frame, name string) int32 {
	slot := f.flow.prog.field(name)
	if slot < 0 {
		r.fail("the workflow %q has no state field %q, which has a value in frame %s", f.flow.prog.Workflow, name, f.Path())
	}
	return slot
}
