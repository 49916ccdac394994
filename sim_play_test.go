package wf

import (
	"errors"
	"fmt"

	"pgregory.net/rapid"

	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/internal/value"
)

// simPlay is how a run is played: who comes first, what goes wrong.
type simPlay struct {
	seed uint64 // of the answers
	wild bool   // timeouts, cancels
	t    *rapid.T
	salt uint64 // mixes the choices, which rapid would rather have small; 0 when it shrinks
	step uint64
}

func newSimPlay(t *rapid.T, seed uint64, wild bool) *simPlay {
	return &simPlay{seed: seed, wild: wild, t: t, salt: rapid.Uint64().Draw(t, "salt")}
}

func (p *simPlay) n(k int) int {
	if k <= 1 {
		return 0
	}
	p.step++
	n := uint64(rapid.IntRange(0, k-1).Draw(p.t, "play"))
	if p.salt != 0 {
		n += simHash(p.salt, fmt.Sprint(p.step)) >> 1
	}
	return int(n % uint64(k))
}

// often is true with k of 16 chances; shrinking makes it false.
func (p *simPlay) often(k int) bool { return p.n(16) >= 16-k }

// mostMoves bounds a run that is played; one that is longer is cancelled.
const mostMoves = 1500

// play runs a machine to its end.
func (p *simPlay) play(w *simWorld, input value.Value) {
	w.live.Budget = p.n(11)
	w.live.Single = p.often(2)
	if err := w.post("start", kernel.Event{Kind: kernel.Started, RunID: "sim", Input: input}); err != nil {
		w.t.Fatalf("the run does not start: %v", err)
	}
	for moves := 0; !w.live.Status().Ended(); moves++ {
		w.at += int64(p.n(4)) * 700_000_000
		switch {
		case moves > mostMoves || p.wild && p.often(1) && p.often(3):
			p.cancel(w)
		case w.more && !p.often(3):
			p.must(w, "proceed", kernel.Event{Kind: kernel.Proceed})
		case p.often(2):
			p.noise(w)
		case p.often(1):
			w.reload()
		default:
			p.move(w)
		}
	}
	p.late(w)
}

// must posts an event that has to be taken.
func (p *simPlay) must(w *simWorld, what string, ev kernel.Event) {
	if err := w.post(what, ev); err != nil {
		w.t.Fatalf("%s was refused: %v", what, err)
	}
}

func (p *simPlay) cancel(w *simWorld) {
	p.must(w, "cancel", kernel.Event{Kind: kernel.CancelRequested, Reason: "enough"})
	if w.live.Status() != kernel.Cancelled {
		w.t.Fatalf("a cancelled run is %s", w.live.Status())
	}
}

// move lets one of the things that are out come to its end.
func (p *simPlay) move(w *simWorld) {
	due := w.due(p.wild)
	n := len(w.calls) + len(w.asks) + len(due)
	if n == 0 {
		if w.more {
			p.must(w, "proceed", kernel.Event{Kind: kernel.Proceed})
		}
		return
	}
	i := p.n(n)
	if i < len(w.calls) {
		p.finishCall(w, i)
		return
	}
	if i -= len(w.calls); i < len(w.asks) {
		p.answer(w, w.asks[i])
		return
	}
	p.fire(w, due[i-len(w.asks)])
}

// due gives the timers that may fire: in a tame run those that let a frame go on; in a wild one the earliest, whatever it is.
func (w *simWorld) due(wild bool) []kernel.Effect {
	var list []kernel.Effect
	for _, e := range w.timers {
		switch {
		case !wild && (e.Timer.Kind == kernel.BackoffTimer || e.Timer.Kind == kernel.WaitTimer):
			list = append(list, e)
		case wild && len(list) == 0:
			list = []kernel.Effect{e}
		case wild && e.At < list[0].At:
			list[0] = e
		}
	}
	return list
}

func (p *simPlay) fire(w *simWorld, e kernel.Effect) {
	w.timers = w.remove(w.timers, "timer", func(t kernel.Effect) bool { return t.Timer == e.Timer })
	w.at = max(w.at, e.At)
	p.must(w, "fire "+simTimerName(e.Timer), kernel.Event{Kind: kernel.TimerFired, Timer: e.Timer})
}

