package kernel

import (
	"slices"

	"lda.chat/wf/internal/value"
)

// DoubtPolicy says what becomes of a call that must not be made twice and of which nobody knows whether it happened.
type DoubtPolicy uint8

// The policies.
const (
	DoubtFails   DoubtPolicy = iota // the step fails with the code in_doubt
	DoubtAsks                       // the frame is parked until somebody decides
	DoubtRetries                    // the call is made again, a few times at most
)

var doubtNames = [...]string{"fail", "ask", "retry"}

// mostDeliveries is how often a call is made at the most without a result of any, where nothing else bounds it.
const mostDeliveries = 5

// Verdict is what was decided about a doubt.
type Verdict uint8

// The verdicts.
const (
	VerdictResult Verdict = iota // it happened: Outcome and Output are its result
	VerdictAgain                 // make the call again
	VerdictFail                  // the step fails with the code in_doubt
)

// Doubt is a call that may have happened.
type Doubt struct {
	ID      string
	Ref     Ref
	Op      *Op
	Frame   string
	Key     string // the call's idempotency key
	Input   value.Value
	Failure *Failure
	Since   int64 // when the step was entered, unix nanoseconds
}

// doubtful gives the failure of a call that may have happened and must not be made twice.
func doubtful(fail *Failure) *Failure {
	return &Failure{Code: CodeInDoubt, Cause: fail.Cause,
		Message: "the call may have happened, and must not be made twice: " + fail.Message,
		Details: value.Object(value.Member{Key: "cause", Value: value.String(fail.Code)})}
}

// doubt does with a doubt that no catch takes what the policy says, and gives the failure that is left, nil if none is.
func (m *Machine) doubt(f *Frame, fail *Failure) *Failure {
	switch {
	case m.Doubts == DoubtAsks:
		m.emit(Entry{Kind: StepDoubted, Frame: f, Op: f.pc, Visit: f.visit, Attempt: f.attempt, Rare: &Rare{Failure: fail}})
		return nil
	case m.Doubts == DoubtRetries && f.attempt >= mostDeliveries:
		return &Failure{Code: CodeCrashLoop, Details: fail.Details, Cause: fail.Cause,
			Message: "the call was made " + itoa(int64(f.attempt)) + " times and never gave a result: " + fail.Message}
	case m.Doubts == DoubtRetries:
		m.emit(Entry{Kind: StepRetrying, Frame: f, Op: f.pc, Visit: f.visit, Attempt: f.attempt, Rare: &Rare{Failure: fail, Until: m.now}})
		m.again(f)
		return nil
	}
	return fail
}

// FindDoubt gives the call in doubt with an id.
func (m *Machine) FindDoubt(id string) (Ref, bool) { return m.find(id, frameDoubting) }

// DoubtOf tells about a call in doubt; ok is false if it is none any more.
func (m *Machine) DoubtOf(r Ref) (d Doubt, ok bool) {
	f := m.live(r)
	if f == nil || f.status != frameDoubting {
		return d, false
	}
	input, _ := m.input(f, r.At(), nil) // it could be bound when the step was entered, and nothing of it has changed
	return Doubt{ID: r.ID(), Ref: r, Op: r.At(), Frame: f.Path(), Key: m.key(r.StepRef), Input: input.Value(), Failure: f.doubt(), Since: f.entered}, true
}

// OpenDoubts gives the calls in doubt, in structural order.
func (m *Machine) OpenDoubts() []Doubt {
	if m.status != Running || m.asking == 0 {
		return nil
	}
	var list []Doubt
	m.eachFrame(m.root, func(f *Frame) {
		if f.status == frameDoubting {
			d, _ := m.DoubtOf(f.ref())
			list = append(list, d)
		}
	})
	return list
}

// admitVerdict judges a decision as far as the commit of what it writes; it touches nothing.
func (m *Machine) admitVerdict(ev *Event) error {
	f := m.live(ev.Ref)
	if f == nil || f.status != frameDoubting {
		return ErrStale
	}
	if ev.Verdict != VerdictResult {
		return nil
	}
	op := ev.Ref.At()
	at := slices.Index(op.Outcomes[:op.Declared], ev.Outcome)
	if at < 0 {
		return &RefusedError{failf(CodeUndeclaredOutcome, "the step has no outcome "+quote(ev.Outcome))}
	}
	_, _, _, fail := m.leaving(f, step{op: f.pc, output: ev.Output}, int32(at))
	m.changes = m.changes[:0]
	if fail != nil {
		return &RefusedError{fail}
	}
	return nil
}

func (m *Machine) decided(ev *Event) {
	f := ev.Ref.frame
	switch ev.Verdict {
	case VerdictAgain:
		m.resume(f)
	case VerdictFail:
		m.giveUp(f, f.pc, f.visit, false, f.doubt())
	default:
		at := slices.Index(ev.Ref.At().Outcomes, ev.Outcome)
		m.finish(f, step{op: f.pc, output: ev.Output, extra: ev.Extra}, int32(at))
	}
}
