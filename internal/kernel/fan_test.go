package kernel

import (
	"fmt"
	"strings"
	"testing"

	"lda.chat/wf/internal/value"
)

func input(keys ...string) *Operand {
	return &Operand{Root: Input, Path: path(keys...), Name: "input." + strings.Join(keys, ".")}
}

// items is: each (over input.items) { work } → the end. work's output goes to out (append), its input is the item.
func items(fan Fan, body ...Op) *Program {
	fan.Over, fan.Body, fan.Done, fan.Unmet, fan.TimedOut = input("items"), 1, 1, 2, 3
	p := &Program{
		Workflow: "items", MaxSteps: 1_000_000,
		Fields:  []Field{field("out", OpAppend), field("last", OpSet), field("all", OpSet)},
		Regions: []Region{{Owner: -1, Ops: 1}, {Owner: 0, Start: 1, Scope: 1, Ops: int32(len(body))}},
		Ops: []Op{{ID: "each", Kind: Foreach, Outcomes: []string{"item", "done", "unmet", "timed_out"}, Declared: 4, Keep: -1,
			Next: []Edge{to(1), to(ToEnd), to(ToEnd), to(ToEnd)}, Fan: &fan, Writes: []WriteBind{{Slot: 2, Name: "local"}}}},
		Output: []Bind{{Target: path("all"), From: stateOperand(2, "all"), Optional: true}},
	}
	for i := range body {
		body[i].Region, body[i].Local = 1, int32(i)
	}
	p.Ops = append(p.Ops, body...)
	return p
}

// workOn calls with the item, and appends what it is given.
func workOn(next int32) Op {
	return Op{ID: "work", Kind: Node, Outcomes: []string{"ok", "drop"}, Declared: 2, Next: []Edge{to(next), to(ToDiscard)}, Keep: -1,
		Input: []Bind{{Target: path("it"), From: Operand{Root: Item, Index: 0, Name: "item.it"}}}, Shape: value.NewShape("it"),
		Writes: []WriteBind{{Slot: 0, Source: path("r"), Name: "local.r"}}}
}

func question(id string) Op {
	return Op{ID: id, Kind: Interrupt, Outcomes: []string{"yes", "late"}, Declared: 2, Next: []Edge{to(ToContinue), to(ToContinue)}, Keep: -1,
		Input: []Bind{{Target: path("who"), From: Operand{Root: Item, Index: 0, Name: "item.it"}}}, Shape: value.NewShape("who"),
		Writes: []WriteBind{{Slot: 0, Source: path("r"), Name: "local.r", Absent: AbsentKeep}},
		Ask: &Ask{Kind: "approval", TimedOut: 1, Checks: []func(value.Value) *Failure{func(v value.Value) *Failure {
			if v.Get("r").IsAbsent() {
				return failf("payload", "r is missing")
			}
			return nil
		}, nil}}}
}

// answerAt answers the call that is out in a frame.
func (w *world) answerAt(frame, outcome, output string) {
	w.t.Helper()
	for i, c := range w.calls {
		if c.Ref.Frame().Path() == frame {
			w.calls = append(w.calls[:i], w.calls[i+1:]...)
			if err := w.post(Event{Kind: CallCompleted, Ref: c.Ref, Outcome: outcome, Output: parse(w.t, output)}); err != nil {
				w.t.Fatal(err)
			}
			return
		}
	}
	w.t.Fatalf("no call is out in %s, but %s", frame, w.ids())
}

func (w *world) failAt(frame, code string) {
	w.t.Helper()
	for i, c := range w.calls {
		if c.Ref.Frame().Path() == frame {
			w.calls = append(w.calls[:i], w.calls[i+1:]...)
			if err := w.post(Event{Kind: CallFailed, Ref: c.Ref, Failure: &Failure{Code: code, Message: "no luck"}}); err != nil {
				w.t.Fatal(err)
			}
			return
		}
	}
	w.t.Fatalf("no call is out in %s, but %s", frame, w.ids())
}

func (w *world) ids() string {
	var ids []string
	for _, c := range w.calls {
		ids = append(ids, c.Ref.ID())
	}
	return strings.Join(ids, " ")
}

