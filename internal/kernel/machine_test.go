package kernel

import (
	"testing"

	"lda.chat/wf/internal/value"
)

const second = int64(1e9)

func field(name string, op Operation) Field { return Field{Name: name, Declared: true, Op: op} }

func path(keys ...string) value.Path {
	var p value.Path
	for _, k := range keys {
		p = append(p, value.Part{Key: k})
	}
	return p
}

func to(next int32) Edge { return Edge{To: next, Counter: -1, Exhausted: ToNowhere} }

func stateOperand(slot int32, name string) Operand {
	return Operand{Root: State, Index: slot, Name: "state." + name}
}

func parse(t testing.TB, text string) value.Value {
	t.Helper()
	v, err := value.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// loop is: work (adds one to n, appends to log) → more (n < limit) → work again, or the end.
func loop(limit int64, edge Edge) *Program {
	return &Program{
		Workflow: "loop", MaxSteps: 10000,
		Fields:  []Field{field("log", OpAppend), {Name: "n", Declared: true, Op: OpAdd, Default: value.Int(0)}},
		Regions: []Region{{Owner: -1, Ops: 2, Kept: 1, Counters: 1}},
		Ops: []Op{
			{ID: "work", Kind: Node, Outcomes: []string{"ok"}, Declared: 1, Next: []Edge{to(1)}, Keep: 0,
				Input:  []Bind{{Target: path("n"), From: stateOperand(1, "n")}},
				Shape:  value.NewShape("n"),
				Writes: []WriteBind{{Slot: 1, Source: path("one"), Name: "local.one"}, {Slot: 0, Source: path("line"), Name: "local.line"}}},
			{ID: "more", Kind: Cond, Local: 1, Outcomes: []string{"true", "false"}, Declared: 2, Keep: -1, Next: []Edge{edge, to(ToEnd)},
				Check: &Condition{Op: Lt, Left: &Operand{Root: State, Index: 1, Name: "state.n"}, Right: &Operand{Lit: value.Int(limit), Name: "the limit"}}},
		},
		Output: []Bind{{Target: path("n"), From: stateOperand(1, "n")},
			{Target: path("last"), From: Operand{Root: Steps, Index: 0, Path: path("line"), Name: "steps.work.line"}, Optional: true}},
	}
}

func TestLoopRunsToItsEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t, loop(3, to(0)))
	w.start(parse(t, `{"unused": true}`))
	for i := range 3 {
		c := w.answer("work", "ok", parse(t, `{"one": 1, "line": "x"}`))
		if got := c.Input.Value().String(); got != string(value.Object(value.Member{Key: "n", Value: value.Int(int64(i))}).JSON()) {
			t.Fatalf("input %s in round %d", got, i)
		}
	}
	w.wantStatus(Completed)
	w.wantState(`{"log":["x","x","x"],"n":3}`)
	if got := w.m.Output().String(); got != `{"last":"x","n":3}` {
		t.Fatalf("output %s", got)
	}
	if w.m.Outcome() != "ok" || w.m.Steps() != 6 {
		t.Fatalf("outcome %q after %d steps", w.m.Outcome(), w.m.Steps())
	}
}

func TestMaxVisits(t *testing.T) {
	t.Parallel()
	answer := `{"one": 1, "line": "x"}`
	t.Run("exhausted leads on", func(t *testing.T) {
		w := newWorld(t, loop(100, Edge{To: 0, Max: 2, Counter: 0, Exhausted: ToEnd}))
		w.start(value.Object())
		for range 3 {
			w.answer("work", "ok", parse(t, answer))
		}
		w.wantStatus(Completed)
	})
	t.Run("without it the step fails", func(t *testing.T) {
		w := newWorld(t, loop(100, Edge{To: 0, Max: 2, Counter: 0, Exhausted: ToNowhere}))
		w.start(value.Object())
		for range 3 {
			w.answer("work", "ok", parse(t, answer))
		}
		w.wantFailure(CodeLimitExceeded, "more")
		w.wantState(`{"log":["x","x","x"],"n":3}`)
	})
	t.Run("and can catch it", func(t *testing.T) {
		p := loop(100, Edge{To: 0, Max: 1, Counter: 0, Exhausted: ToNowhere})
		p.Ops[1].Catch = []Catch{{Codes: []string{CodeLimitExceeded}, Outcome: 1, Slot: -1}}
		w := newWorld(t, p)
		w.start(value.Object())
		for range 2 {
			w.answer("work", "ok", parse(t, answer))
		}
		w.wantStatus(Completed)
	})
}

