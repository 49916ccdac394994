package kernel

import (
	"math"
	"slices"
	"strconv"

	"lda.chat/wf/internal/value"
)

// Question is an open interrupt.
type Question struct {
	ID       string
	Ref      Ref
	Op       *Op
	Frame    string
	Request  value.Value
	Opened   int64 // unix nanoseconds
	Deadline int64 // 0: none
}

// ask parks a frame until somebody answers.
func (m *Machine) ask(f *Frame, op *Op) {
	s := m.scopeAt(f)
	request, fail := s.bind(op.Input, op.Shape, CodeBindingMissing)
	if fail == nil && op.Ask.CheckRequest != nil {
		if fail = op.Ask.CheckRequest(request); fail != nil {
			fail = &Failure{Code: CodeInputInvalid, Message: "the request: " + fail.Message, Details: fail.Details}
		}
	}
	if fail != nil {
		m.fail(f, fail, true)
		return
	}
	m.park(f, StepAsked, m.deadline(f, op.Timeout, nil, 1))
	m.effect(Effect{Kind: OpenInterrupt, Ref: f.ref(), At: f.until})
}

// park enters a step that waits for something else than a call.
func (m *Machine) park(f *Frame, kind EntryKind, until int64) {
	e := Entry{Kind: kind, Frame: f, Op: f.pc, Visit: f.nextVisit(f.pc)}
	if until != 0 {
		e.Rare = &Rare{Until: until}
	}
	m.emit(e)
	m.setTimer(f)
}

// Find gives the open interrupt with an id.
func (m *Machine) Find(id string) (Ref, bool) {
	return m.find(id, frameAsking)
}

// find gives the visit with an id, if its frame has a status.
func (m *Machine) find(id string, status frameStatus) (Ref, bool) {
	frame, step, visit, err := m.splitID(id)
	if err != nil {
		return Ref{}, false
	}
	f := m.counterpart(frame)
	if f == nil || !f.open() || f.status != status || f.visit != visit || f.flow.prog.Ops[f.pc].ID != step || f.ref().ID() != id {
		return Ref{}, false // the last: nothing has two ids
	}
	return f.ref(), true
}

// Question tells what an open interrupt asks; ok is false if it is not open.
func (m *Machine) Question(r Ref) (q Question, ok bool) {
	f := m.live(r)
	if f == nil || f.status != frameAsking {
		return q, false
	}
	op := r.At()
	s := m.scopeAt(f)
	request, _ := s.bind(op.Input, op.Shape, CodeBindingMissing)
	return Question{ID: r.ID(), Ref: r, Op: op, Frame: f.Path(), Request: request, Opened: f.entered, Deadline: f.until}, true
}

// Questions gives the open interrupts in structural order.
func (m *Machine) Questions() []Question {
	var list []Question
	if m.status != Running || m.asking == 0 {
		return nil
	}
	m.eachFrame(m.root, func(f *Frame) {
		if f.status == frameAsking {
			q, _ := m.Question(f.ref())
			list = append(list, q)
		}
	})
	return list
}

// RefusedError is why an answer was not taken. The interrupt stays open.
type RefusedError struct{ Failure *Failure }

func (e *RefusedError) Error() string { return e.Failure.Message }

// admitAnswer judges an answer as far as the commit of what it writes; it touches nothing.
func (m *Machine) admitAnswer(ev *Event) error {
	f := m.live(ev.Ref)
	if f == nil || f.status != frameAsking {
		return ErrStale
	}
	op := ev.Ref.At()
	at := slices.Index(op.Outcomes[:op.Declared], ev.Outcome)
	if at < 0 || int32(at) == op.Ask.TimedOut {
		return &RefusedError{failf(CodeUndeclaredOutcome, "the interrupt has no outcome "+quote(ev.Outcome)+" that can be answered")}
	}
	if fail := m.judgeAs("the payload", "", value.Size(ev.Output), 0); fail != nil {
		return &RefusedError{fail}
	}
	if check := op.Ask.Checks[at]; check != nil {
		if fail := check(ev.Output); fail != nil {
			return &RefusedError{&Failure{Code: CodePayloadInvalid, Message: fail.Message, Details: fail.Details}}
		}
	}
	if _, _, fail := m.route(f, f.pc, int32(at)); fail != nil {
		return nil // the answer is sound: the step fails by where it leads
	}
	st := step{op: f.pc, output: ev.Output}
	writes, fail := m.writes(f, st)
	if fail == nil {
		fail = m.tooMuch(f, st, writes)
	}
	m.changes = m.changes[:0]
	if fail != nil {
		return &RefusedError{fail}
	}
	return nil
}

func (m *Machine) resumed(ev *Event) {
	f := ev.Ref.frame
	m.stopTimer(f)
	m.effect(Effect{Kind: CloseInterrupt, Ref: ev.Ref})
	at := slices.Index(ev.Ref.At().Outcomes, ev.Outcome)
	m.finish(f, step{op: f.pc, output: ev.Output}, int32(at))
}

// unanswered ends an interrupt whose time is over; nothing is written.
func (m *Machine) unanswered(f *Frame) {
	m.effect(Effect{Kind: CloseInterrupt, Ref: f.ref()})
	m.finish(f, step{op: f.pc, silent: true}, f.flow.prog.Ops[f.pc].Ask.TimedOut)
}

// wait parks a frame until a point of time; one that has passed is waited for no more.
func (m *Machine) wait(f *Frame, op *Op) {
	until, fail := m.moment(f, op)
	switch {
	case fail != nil:
		m.fail(f, fail, true)
	case until <= m.now:
		m.finish(f, step{op: f.pc, entered: true}, 0)
	default:
		m.park(f, StepWaiting, until)
	}
}

// moment works out when a wait is over.
func (m *Machine) moment(f *Frame, op *Op) (int64, *Failure) {
	o, what := op.For, "seconds"
	if o == nil {
		o, what = op.Until, "until"
	}
	s := m.scopeAt(f)
	v, bad := s.read(o)
	switch {
	case bad != nil:
		return 0, failf(CodeInputInvalid, what+": "+bad.name+" is "+article(bad.kind)+", which does not fit here")
	case v.IsAbsent():
		return 0, failf(CodeBindingMissing, what+": "+o.Name+" is missing; give it a default")
	}
	if what == "until" {
		text, _ := v.AsString()
		at, ok := value.ParseTimestamp(text)
		if !ok {
			return 0, failf(CodeInputInvalid, "until: "+o.Name+" must be a point of time of the years 1678 to 2261, as \"2027-01-31T08:00:00Z\" (RFC 3339), but is "+describe(v))
		}
		return at, nil
	}
	n, err := strconv.ParseFloat(v.NumberText(), 64)
	if v.Kind() != value.KindNumber || err != nil || n < 0 || n*1e9 > float64(math.MaxInt64-m.now) {
		return 0, failf(CodeInputInvalid, "seconds: "+o.Name+" must be a number from 0 up to what the clock can tell, but is "+describe(v))
	}
	return m.now + int64(math.Ceil(n*1e9)), nil
}