func (w *world) wantOut(want string) {
	w.t.Helper()
	if got := w.ids(); got != want {
		w.t.Fatalf("out is %q, want %q", got, want)
	}
}

func TestForeach(t *testing.T) {
	t.Parallel()
	three := `{"items":["a","b","c"]}`
	t.Run("empty", func(t *testing.T) {
		w := newWorld(t, items(Fan{}, workOn(ToContinue)))
		w.start(parse(t, `{"items":[]}`))
		w.wantStatus(Completed)
		w.wantState(`{"all":{"count":0,"errors":[],"failed":0,"succeeded":0}}`)
	})
	t.Run("serial", func(t *testing.T) {
		w := newWorld(t, items(Fan{Serial: true, Limit: 1}, workOn(ToContinue)))
		w.start(parse(t, three))
		for i, it := range []string{"a", "b", "c"} {
			w.wantOut(fmt.Sprintf("/each[%d]/work", i))
			if got := w.calls[0].Input.Value().String(); got != `{"it":"`+it+`"}` {
				t.Fatalf("input %s", got)
			}
			w.answerAt(fmt.Sprintf("/each[%d]", i), "ok", fmt.Sprintf(`{"r":%d}`, i))
		}
		w.wantStatus(Completed)
		w.wantState(`{"all":{"count":3,"errors":[],"failed":0,"succeeded":3},"out":[0,1,2]}`)
	})
	t.Run("parallel in item order", func(t *testing.T) {
		p := items(Fan{Result: &Operand{Root: Item, Name: "item.it"}}, workOn(ToContinue))
		w := newWorld(t, p)
		w.start(parse(t, three))
		w.wantOut("/each[0]/work /each[1]/work /each[2]/work")
		w.answerAt("/each[2]", "ok", `{"r":2}`)
		w.answerAt("/each[0]", "ok", `{"r":0}`)
		w.wantState(`{}`)
		w.answerAt("/each[1]", "drop", `{"r":1}`)
		w.wantStatus(Completed)
		w.wantState(`{"all":{"count":3,"errors":[],"failed":0,"results":["a","c"],"succeeded":2},"out":[0,2]}`)
	})
	t.Run("limit", func(t *testing.T) {
		w := newWorld(t, items(Fan{Limit: 2}, workOn(ToContinue)))
		w.start(parse(t, three))
		w.wantOut("/each[0]/work /each[1]/work")
		w.answerAt("/each[1]", "ok", `{"r":1}`)
		w.wantOut("/each[0]/work /each[2]/work")
	})
	t.Run("fail", func(t *testing.T) {
		w := newWorld(t, items(Fan{}, workOn(ToContinue)))
		w.start(parse(t, three))
		w.answerAt("/each[0]", "ok", `{"r":0}`)
		w.failAt("/each[1]", "broken")
		w.wantFailure("broken", "work")
		w.wantState(`{}`)
	})
	t.Run("collect", func(t *testing.T) {
		w := newWorld(t, items(Fan{OnError: Collect}, workOn(ToContinue)))
		w.start(parse(t, three))
		w.failAt("/each[1]", "broken")
		w.answerAt("/each[0]", "ok", `{"r":0}`)
		w.answerAt("/each[2]", "ok", `{"r":2}`)
		w.wantStatus(Completed)
		w.wantState(`{"all":{"count":3,"errors":[{"code":"broken","index":1,"item":"b","message":"no luck"}],"failed":1,"succeeded":2},"out":[0,2]}`)
	})
	t.Run("complete", func(t *testing.T) {
		w := newWorld(t, items(Fan{OnError: Collect, Complete: 2}, workOn(ToContinue)))
		w.start(parse(t, three))
		w.answerAt("/each[0]", "ok", `{"r":0}`)
		w.answerAt("/each[2]", "ok", `{"r":2}`)
		w.wantStatus(Completed)
		w.wantState(`{"all":{"count":3,"errors":[],"failed":0,"succeeded":2},"out":[0,2]}`)
	})
	t.Run("unmet", func(t *testing.T) {
		w := newWorld(t, items(Fan{OnError: Collect, Complete: 3}, workOn(ToContinue)))
		w.start(parse(t, three))
		w.failAt("/each[1]", "broken")
		w.wantStatus(Completed)
		if _, outcome := w.m.Prior(); outcome != "unmet" {
			t.Fatal(outcome)
		}
	})
	t.Run("timed out", func(t *testing.T) {
		p := items(Fan{}, workOn(ToContinue))
		p.Ops[0].Timeout = second
		w := newWorld(t, p)
		w.start(parse(t, three))
		w.answerAt("/each[2]", "ok", `{"r":2}`)
		w.fire()
		w.wantState(`{"all":{"count":3,"errors":[],"failed":0,"succeeded":1},"out":[2]}`)
		w.wantStatus(Completed)
	})
	t.Run("retry of the region", func(t *testing.T) {
		p := items(Fan{}, workOn(ToContinue))
		p.Ops[0].Retry = &Retry{MaxAttempts: 2, Initial: second, Backoff: 2, MaxInterval: second, On: []string{"broken"}}
		w := newWorld(t, p)
		w.start(parse(t, three))
		w.answerAt("/each[0]", "ok", `{"r":0}`)
		w.failAt("/each[1]", "broken")
		w.wantOut("")
		w.fire()
		w.wantOut("/each~2[0]/work /each~2[1]/work /each~2[2]/work")
		w.failAt("/each~2[1]", "broken")
		w.wantFailure("broken", "work")
	})
	t.Run("not an array", func(t *testing.T) {
		w := newWorld(t, items(Fan{}, workOn(ToContinue)))
		w.start(parse(t, `{"items":{}}`))
		w.wantFailure(CodeNotArray, "each")
	})
	t.Run("conflict", func(t *testing.T) {
		body := workOn(ToContinue)
		body.Writes[0].Slot = 1
		w := newWorld(t, items(Fan{}, body))
		w.start(parse(t, three))
		for i := range 3 {
			w.answerAt(fmt.Sprintf("/each[%d]", i), "ok", `{"r":1}`)
		}
		w.wantFailure(CodeMergeConflict, "each")
		w.wantState(`{}`)
	})
	t.Run("cancel", func(t *testing.T) {
		w := newWorld(t, items(Fan{}, workOn(ToContinue)))
		w.start(parse(t, three))
		if err := w.post(Event{Kind: CancelRequested, Reason: "enough"}); err != nil {
			t.Fatal(err)
		}
		w.wantStatus(Cancelled)
	})
}