func TestMaxStepsStopsAtTheStepNotTaken(t *testing.T) {
	t.Parallel()
	p := loop(100, to(0))
	p.MaxSteps = 5
	p.Ops[0].Catch = []Catch{{Any: true, Outcome: 0, Slot: -1}} // the run's limits cannot be caught
	w := newWorld(t, p)
	w.start(value.Object())
	for range 3 {
		w.answer("work", "ok", parse(t, `{"one": 1, "line": "x"}`))
	}
	w.wantFailure(CodeLimitExceeded, "more")
	if w.m.Steps() != 5 {
		t.Fatalf("took %d steps", w.m.Steps())
	}
	w.wantState(`{"log":["x","x","x"],"n":3}`)
}

func retrying(r *Retry) *Program {
	p := loop(1, to(0))
	p.Ops[0].Retry = r
	return p
}

func TestRetryWaitsAndRepeatsTheSameCall(t *testing.T) {
	t.Parallel()
	p := retrying(&Retry{MaxAttempts: 4, Initial: second, Backoff: 2, MaxInterval: 3 * second, On: []string{"handler_error"}})
	w := newWorld(t, p)
	w.start(value.Object())
	first := w.failCall("work", "handler_error")
	key := w.m.key(first.Ref.StepRef)
	for _, most := range []int64{1, 2, 3} { // doubled, then capped; the jitter only shortens
		from := w.at
		if timer := w.fire(); timer.Kind != BackoffTimer {
			t.Fatalf("timer %v", timer.Kind)
		}
		if waited := w.at - from; waited > most*second || waited < most*second*4/5 {
			t.Fatalf("waited %d ns, want %d s less at most a fifth", waited, most)
		}
		if most < 3 {
			c := w.failCall("work", "handler_error")
			if !value.Equal(c.Input.Value(), first.Input.Value()) || w.m.key(c.Ref.StepRef) != key {
				t.Fatalf("attempt %d is another call: %s %s", c.Ref.Attempt, c.Input.Value(), w.m.key(c.Ref.StepRef))
			}
		}
	}
	w.failCall("work", "handler_error")
	w.wantFailure("handler_error", "work")
	if _, at := w.m.Failure(); at.Attempts != 4 {
		t.Fatalf("%d attempts", at.Attempts)
	}
}

func TestRetryOnlyWhatThePolicyNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t, retrying(&Retry{MaxAttempts: 3, Initial: second, Backoff: 2, MaxInterval: second, On: []string{"transport"}}))
	w.start(value.Object())
	w.failCall("work", "output_invalid")
	w.wantFailure("output_invalid", "work")
}

func TestTotalTimeBoundsAllAttempts(t *testing.T) {
	t.Parallel()
	p := retrying(&Retry{MaxAttempts: 100, Initial: 10 * second, Backoff: 1, MaxInterval: 10 * second, Total: 25 * second, On: []string{"handler_error", "timeout"}})
	w := newWorld(t, p)
	w.start(value.Object())
	began := w.at
	for w.m.Status() == Running {
		if len(w.calls) > 0 {
			w.failCall("work", "handler_error")
			continue
		}
		w.fire()
	}
	w.wantFailure("handler_error", "work")
	if took := w.at - began; took > 25*second {
		t.Fatalf("took %d ns", took)
	}
}

