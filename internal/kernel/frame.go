package kernel

import (
	"strconv"

	"lda.chat/wf/internal/value"
)

// flow is a workflow in progress: the run's own, or a subgraph's. It has an input and a state of its own.
type flow struct {
	prog  *Program
	input value.Value
	slots []value.Value // the state, by field
	steps int64         // plan steps entered in it
}

// Frame is one level of a run: the root, a subgraph, an item of a foreach or a branch of a fork. What it does stands in
// its work, which it has until it is closed; what is left then only tells which frame it was.
type Frame struct {
	flow   *flow
	in     *group // whose child it is; nil: the root
	region int32  // 0: the frame of a whole workflow
	index  int32  // which child: the item's position, the branch's number
	*work
}

// work is what an open frame is about. It is used again for another frame when its own is closed.
type work struct {
	status frameStatus
	held   bool   // it may go on, but its foreach has no room for it yet
	queued bool   // it stands in the machine's queue
	active int32  // how many of itself and the children of its step are at work
	under  *group // the children of the step it is in

	pc      int32 // the step it is in, or will enter next
	visit   int32 // of that step, while in it; 0: not entered
	attempt int32
	entered int64 // when that step was entered
	until   int64 // end of the attempt, the back-off or the waiting; 0: none
	said    *said // about its call; nil: nothing

	priorOp      int32 // the step before; -1: none
	priorOutcome int32
	priorRetries int32

	cells    []cell        // the fields that a child has written: its parent's stay as they are until its region ends
	log      []logged      // a child's writes, in order, to be merged then
	kept     []cell        // step outputs that a branch keeps, by Op.Keep
	outputs  []value.Value // those that another frame keeps
	visits   []int32       // by op, within the region
	counters []int32       // by counted edge

	prev, next *Frame // in the machine's queue
}

// said is what few calls have. It is never changed, but replaced.
type said struct {
	key   string   // its idempotency key, if that was read
	doubt *Failure // why it is not known whether it happened
	lost  int32    // how often it was made and its result lost
	idle  int64    // how long it lay between the time when it was forked from and the fork
}

// called is what is said of the next attempt of a call; nil is nothing.
func (s *said) called(key string) *said {
	idle := int64(0)
	if s != nil {
		idle = s.idle
	}
	if key == "" && idle == 0 {
		return nil
	}
	return &said{key: key, idle: idle}
}

func (s *said) copy() *said {
	if s == nil {
		return &said{}
	}
	next := *s
	return &next
}

func (s *said) doubted(fail *Failure) *said {
	s = s.copy()
	s.doubt, s.lost = fail, 0
	return s
}

func (s *said) lostAgain() *said {
	s = s.copy()
	s.lost++
	return s
}

// key is the recorded idempotency key of the frame's call, "" if none was read.
func (f *Frame) key() string {
	if f.work == nil || f.said == nil {
		return ""
	}
	return f.said.key
}

// doubt is why it is not known whether the frame's call happened, nil if that is known.
func (f *Frame) doubt() *Failure {
	if f.said == nil {
		return nil
	}
	return f.said.doubt
}

// lost is how often the frame's call was made and its result lost.
func (f *Frame) lost() int32 {
	if f.said == nil {
		return 0
	}
	return f.said.lost
}

// since is when the frame's step was entered, for measuring how long it takes.
func (f *Frame) since() int64 {
	if f.said == nil {
		return f.entered
	}
	return f.entered + f.said.idle
}

// logged is a write of a child that its parent has not seen yet.
type logged struct {
	bind *WriteBind
	op   Operation
	by   int32 // the step
	in   value.Value
}

// frameStatus is what a frame is doing.
type frameStatus uint8

const (
	frameClosed   frameStatus = iota
	frameReady                // its next step can be entered, or the next attempt of the step it is in begin
	frameCalling              // a call is out
	frameTending              // another child of its step can be started, or the step ended
	frameBackoff              // an attempt failed, and the step will be tried again
	frameWaiting              // for a point of time
	frameAsking               // for somebody's answer
	frameDoubting             // for somebody to decide whether its call happened
	frameInside               // the children of its step are under way
	frameEnded                // the last step of its workflow is over
)

var frameStatusNames = [...]string{"closed", "ready", "calling", "inside", "backoff", "waiting", "interrupted", "in_doubt", "inside", "ended"}

// works reports whether a frame with this status takes up room in a foreach.
func (s frameStatus) works() bool { return s >= frameReady && s <= frameTending || s == frameEnded }

// moves reports whether it goes on without anybody's answer.
func (s frameStatus) moves() bool { return s >= frameReady && s <= frameWaiting }

// asks reports whether it waits for somebody's answer or decision.
func (s frameStatus) asks() bool { return s == frameAsking || s == frameDoubting }

// newWork makes the work of a frame, from one that is no longer needed if there is any.
func (m *Machine) newWork(r *Region, start int32) *work {
	var w *work
	if last := len(m.spare) - 1; last >= 0 {
		w, m.spare = m.spare[last], m.spare[:last]
	} else {
		w = &work{}
	}
	w.pc, w.priorOp = start, -1
	if r.Owner >= 0 { // a workflow's frame brings its own
		w.outputs = zeroed(w.outputs, r.Kept)
	}
	if n := r.Ops + r.Counters; int32(cap(w.visits)) < n {
		w.visits = make([]int32, n)
	} else {
		w.visits = w.visits[:n]
		clear(w.visits)
	}
	w.visits, w.counters = w.visits[:r.Ops], w.visits[r.Ops:]
	return w
}