func TestQuestionsInItems(t *testing.T) {
	t.Parallel()
	p := items(Fan{Limit: 2}, question("ask"), workOn(ToContinue))
	p.Ops[1].Next[0] = to(2)
	w := newWorld(t, p)
	w.start(parse(t, `{"items":["a","b","c","d"]}`))
	qs := w.m.Questions()
	if len(qs) != 4 || qs[1].ID != "/each[1]/ask" || qs[1].Request.String() != `{"who":"b"}` {
		t.Fatalf("%+v", qs)
	}
	w.wantStatus(Interrupted)
	answer := func(id, payload string) error {
		ref, ok := w.m.Find(id)
		if !ok {
			return ErrStale
		}
		return w.post(Event{Kind: Resumed, Ref: ref, Outcome: "yes", Output: parse(t, payload)})
	}
	if err := answer("/each[1]/ask", `{}`); err == nil {
		t.Fatal("a bad answer was taken")
	}
	for _, id := range []string{"/each[3]/ask", "/each[1]/ask"} {
		if err := answer(id, `{"r":"yes"}`); err != nil {
			t.Fatal(err)
		}
	}
	if err := answer("/each[1]/ask", `{"r":"yes"}`); err != ErrStale {
		t.Fatalf("answered twice: %v", err)
	}
	w.wantOut("/each[3]/work /each[1]/work")
	for _, id := range []string{"/each[2]/ask", "/each[0]/ask"} { // no room: they wait
		if err := answer(id, `{"r":"yes"}`); err != nil {
			t.Fatal(err)
		}
	}
	w.wantOut("/each[3]/work /each[1]/work")
	w.answerAt("/each[3]", "ok", `{"r":3}`)
	w.wantOut("/each[1]/work /each[0]/work")
	w.answerAt("/each[1]", "ok", `{"r":1}`)
	w.answerAt("/each[0]", "ok", `{"r":0}`)
	w.answerAt("/each[2]", "ok", `{"r":2}`)
	w.wantStatus(Completed)
	w.wantState(`{"all":{"count":4,"errors":[],"failed":0,"succeeded":4},"out":["yes",0,"yes",1,"yes",2,"yes",3]}`)
}

