package kernel

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"lda.chat/wf/internal/value"
)

// Restore makes the machine again that Snapshot wrote. The program may be of another plan, as long as that has what the run
// needs: the steps that frames stand in, of the same kinds and in the same places; the branches that are under way, in the
// same order; the fields that have a value; and whatever the inputs of calls that are out are made of. If not, the error
// says what is missing. What only the other plan has begins as in a new run: a field with its default, a step without visits.
// What nobody can ask for any more is let go: visits and outputs of steps that are gone, which step came before if it is
// gone, and the deadline of a step that has no outcome for it. What was worked out stands: deadlines, what a foreach goes over, a
// subgraph's input. No text makes it panic.
func Restore(p *Program, data []byte) (*Machine, error) {
	v, err := value.ParseLimits(data, &recordLimits)
	if err != nil {
		return nil, fmt.Errorf("the snapshot: %w", err)
	}
	r := &restorer{m: New(p)}
	if n := r.number(v, "version", math.MaxInt64); r.err == nil && n != Version {
		r.fail("the snapshot is of version %d, expected %d", n, Version)
	}
	if r.err == nil {
		r.err = r.define(data, v.Get("shared"))
	}
	if r.err == nil {
		r.machine(v)
	}
	if r.err != nil {
		return nil, r.err
	}
	return r.m, nil
}

// restorer reads a snapshot. It remembers the first thing that is wrong; what it has read after that is good for nothing.
type restorer struct {
	sharing
	m     *Machine
	turns []turn
	err   error
}

// turn is a frame's place in the queue.
type turn struct {
	at    int64
	frame *Frame
}

func (r *restorer) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

func (r *restorer) machine(v value.Value) {
	m := r.m
	status := slices.Index(statusNames[:], text(v, "status"))
	if status < 0 || Status(status) == Interrupted {
		r.fail("unknown status %q of a run", text(v, "status"))
		return
	}
	m.status = Status(status)
	if m.status == Created {
		return
	}
	policy := slices.Index(doubtNames[:], text(v, "in_doubt"))
	if policy < 0 {
		r.fail("unknown policy %q for calls in doubt", text(v, "in_doubt"))
		return
	}
	m.Doubts = DoubtPolicy(policy)
	if m.runID = text(v, "run_id"); m.runID == "" {
		r.fail("the snapshot does not say which run it is of")
	}
	m.now, m.startedAt = r.time(v, "now"), r.time(v, "started_at")
	m.scheduled, m.idle = r.time(v, "scheduled"), r.time(v, "idle")
	m.steps, m.seq = r.number(v, "steps", mostCount), r.number(v, "seq", mostCount)
	m.outcome, m.output = text(v, "outcome"), r.value(v, "output")
	if fail := v.Get("failure"); !fail.IsAbsent() {
		m.failure = decodeFailure(fail)
	}
	if (m.status == Failed || m.status == Cancelled) != (m.failure != nil) {
		r.fail("the run is %s, and its failure is %s", m.status, v.Get("failure"))
	}
	root := v.Get("root")
	m.root = m.newFlow(m.prog, nil)
	r.flow(m.root, root)
	if r.frame(m.root, root); r.err == nil && m.status == Running {
		r.settle(m.root)
		r.queue()
	}
}

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

// settle counts what a snapshot does not say: who is at work, and who has room. Where another plan has more room than there
// was, those that waited for it have it now.
func (r *restorer) settle(f *Frame) {
	m := r.m
	m.count(f.status, 1)
	if g := f.under; g != nil {
		for i := range g.kids {
			if k := g.kids[i].frame; k != nil {
				r.settle(k)
				if k.held = k.held && k.active > 0; k.active > 0 && !k.held {
					g.busy++
				}
			}
		}
		for i := range g.kids {
			switch k := g.kids[i].frame; {
			case k == nil || !k.held:
			case g.full():
				g.held = append(g.held, k)
				m.holding++
			default:
				k.held = false
				g.busy++
			}
		}
		f.active = g.busy
		m.count(f.status, -1)
		f.status = g.inside()
		m.count(f.status, 1)
	}
	if f.status.works() {
		f.active++
	}
}

// queue puts those that go on into the order in which they became able to.
func (r *restorer) queue() {
	slices.SortStableFunc(r.turns, func(a, b turn) int { return cmp.Compare(a.at, b.at) })
	for _, t := range r.turns {
		r.m.link(t.frame)
	}
	r.m.eachFrame(r.m.root, r.m.link) // those whose way only this plan has opened
}

// mostCount bounds what is counted, so that counting on goes well.
const (
	mostCount = math.MaxInt64 / 2
	mostVisit = math.MaxInt32 / 2
)

// number reads a number from 0 to most, 0 if there is none.
func (r *restorer) number(v value.Value, key string, most int64) int64 {
	x := v.Get(key)
	n, ok := x.AsInt()
	if !x.IsAbsent() && (!ok || n < 0 || n > most) {
		r.fail("%s must be a number from 0 to %d, found %s", quote(key), most, x)
	}
	return n
}

func (r *restorer) count(v value.Value, key string) int32 {
	return int32(r.number(v, key, mostVisit))
}

// time reads nanoseconds of Unix time, or how many of them.
func (r *restorer) time(v value.Value, key string) int64 {
	x := v.Get(key)
	n, ok := x.AsInt()
	if !x.IsAbsent() && !ok {
		r.fail("%s must be a number of nanoseconds, found %s", quote(key), x)
	}
	return n
}

func (r *restorer) value(v value.Value, key string) value.Value { return r.shared(v.Get(key)) }

func (r *restorer) shared(v value.Value) value.Value {
	v, err := r.read(v)
	if err != nil {
		r.fail("%w", err)
	}
	return v
}

// field finds a field that has a value.
func (r *restorer) field(f *Frame, name string) int32 {
	slot := f.flow.prog.field(name)
	if slot < 0 {
		r.fail("the workflow %q has no state field %q, which has a value in frame %s", f.flow.prog.Workflow, name, f.Path())
	}
	return slot
}