func zeroed(s []value.Value, n int32) []value.Value {
	if int32(cap(s)) < n {
		return make([]value.Value, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// mostSpare bounds how much work is kept to be used again.
const mostSpare = 64

// release takes the work of a frame that is being closed.
func (m *Machine) release(f *Frame) {
	w := f.work
	f.work = nil
	if len(m.spare) >= mostSpare {
		return
	}
	clear(w.cells)
	clear(w.kept)
	clear(w.outputs)
	clear(w.log)
	*w = work{cells: w.cells[:0], log: w.log[:0], kept: w.kept[:0], outputs: w.outputs[:0], visits: w.visits[:0]}
	m.spare = append(m.spare, w)
}

// newFlow makes the frame of a workflow: of the run's own in the machine's room, if in is nil.
func (m *Machine) newFlow(p *Program, in *group) *Frame {
	r := &p.Regions[0]
	values := make([]value.Value, int32(len(p.Fields))+r.Kept)
	slots, outputs := values[:len(p.Fields):len(p.Fields)], values[len(p.Fields):]
	if in != nil {
		f := &Frame{flow: &flow{prog: p, slots: slots}, in: in, work: m.newWork(r, r.Start)}
		f.outputs = outputs
		return f
	}
	room := &m.room
	room.flow = flow{prog: p, slots: slots}
	counts := make([]int32, r.Ops+r.Counters)
	room.work = work{pc: r.Start, priorOp: -1, outputs: outputs, visits: counts[:r.Ops:r.Ops], counters: counts[r.Ops:]}
	room.frame = Frame{flow: &room.flow, work: &room.work}
	return &room.frame
}

// Program returns the program whose steps the frame takes.
func (f *Frame) Program() *Program { return f.flow.prog }

// whole reports whether the frame is that of a workflow, and so has a state of its own.
func (f *Frame) whole() bool { return f.region == 0 }

// open reports whether the frame goes on.
func (f *Frame) open() bool { return f.work != nil }

// get reads a field: as the frame sees it, or as its ancestors do.
func (f *Frame) get(slot int32) value.Value {
	for ; !f.whole(); f = f.in.owner {
		if c := find(f.cells, slot); c != nil {
			return c.value()
		}
		if c := find(f.in.cells, slot); c != nil {
			return c.value()
		}
	}
	return f.flow.slots[slot]
}

func (f *Frame) set(slot int32, v value.Value) {
	if f.whole() {
		f.flow.slots[slot] = v
	} else {
		f.cells = put(f.cells, slot, v)
	}
}

// keep leaves a step's output for those who read it.
func (f *Frame) keep(number int32, v value.Value) {
	if f.scope() == f.region {
		f.outputs[number] = v
	} else {
		f.kept = put(f.kept, number, v)
	}
}

func (f *Frame) scope() int32 { return f.flow.prog.Regions[f.region].Scope }

// output returns what a step left in this frame or an enclosing one.
func (f *Frame) output(op int32) value.Value {
	prog := f.flow.prog
	number, scope := prog.Ops[op].Keep, prog.Regions[prog.Ops[op].Region].Scope
	for ; ; f = f.in.owner {
		switch {
		case f.region == scope:
			return f.outputs[number]
		case f.scope() == scope:
			if c := find(f.kept, number); c != nil {
				return c.val
			}
		}
		if f.whole() {
			return value.Value{}
		}
	}
}

// item finds the child that the frame is in of a foreach around it.
func (f *Frame) item(op int32) *Frame {
	for ; !f.whole(); f = f.in.owner {
		if f.in.at == op {
			return f
		}
	}
	return nil
}

// Path names a frame by structure: "/" is the root, "/each[3]" an item, "/split:legal" a branch, "/child" a subgraph. A step
// that was entered before has its visit behind it, "/each#2[3]", and a second attempt its number, "/each~2[3]".
func (f *Frame) Path() string {
	if f.in == nil {
		return "/"
	}
	return string(f.appendPath(make([]byte, 0, 48)))
}

func (f *Frame) appendPath(dst []byte) []byte {
	if f.in == nil {
		return dst
	}
	g := f.in
	dst = append(g.owner.appendPath(dst), '/')
	dst = append(dst, g.op.ID...)
	if g.visit > 1 {
		dst = strconv.AppendInt(append(dst, '#'), int64(g.visit), 10)
	}
	if g.attempt > 1 {
		dst = strconv.AppendInt(append(dst, '~'), int64(g.attempt), 10)
	}
	switch g.op.Kind {
	case Foreach:
		dst = strconv.AppendInt(append(dst, '['), int64(f.index), 10)
		dst = append(dst, ']')
	case Fork:
		dst = append(append(dst, ':'), g.op.Fan.Branches[f.index].Name...)
	}
	return dst
}

// StepRef names one visit of a step.
type StepRef struct {
	frame *Frame
	Op    int32
	Visit int32
}

// At returns the step.
func (r StepRef) At() *Op { return &r.frame.flow.prog.Ops[r.Op] }

// Frame returns the frame that the step is taken in.
func (r StepRef) Frame() *Frame { return r.frame }

// ID names a visit in its run: the frame's path, the step and, from the second time on, the visit.
func (r StepRef) ID() string {
	id := append(r.frame.appendPath(make([]byte, 0, 64)), '/')
	id = append(id, r.At().ID...)
	if r.Visit > 1 {
		id = strconv.AppendInt(append(id, '#'), int64(r.Visit), 10)
	}
	return string(id)
}

// Ref names one attempt of a step. It is comparable.
type Ref struct {
	StepRef
	Attempt int32
}

// ref names what an open frame is in.
func (f *Frame) ref() Ref {
	return Ref{StepRef: StepRef{frame: f, Op: f.pc, Visit: f.visit}, Attempt: f.attempt}
}