// An item that opens a region keeps its room: nobody else begins in between.
func TestRoomIsKeptWhileARegionOpens(t *testing.T) {
	t.Parallel()
	inner := Op{ID: "inner", Kind: Foreach, Outcomes: []string{"item", "done"}, Declared: 2, Keep: -1, Next: []Edge{to(2), to(ToContinue)},
		Fan: &Fan{Over: input("two"), Body: 2, Limit: 1, Done: 1, Unmet: -1, TimedOut: -1}}
	p := items(Fan{Limit: 1}, inner, workOn(ToContinue))
	p.Regions[1].Ops = 1
	p.Regions = append(p.Regions, Region{Owner: 1, Start: 2, Scope: 2, Ops: 1})
	p.Ops[2].Region, p.Ops[2].Local = 2, 0
	w := newWorld(t, p)
	w.start(parse(t, `{"items":["a","b"],"two":[1,2]}`))
	for _, want := range []string{"/each[0]/inner[0]", "/each[0]/inner[1]", "/each[1]/inner[0]", "/each[1]/inner[1]"} {
		w.wantOut(want + "/work")
		w.answerAt(want, "ok", `{"r":1}`)
	}
	w.wantStatus(Completed)
}

// An answer whose edge was taken too often is taken: the step fails, it does not wait for ever.
func TestAnswerBehindALimit(t *testing.T) {
	t.Parallel()
	ask := question("ask")
	ask.Next[0] = Edge{To: 1, Max: 1, Counter: 0, Exhausted: ToNowhere}
	p := items(Fan{}, ask)
	p.Regions[1].Counters = 1
	w := newWorld(t, p)
	w.start(parse(t, `{"items":["a"]}`))
	for range 2 {
		if err := w.post(Event{Kind: Resumed, Ref: w.m.Questions()[0].Ref, Outcome: "yes", Output: parse(t, `{"r":1}`)}); err != nil {
			t.Fatal(err)
		}
	}
	w.wantFailure(CodeLimitExceeded, "ask")
}

// An attempt takes too long and is to be made again, and in the very same event its foreach has enough: nothing is left behind.
func TestTimerOfARetryIsCancelledInTheEventThatSetIt(t *testing.T) {
	t.Parallel()
	body := workOn(ToContinue)
	body.Timeout = second
	body.Retry = &Retry{MaxAttempts: 2, Initial: second, Backoff: 2, MaxInterval: second, On: []string{CodeTimeout}}
	p := items(Fan{OnError: Collect, Complete: 1}, Op{ID: "which", Kind: Cond, Outcomes: []string{"true", "false"}, Declared: 2, Keep: -1,
		Next:  []Edge{to(2), to(ToContinue)},
		Check: &Condition{Op: Eq, Left: &Operand{Root: ItemAt, Name: "context.index.it"}, Right: &Operand{Lit: value.Int(0), Name: "0"}}}, body)
	m := New(p.Link())
	m.Budget = 1
	timers := map[Timer]bool{}
	step := func(ev Event) {
		var out Out
		if err := m.Step(&ev, &out); err != nil {
			t.Fatal(err)
		}
		delete(timers, ev.Timer)
		for _, e := range out.Effects {
			switch e.Kind {
			case SetTimer:
				timers[e.Timer] = true
			case CancelTimer:
				delete(timers, e.Timer)
			}
		}
	}
	step(Event{Kind: Started, RunID: "run", Input: parse(t, `{"items":["a","b"]}`)})
	for len(timers) == 0 {
		step(Event{Kind: Proceed})
	}
	m.Budget = 100
	for timer := range timers {
		step(Event{Kind: TimerFired, Timer: timer, At: 2 * second})
	}
	if m.Status() != Completed || len(timers) > 0 {
		t.Fatalf("status %s, %d timers left", m.Status(), len(timers))
	}
}
