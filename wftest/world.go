package wftest

import (
	"cmp"
	"container/heap"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/internal/rig"
	"lda.chat/wf/internal/value"
)

// patience is how long a function may be at work, in real time.
const patience = time.Minute

// world is the clock of a test, and who makes its calls. A call waits for its turn, which the test's goroutine gives when
// nothing is at work.
type world struct {
	answer func(Call) Answer

	mu      sync.Mutex
	rested  *sync.Cond // busy has become 0, or patience is over
	busy    int
	now     time.Time
	seq     int
	queue   queue
	arrived []*visit // calls that have no answer yet
	working []*visit // whose turn it is
}

// visit is a call on its way.
type visit struct {
	Call
	ctx    context.Context
	answer Answer
	turn   chan struct{} // closed when it is its turn
	given  bool          // the turn, or that it needs none any more
}

// due is what happens at a time: the turn of a call, or a timer.
type due struct {
	at    time.Time
	visit *visit // nil: a timer
	fire  func()
	seq   int
	dead  bool
}

var _ rig.Rig = (*world)(nil)

func newWorld(now time.Time, answer func(Call) Answer) *world {
	w := &world{answer: answer, now: now}
	w.rested = sync.NewCond(&w.mu)
	return w
}

// Now implements [wf.Clock].
func (w *world) Now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

// AfterFunc implements [wf.Clock].
func (w *world) AfterFunc(d time.Duration, f func()) func() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	x := w.put(&due{at: w.now.Add(d), fire: f})
	return func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		stopped := !x.dead
		x.dead = true
		return stopped
	}
}

func (w *world) put(x *due) *due {
	w.seq++
	x.seq = w.seq
	heap.Push(&w.queue, x)
	return x
}

// Begin implements [rig.Rig].
func (w *world) Begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.busy++
}

// End implements [rig.Rig].
func (w *world) End() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rest()
}

func (w *world) rest() {
	if w.busy--; w.busy == 0 {
		w.rested.Broadcast()
	}
}

// Call implements [rig.Rig].
func (w *world) Call(ctx context.Context, ref string, input value.Value, real rig.Real) (string, value.Value, error) {
	at, _ := wf.CallFrom(ctx)
	v := &visit{ctx: ctx, turn: make(chan struct{}), Call: Call{
		RunID: at.RunID, Ref: ref, Step: at.Step, Frame: at.Frame, Visit: at.Visit, Attempt: at.Attempt, Input: input.JSON(),
	}}
	w.mu.Lock()
	w.arrived = append(w.arrived, v)
	w.rest()
	w.mu.Unlock()
	select {
	case <-v.turn:
	case <-ctx.Done():
		w.mu.Lock()
		if !v.given {
			v.given = true
			w.busy++
		}
		w.mu.Unlock()
		return "", value.Value{}, ctx.Err()
	}
	defer w.done(v)
	if v.answer.real {
		return real()
	}
	outcome, made, err := v.answer.make(ctx, v.Input)
	if err != nil {
		return "", value.Value{}, err
	}
	output, err := toValue(made)
	if err != nil {
		return "", value.Value{}, &wf.Error{Code: wf.CodeOutputInvalid, Message: "the stub's output: " + err.Error()}
	}
	return string(outcome), output, nil
}

func (w *world) done(v *visit) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.working = slices.DeleteFunc(w.working, func(x *visit) bool { return x == v })
}

// turn waits until nothing is at work, and lets the next thing happen that is due until a time. It tells whether there
// was one, or who has been at work for too long.
func (w *world) turn(until time.Time) (more bool, late string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if late := w.calm(); late != "" {
		return false, late
	}
	w.receive()
	x := w.next(until)
	if x == nil {
		return false, ""
	}
	if x.at.After(w.now) {
		w.now = x.at
	}
	w.busy++
	if v := x.visit; v != nil {
		v.given = true
		w.working = append(w.working, v)
		close(v.turn)
	} else {
		go func() {
			defer w.End()
			x.fire()
		}()
	}
	return true, w.calm()
}

// calm waits until nothing is at work; it names who still is after too long.
func (w *world) calm() (late string) {
	if w.busy == 0 {
		return ""
	}
	over := false
	stop := time.AfterFunc(patience, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		over = true
		w.rested.Broadcast()
	})
	defer stop.Stop()
	for w.busy > 0 {
		if over {
			names := []string{}
			for _, v := range w.working {
				names = append(names, v.Ref+" (step "+v.Step+", frame "+v.Frame+")")
			}
			return cmp.Or(strings.Join(names, ", "), "the runtime")
		}
		w.rested.Wait()
	}
	return ""
}

// receive gives the calls that have come their answers, in an order that does not depend on who came first.
func (w *world) receive() {
	slices.SortFunc(w.arrived, func(a, b *visit) int {
		return cmp.Or(comparePaths(a.RunID, b.RunID), comparePaths(a.Frame, b.Frame), strings.Compare(a.Step, b.Step),
			cmp.Compare(a.Visit, b.Visit), cmp.Compare(a.Attempt, b.Attempt))
	})
	for _, v := range w.arrived {
		if v.ctx.Err() != nil {
			continue // it was over before it was made
		}
		v.At = w.now
		v.answer = w.answer(v.Call)
		if !v.answer.never {
			w.put(&due{at: w.now.Add(v.answer.delay), visit: v})
		}
	}
	clear(w.arrived)
	w.arrived = w.arrived[:0]
}

// next takes the earliest thing out of the queue that is due until a time.
func (w *world) next(until time.Time) *due {
	for len(w.queue) > 0 {
		x := w.queue[0]
		switch {
		case x.dead, x.visit != nil && (x.visit.given || x.visit.ctx.Err() != nil):
			heap.Pop(&w.queue)
		case x.at.After(until):
			return nil
		default:
			heap.Pop(&w.queue)
			x.dead = true
			return x
		}
	}
	return nil
}

// reach moves the time on.
func (w *world) reach(t time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if t.After(w.now) {
		w.now = t
	}
}

// queue is a heap of what is due, the earliest first; at one time calls before timers.
type queue []*due

func (q queue) Len() int      { return len(q) }
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q queue) Less(i, j int) bool {
	a, b := q[i], q[j]
	if !a.at.Equal(b.at) {
		return a.at.Before(b.at)
	}
	if (a.visit == nil) != (b.visit == nil) {
		return a.visit != nil
	}
	return a.seq < b.seq
}
func (q *queue) Push(x any) { *q = append(*q, x.(*due)) }
func (q *queue) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	return x
}

// comparePaths orders texts with numbers in them as people do: /each[2] comes before /each[10].
func comparePaths(a, b string) int {
	digits := func(s string) int {
		n := 0
		for n < len(s) && s[n] >= '0' && s[n] <= '9' {
			n++
		}
		return n
	}
	for a != "" && b != "" {
		if x, y := digits(a), digits(b); x > 0 && y > 0 {
			p, q := strings.TrimLeft(a[:x], "0"), strings.TrimLeft(b[:y], "0")
			if c := cmp.Or(cmp.Compare(len(p), len(q)), strings.Compare(p, q)); c != 0 {
				return c
			}
			a, b = a[x:], b[y:]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

// toValue makes a value of JSON text or a Go value; nil is the empty object.
func toValue(x any) (value.Value, error) {
	switch x := x.(type) {
	case nil:
		return value.Object(), nil
	case value.Value:
		return x, nil
	case string:
		return value.Parse([]byte(x))
	}
	text, err := json.Marshal(x)
	if err != nil {
		return value.Value{}, err
	}
	return value.Parse(text)
}