func TestTimeoutOfOneAttempt(t *testing.T) {
	t.Parallel()
	p := retrying(&Retry{MaxAttempts: 2, Initial: second, Backoff: 2, MaxInterval: second, On: []string{"timeout"}})
	p.Ops[0].Timeout = 5 * second
	w := newWorld(t, p)
	w.start(value.Object())
	slow := w.calls[0]
	w.fire() // the attempt
	w.refused(Event{Kind: CallCompleted, Ref: slow.Ref, Outcome: "ok", Output: parse(t, `{"one": 1, "line": "late"}`)}, ErrStale)
	w.fire() // the back-off
	w.refused(Event{Kind: CallCompleted, Ref: slow.Ref, Outcome: "ok", Output: parse(t, `{"one": 1, "line": "later"}`)}, ErrStale)
	w.answer("work", "ok", parse(t, `{"one": 1, "line": "in time"}`))
	w.wantStatus(Completed)
	w.wantState(`{"log":["in time"],"n":1}`)
}

func TestOnceIsNotRepeatedUnlessItSurelyDidNothing(t *testing.T) {
	t.Parallel()
	p := retrying(&Retry{MaxAttempts: 5, Initial: second, Backoff: 2, MaxInterval: second, On: []string{"timeout", "handler_error"}})
	p.Ops[0].Once, p.Ops[0].Timeout = true, second
	w := newWorld(t, p)
	w.start(value.Object())
	w.fire() // no result
	w.wantFailure(CodeInDoubt, "work")

	w = newWorld(t, p)
	w.start(value.Object())
	w.failCall("work", "handler_error") // it failed, which does not say that it did nothing
	w.wantFailure("handler_error", "work")

	w = newWorld(t, p)
	w.start(value.Object())
	c := w.take("work")
	if err := w.post(Event{Kind: CallFailed, Ref: c.Ref, Failure: &Failure{Code: "handler_error", Message: "refused", Unsent: true}}); err != nil {
		t.Fatal(err)
	}
	w.fire() // it surely did nothing: the back-off
	w.answer("work", "ok", parse(t, `{"one": 1, "line": "x"}`))
	w.wantStatus(Completed)

	p.Ops[0].Catch = []Catch{{Codes: []string{"timeout"}, Outcome: 0, Slot: -1}} // a catch sees the code first
	w = newWorld(t, p)
	w.start(value.Object())
	w.fire()
	if c := w.take("work"); c.Ref.Visit != 2 { // caught, and the plan went on and came round again
		t.Fatalf("visit %d", c.Ref.Visit)
	}
}

func TestCatch(t *testing.T) {
	t.Parallel()
	p := loop(1, to(0))
	p.Fields = append(p.Fields, field("problem", OpSet))
	p.Ops[0].Outcomes = []string{"ok", "unavailable"}
	p.Ops[0].Next = []Edge{to(1), to(ToEnd)}
	p.Ops[0].Catch = []Catch{{Codes: []string{"timeout"}, Outcome: 0, Slot: -1}, {Any: true, Outcome: 1, Slot: 2}}
	w := newWorld(t, p)
	w.start(value.Object())
	w.failCall("work", "no_such_file")
	w.wantStatus(Completed)
	w.wantState(`{"n":0,"problem":{"attempts":1,"code":"no_such_file","frame":"/","message":"no luck","step":"work"}}`)

	w = newWorld(t, p)
	w.start(value.Object())
	w.answer("work", "unavailable", value.Object()) // only the catch may use it
	w.wantStatus(Completed)
	if got := w.m.State().Get("problem").Get("code").String(); got != `"undeclared_outcome"` {
		t.Fatalf("caught %s", got)
	}
}

