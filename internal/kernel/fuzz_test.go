package kernel

import (
	"testing"

	"lda.chat/wf/internal/value"
)

// everything is a program in which each kind of step and failure can happen.
func everything() *Program {
	p := loop(4, Edge{To: 0, Max: 6, Counter: 0, Exhausted: 2})
	p.MaxSteps, p.Timeout = 40, 1000*second
	p.Fields = append(p.Fields, field("problem", OpSet), field("set", OpUnion))
	p.Regions[0].Ops = 5
	work := &p.Ops[0]
	work.Outcomes, work.Declared, work.Next = []string{"ok", "skip", "caught"}, 2, []Edge{to(1), to(2), to(3)}
	work.Timeout = 5 * second
	work.Retry = &Retry{MaxAttempts: 3, Initial: second, Backoff: 2, MaxInterval: 4 * second, Total: 60 * second, On: []string{"handler_error", "timeout"}}
	work.Catch = []Catch{{Codes: []string{"handler_error", CodeReducerError}, Outcome: 2, Slot: 2}}
	p.Ops = append(p.Ops,
		Op{ID: "note", Kind: Set, Local: 2, Outcomes: []string{"done"}, Declared: 1, Next: []Edge{to(1)}, Keep: -1, Writes: []WriteBind{
			{Slot: 3, From: &Operand{Root: List, Parts: []Operand{stateOperand(1, "n")}, Name: "a list"}, Name: "a list"},
			{Slot: 2, Unset: true}, {Slot: 1, From: &Operand{Lit: value.Int(1)}, Name: "1"}}},
		Op{ID: "stop", Kind: Fail, Local: 3, Code: "given_up", Outcomes: []string{"again"}, Next: []Edge{to(4)}, Keep: -1,
			Message: &Operand{Root: Text, Parts: []Operand{{Lit: value.String("after ")}, stateOperand(1, "n")}},
			Catch:   []Catch{{Any: true, Outcome: 0, Slot: -1}}},
		Op{ID: "bye", Kind: End, Local: 4, Outcomes: []string{"gave_up"}, Keep: -1, Output: []Bind{{Target: path("n"), From: stateOperand(1, "n")}}},
	)
	return p
}

// FuzzEvents sends events in any order, right and wrong, late and doubled. Whatever comes: no panic, a refused event
// changes nothing, the fold of the records is the machine, and a run ends once.
func FuzzEvents(f *testing.F) {
	f.Add([]byte{0, 1, 1, 1, 1})
	f.Add([]byte{0, 3, 5, 3, 5, 3, 5, 1})
	f.Add([]byte{0, 5, 5, 2, 9, 4, 7, 1, 1})
	f.Add([]byte{0, 1, 8, 8, 6})
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) > 200 {
			return
		}
		w := newWorld(t, everything())
		w.start(value.Object())
		var old []Effect
		outputs := []string{`{"one":1,"line":"x"}`, `{"one":"1"}`, `{}`, `[]`, `{"one":2.5,"line":null}`}
		for i, b := range script {
			if w.m.Status().Ended() {
				break
			}
			w.at += int64(b) * second / 50
			output := parse(t, outputs[int(b/16)%len(outputs)])
			switch {
			case b%10 == 5 && len(w.timers) > 0:
				w.fire()
			case b%10 == 6:
				_ = w.post(Event{Kind: Proceed})
			case b%10 == 7 && i > 20:
				_ = w.post(Event{Kind: CancelRequested, Reason: "fuzz"})
			case b%10 == 8 && len(old) > 0: // a result nobody waits for, or a doubled one
				late := old[int(b)%len(old)]
				_ = w.post(Event{Kind: CallCompleted, Ref: late.Ref, Outcome: "ok", Output: output})
			case b%10 == 9:
				_ = w.post(Event{Kind: TimerFired, Timer: Timer{Kind: TimerKind(b % 3)}})
			case len(w.calls) > 0:
				c := w.take("work")
				old = append(old, c)
				ev := Event{Kind: CallCompleted, Ref: c.Ref, Outcome: []string{"ok", "ok", "skip", "caught", "ok"}[b%5], Output: output}
				if b%10 == 3 {
					ev = Event{Kind: CallFailed, Ref: c.Ref, Failure: &Failure{Code: "handler_error", Message: "fuzz"}}
				}
				if err := w.post(ev); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

// FuzzDecode reads damaged records: an error, never a panic, also when what was read is applied and the run goes on.
func FuzzDecode(f *testing.F) {
	w := newWorld(f, everything())
	w.start(value.Object())
	w.answer("work", "ok", parse(f, `{"one":1,"line":"x"}`))
	w.failCall("work", "handler_error")
	for _, line := range w.lines {
		f.Add(line)
	}
	f.Add([]byte(`{"seq":3,"at":1,"event":"proceed","entries":[{"kind":"step_done","frame":"/","step":"bye","outcome":"gave_up"}]}`))
	first := w.lines[0]
	f.Fuzz(func(t *testing.T, line []byte) {
		m := New(w.prog)
		for _, l := range [][]byte{first, line} {
			r, err := m.Decode(l)
			if err != nil {
				return
			}
			if err := m.Apply(r, func(*Entry, value.Value) {}); err != nil {
				return
			}
		}
		var out Out
		_ = m.Step(&Event{Kind: Proceed, At: 1}, &out)
		m.Dump()
		m.Encode(nil, &out.Record)
	})
}