func (p *simPlay) finishCall(w *simWorld, i int) {
	c := w.calls[i]
	id := c.Ref.ID()
	w.calls = w.remove(w.calls, "call", func(x kernel.Effect) bool { return x.Ref == c.Ref })
	w.old = append(w.old, c.Ref)
	if fail := simCallFails(p.seed, id, int(c.Ref.Attempt)); fail != nil {
		p.must(w, "fail "+attemptName(c.Ref)+" "+fail.code, kernel.Event{Kind: kernel.CallFailed, Ref: c.Ref, Failure: fail.failure()})
		return
	}
	op := c.Ref.At()
	outcomes := make([]Outcome, op.Declared)
	for k := range outcomes {
		outcomes[k] = Outcome(op.Outcomes[k])
	}
	outcome, output := simCall(p.seed, id, wordless(c.Input.Values[0]).String(), outcomes)
	p.must(w, "complete "+attemptName(c.Ref), kernel.Event{Kind: kernel.CallCompleted, Ref: c.Ref, Outcome: string(outcome), Output: output})
}

// answer answers a question, sometimes wrongly first, which leaves it open.
func (p *simPlay) answer(w *simWorld, r kernel.Ref) {
	op := r.At()
	var outcomes []Outcome
	for k := range op.Declared {
		if k != op.Ask.TimedOut {
			outcomes = append(outcomes, Outcome(op.Outcomes[k]))
		}
	}
	outcome, payload := simAnswer(p.seed, r.ID(), outcomes)
	wrong := kernel.Event{Kind: kernel.Resumed, Ref: r, Outcome: string(outcome), Output: payload}
	var refusal *kernel.RefusedError
	switch p.n(6) {
	case 4:
		wrong.Output = value.Object()
	case 5:
		wrong.Outcome = "late"
	}
	if wrong.Outcome != string(outcome) || wrong.Output.Len() == 0 {
		if err := w.post("answer wrongly "+r.ID(), wrong); !errors.As(err, &refusal) {
			w.t.Fatalf("a wrong answer was not refused: %v", err)
		}
	}
	if found, ok := w.live.Find(r.ID()); !ok || found != r {
		w.t.Fatalf("the open interrupt %s is not found", r.ID())
	}
	p.must(w, "answer "+r.ID(), kernel.Event{Kind: kernel.Resumed, Ref: r, Outcome: string(outcome), Output: payload})
	if err := w.post("answer again", kernel.Event{Kind: kernel.Resumed, Ref: r, Outcome: string(outcome), Output: payload}); err == nil {
		w.t.Fatalf("an interrupt was answered twice: %s", r.ID())
	}
}

// noise is what the world may say at any time: things that nobody waits for.
func (p *simPlay) noise(w *simWorld) {
	switch p.n(3) {
	case 0:
		p.must(w, "proceed", kernel.Event{Kind: kernel.Proceed})
	case 1:
		p.late(w)
	case 2:
		if err := w.post("start again", kernel.Event{Kind: kernel.Started, RunID: "other", Input: value.Object()}); err == nil {
			w.t.Fatalf("a run was started twice")
		}
	}
}

// late brings results again, or of calls that were given up.
func (p *simPlay) late(w *simWorld) {
	if len(w.old) == 0 {
		return
	}
	r := w.old[p.n(len(w.old))]
	if r == (kernel.Ref{}) {
		return
	}
	ev := kernel.Event{Kind: kernel.CallCompleted, Ref: r, Outcome: "ok", Output: value.Object()}
	if p.often(8) {
		ev = kernel.Event{Kind: kernel.CallFailed, Ref: r, Failure: &kernel.Failure{Code: "late"}}
	}
	if p.often(4) {
		ev = kernel.Event{Kind: kernel.TimerFired, Timer: kernel.Timer{Kind: kernel.AttemptTimer, Ref: r}}
	}
	if err := w.post("late", ev); !errors.Is(err, kernel.ErrStale) {
		w.t.Fatalf("a late result of %s was taken: %v", attemptName(r), err)
	}
}
