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
	if v.Len() == 1 && v.Get(sharedKey).Kind() == value.KindNull {
		return value.Value{}
	}
	v, err := r.read(v)
	if err != nil {
		r.fail("%w", err)
	}
	return v
}