func TestNothingIsWrittenWhenAStepFails(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edit    func(*Program)
		outcome string
		output  string
		code    string
	}{
		"undeclared outcome":     {func(*Program) {}, "maybe", `{"one":1,"line":"x"}`, CodeUndeclaredOutcome},
		"unwired outcome":        {func(p *Program) { p.Ops[0].Next[0] = to(ToNowhere) }, "ok", `{"one":1,"line":"x"}`, CodeUnwiredOutcome},
		"reducer":                {func(*Program) {}, "ok", `{"line":"x","one":"1"}`, CodeReducerError},
		"missing, must be there": {func(p *Program) { p.Ops[0].Writes[1].Absent = AbsentFail }, "ok", `{"one":1}`, CodeOutputInvalid},
		"state check": {func(p *Program) {
			p.Fields[0].Check = func(value.Value) *Failure { return failf("x", "must be short") }
		}, "ok", `{"one":1,"line":"x"}`, CodeStateInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := loop(5, to(0))
			c.edit(p)
			w := newWorld(t, p)
			w.start(value.Object())
			w.answer("work", c.outcome, parse(t, c.output))
			w.wantFailure(c.code, "work")
			w.wantState(`{"n":0}`)
		})
	}
}

func TestCancelEndsWhateverTheRunDoes(t *testing.T) {
	t.Parallel()
	p := retrying(&Retry{MaxAttempts: 3, Initial: second, Backoff: 2, MaxInterval: second, On: []string{"handler_error"}})
	p.Ops[0].Timeout = second
	p.Timeout = 100 * second
	for name, prepare := range map[string]func(*world){
		"calling":  func(*world) {},
		"back-off": func(w *world) { w.failCall("work", "handler_error") },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, p)
			w.start(value.Object())
			prepare(w)
			if err := w.post(Event{Kind: CancelRequested, Reason: "enough"}); err != nil {
				t.Fatal(err)
			}
			w.wantStatus(Cancelled)
			w.refused(Event{Kind: CancelRequested}, ErrState)
			w.refused(Event{Kind: Proceed}, ErrState)
		})
	}
}

func TestRunTimeout(t *testing.T) {
	t.Parallel()
	p := loop(100, to(0))
	p.Timeout = 10 * second
	p.Ops[0].Catch = []Catch{{Any: true, Outcome: 0, Slot: -1}}
	w := newWorld(t, p)
	w.start(value.Object())
	w.answer("work", "ok", parse(t, `{"one": 1, "line": "x"}`))
	if timer := w.fire(); timer.Kind != RunTimer {
		t.Fatalf("timer %v", timer)
	}
	w.wantFailure(CodeTimeout, "work")
}

func TestSingleStepsAndBudget(t *testing.T) {
	t.Parallel()
	p := loop(2, to(0))
	w := newWorld(t, p)
	w.m.Single = true
	w.start(value.Object())
	if len(w.calls) != 0 || !w.out.More {
		t.Fatal("a step was taken before anybody asked")
	}
	for range 2 {
		if err := w.post(Event{Kind: Proceed}); err != nil {
			t.Fatal(err)
		}
		w.answer("work", "ok", parse(t, `{"one": 1, "line": "x"}`))
		if err := w.post(Event{Kind: Proceed}); err != nil {
			t.Fatal(err)
		}
	}
	w.wantStatus(Completed)
}

func TestAbsentOutputUnsetsOrLeavesAlone(t *testing.T) {
	t.Parallel()
	p := loop(2, to(0))
	p.Fields = append(p.Fields, field("token", OpSet))
	p.Ops[0].Writes = append(p.Ops[0].Writes, WriteBind{Slot: 2, Source: path("token"), Name: "local.token"})
	w := newWorld(t, p)
	w.start(value.Object())
	w.answer("work", "ok", parse(t, `{"one": 1, "line": "x", "token": "t1"}`))
	w.wantState(`{"log":["x"],"n":1,"token":"t1"}`)
	w.answer("work", "ok", parse(t, `{"one": 1}`)) // the accumulating log keeps, the token goes
	w.wantState(`{"log":["x"],"n":2}`)
}

func TestStartFillsTheState(t *testing.T) {
	t.Parallel()
	w := newWorld(t, loop(10, to(0)))
	w.start(parse(t, `{"n": 7, "other": 1, "log": ["from the input"]}`))
	w.wantState(`{"log":["from the input"],"n":7}`)
}
