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

// programs are what the fuzzers run, with an input for each.
func programs(t testing.TB) (list []*Program, inputs []value.Value) {
	return []*Program{everything(), regions()}, []value.Value{value.Object(), parse(t, `{"items":["a","b","c",{"d":1}]}`)}
}

// FuzzEvents sends events in any order, right and wrong, late and doubled. Whatever comes: no panic, a refused event
// changes nothing, the fold of the records is the machine, and a run ends once.
func FuzzEvents(f *testing.F) {
	f.Add(uint8(0), []byte{0, 1, 1, 1, 1})
	f.Add(uint8(0), []byte{0, 3, 5, 3, 5, 3, 5, 1})
	f.Add(uint8(0), []byte{0, 5, 5, 2, 9, 4, 7, 1, 1})
	f.Add(uint8(0), []byte{0, 1, 8, 8, 6})
	f.Add(uint8(1), []byte{4, 4, 5, 5, 1, 4, 1, 20, 4, 4, 3, 5, 1, 36, 4, 52, 4, 5, 5, 5, 7})
	f.Add(uint8(3), []byte{6, 6, 6, 4, 6, 5, 6, 6, 5, 1, 3, 6, 4, 5, 9, 8, 6, 6, 4})
	f.Fuzz(func(t *testing.T, which uint8, script []byte) {
		if len(script) > 200 {
			return
		}
		list, inputs := programs(t)
		w := newWorld(t, list[which%2])
		w.m.Budget = int(which / 2 % 8)
		w.m.Single = which >= 128
		w.start(inputs[which%2])
		z := &fuzzed{world: w}
		for _, b := range script {
			if w.m.Status().Ended() {
				break
			}
			w.at += int64(b) * second / 50
			z.event(b)
		}
		if !w.m.Status().Ended() {
			if err := w.post(Event{Kind: CancelRequested, Reason: "enough"}); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// fuzzed turns bytes into events.
type fuzzed struct {
	*world
	old []Ref // calls that are over
}

var fuzzOutputs = []string{`{"one":1,"line":"x","r":1}`, `{"one":"1","r":{"k":1}}`, `{}`, `[]`, `{"one":2.5,"line":null,"r":null}`}

func (z *fuzzed) event(b byte) {
	output := parse(z.t, fuzzOutputs[int(b/16)%len(fuzzOutputs)])
	switch {
	case b%10 == 5 && len(z.timers) > 0:
		z.fire()
	case b%10 == 6:
		_ = z.post(Event{Kind: Proceed})
	case b == 7:
		_ = z.post(Event{Kind: CancelRequested, Reason: "fuzz"})
	case b%10 == 8 && len(z.old) > 0: // a result nobody waits for, or a doubled one
		_ = z.post(Event{Kind: CallCompleted, Ref: z.old[int(b)%len(z.old)], Outcome: "ok", Output: output})
	case b%10 == 9:
		timer := Timer{Kind: TimerKind(b % 7)}
		if len(z.old) > 0 {
			timer.Ref = z.old[int(b)%len(z.old)]
		}
		_ = z.post(Event{Kind: TimerFired, Timer: timer})
	case b%10 == 4 && len(z.m.Questions()) > 0:
		qs := z.m.Questions()
		_ = z.post(Event{Kind: Resumed, Ref: qs[int(b/10)%len(qs)].Ref, Outcome: []string{"yes", "yes", "yes", "late", "no"}[b/20%5], Output: output})
	case len(z.calls) > 0:
		z.call(b, output)
	}
}

// call ends one of the calls that are out.
func (z *fuzzed) call(b byte, output value.Value) {
	at := int(b/10) % len(z.calls)
	c := z.calls[at]
	z.calls = append(z.calls[:at:at], z.calls[at+1:]...)
	z.old = append(z.old, c.Ref)
	ev := Event{Kind: CallCompleted, Ref: c.Ref, Outcome: []string{"ok", "ok", "skip", "odd", "ok"}[b%5], Output: output}
	if b%10 == 3 {
		ev = Event{Kind: CallFailed, Ref: c.Ref, Failure: &Failure{Code: []string{"handler_error", "broken"}[b/10%2], Message: "fuzz", Unknown: b/20%2 == 0}}
	}
	if err := z.post(ev); err != nil {
		z.t.Fatal(err)
	}
}

// recorded plays a run of each program, and gives its lines.
func recorded(f testing.TB) (list []*Program, lines [2][][]byte) {
	list, inputs := programs(f)
	w := newWorld(f, list[0])
	w.start(inputs[0])
	w.answer("work", "ok", parse(f, `{"one":1,"line":"x"}`))
	w.failCall("work", "handler_error")
	lines[0] = w.lines
	w = newWorld(f, list[1])
	w.start(inputs[1])
	z := &fuzzed{world: w}
	for i := 0; !w.m.Status().Ended() && i < 300; i++ {
		z.event([]byte{5, 4, 14, 1, 13, 13, 34, 4, 0, 1}[i%10])
	}
	lines[1] = w.lines
	return list, lines
}

// FuzzDecode reads damaged records behind sound ones: an error, never a panic, also when what was read is applied and the
// run goes on.
func FuzzDecode(f *testing.F) {
	list, lines := recorded(f)
	for which := range lines {
		for i, line := range lines[which] {
			f.Add(uint8(which), uint16(i), line)
		}
	}
	f.Add(uint8(0), uint16(1), []byte(`{"seq":2,"at":1,"event":"proceed","entries":[{"kind":"step_done","frame":"/","step":"bye","outcome":"gave_up"}]}`))
	f.Fuzz(func(t *testing.T, which uint8, after uint16, line []byte) {
		which %= 2
		sound := lines[which][:int(after)%(len(lines[which])+1)]
		m, err := Fold(list[which], sound)
		if err != nil {
			t.Fatal(err)
		}
		r, err := m.Decode(line)
		if err != nil {
			return
		}
		if err := m.Apply(r, func(*Entry, value.Value) {}); err != nil {
			return
		}
		m.Dump()
		m.Questions()
		goOn(m)
	})
}

// goOn lets a machine go on whose last record may be anything: as far as it can, then everything is answered, then it ends.
func goOn(m *Machine) {
	var out Out
	step := func(ev Event) {
		out = Out{}
		ev.At = m.Now() + second
		if m.Step(&ev, &out) == nil {
			m.Encode(nil, &out.Record)
		}
	}
	step(Event{Kind: Proceed})
	for range 20 {
		for _, e := range out.Effects {
			switch e.Kind {
			case Call:
				step(Event{Kind: CallCompleted, Ref: e.Ref, Outcome: "ok", Output: value.Object()})
			case SetTimer:
				step(Event{Kind: TimerFired, Timer: e.Timer})
			case OpenInterrupt:
				step(Event{Kind: Resumed, Ref: e.Ref, Outcome: "yes", Output: value.Object(value.Member{Key: "r", Value: value.Int(1)})})
			}
		}
	}
	m.Dump()
	step(Event{Kind: CancelRequested})
	m.Dump()
}
