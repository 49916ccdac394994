package kernel

import (
	"strings"
	"testing"

	"lda.chat/wf/internal/value"
)

// A run that waits is taken over by another plan if that has what it needs; if not, the error says what is missing.
func TestRestoreUnderAnotherPlan(t *testing.T) {
	t.Parallel()
	const three = `{"items":["a","b","c"]}`
	called := func(w *world) { w.start(parse(w.t, three)) }
	answered := func(w *world) {
		called(w)
		w.answerAt("/each[1]", "ok", `{"r":1}`)
	}
	forked := func(w *world) { w.start(parse(w.t, `{"items":["a"]}`)) }
	inner := func(w *world) {
		forked(w)
		w.fire()
	}
	plain := func() *Program { return items(Fan{Limit: 2}, workOn(ToContinue)) }
	serial := func() *Program { return items(Fan{Serial: true, Limit: 1}, workOn(ToContinue)) }
	asking := func() *Program {
		p := items(Fan{}, question("ask"))
		p.Ops[1].Timeout = 10 * second
		return p
	}
	timed := func() *Program {
		p := plain()
		p.Ops[0].Timeout = 10 * second
		return p
	}
	for name, c := range map[string]struct {
		plan   func() *Program
		play   func(*world)
		change func(*Program)
		want   string // of the error, "" if there is none
		check  func(*testing.T, *Machine)
	}{
		"the same": {plan: plain, play: answered},
		"no such step": {plain, called, func(p *Program) { p.Ops[1].ID = "do" },
			`the plan has no step "work", in which frame /each[0] waits`, nil},
		"no such step around": {plain, called, func(p *Program) { p.Ops[0].ID = "all" },
			`the plan has no step "each", in which frame / waits`, nil},
		"another kind of step": {plain, called, func(p *Program) { p.Ops[1].Kind = Set },
			`step "work" of the plan is of the kind set, and frame /each[0] is "calling" in it`, nil},
		"in another place": {plain, called, func(p *Program) { p.Ops[1].Region = 0 },
			`the plan has step "work" in another place than frame /each[0], which waits in it`, nil},
		"a field with a value": {plain, answered, func(p *Program) { p.Fields[0].Name = "outs" },
			`the workflow "items" has no state field "out", which has a value in frame /`, nil},
		"a field without a value": {plan: plain, play: answered, change: func(p *Program) { p.Fields[1].Name = "first" }},
		"a new field": {plan: plain, play: called, change: func(p *Program) {
			p.Fields[1].Default = value.Int(5) // it was known, and absent
			p.Fields = append(p.Fields, Field{Name: "fresh", Default: value.Int(7)})
		}, check: func(t *testing.T, m *Machine) {
			if got := m.State().String(); got != `{"fresh":7}` {
				t.Errorf("state %s", got)
			}
		}},
		"an input that cannot be made": {plain, called, func(p *Program) { p.Ops[1].Input[0].From = stateOperand(1, "last") },
			`frame /each[0] is in step "work", whose input cannot be made as the plan has it: /it is required, but state.last is missing`, nil},
		"one after the other": {plain, called, func(p *Program) { p.Ops[0].Fan.Serial, p.Ops[0].Fan.Limit = true, 1 },
			`items of step "each" are under way in frame /`, nil},
		"side by side": {serial, answeredFirst, func(p *Program) { p.Ops[0].Fan.Serial, p.Ops[0].Fan.Limit = false, 0 },
			`items of step "each" are under way in frame /`, nil},
		"more room": {plan: plain, play: called, change: func(p *Program) { p.Ops[0].Fan.Limit = 3 }, check: func(t *testing.T, m *Machine) {
			var out Out
			if err := m.Step(&Event{Kind: Proceed}, &out); err != nil || len(out.Effects) != 1 || out.Effects[0].Ref.ID() != "/each[2]/work" {
				t.Errorf("%v, effects %v", err, told(out.Effects))
			}
		}},
		"enough already": {plan: plain, play: answered, change: func(p *Program) { p.Ops[0].Fan.Complete = 1 }, check: func(t *testing.T, m *Machine) {
			var out Out
			if err := m.Step(&Event{Kind: Proceed}, &out); err != nil || m.Status() != Completed {
				t.Errorf("%v, status %s", err, m.Status())
			}
		}},
		"no timeout any more": {plan: asking, play: called, change: func(p *Program) {
			p.Ops[1].Timeout, p.Ops[1].Ask.TimedOut = 0, -1
		}, check: func(t *testing.T, m *Machine) {
			if qs := m.Questions(); len(qs) != 3 || qs[0].Deadline != 0 {
				t.Errorf("questions %+v", qs)
			}
		}},
		"no timeout of a region any more": {plan: timed, play: called, change: func(p *Program) {
			p.Ops[0].Timeout, p.Ops[0].Fan.TimedOut = 0, -1
		}, check: func(t *testing.T, m *Machine) {
			var out Out
			for _, e := range m.Outstanding() {
				if e.Kind == SetTimer {
					if err := m.Step(&Event{Kind: TimerFired, Timer: e.Timer}, &out); err != nil {
						t.Fatal(err)
					}
				}
			}
			if fail, _ := m.Failure(); fail == nil || fail.Code != CodeTimeout {
				t.Errorf("the run is %s: %+v", m.Status(), fail)
			}
		}},
		"no such branch": {regions, forked, func(p *Program) { p.Ops[1].Fan.Branches[1].Name = "bee" },
			`step "split" of the plan has no branch "b", which is under way in frame /each[0]`, nil},
		"branches in another order": {regions, forked, func(p *Program) {
			b := p.Ops[1].Fan.Branches
			b[0], b[1] = b[1], b[0]
		}, `the plan has the branches of step "split" in another order than frame /each[0], in which they are under way`, nil},
		"no such step inside": {regions, inner, func(p *Program) { p.Ops[5].Child.Ops[0].ID = "do"; p.Ops[5].Child.Link() },
			`the plan has no step "work", in which frame /each[0]/split:b/sub waits`, nil},
		"the step before is gone": {plan: regions, play: inner, change: func(p *Program) { p.Ops[4].ID = "doze" }, check: func(t *testing.T, m *Machine) {
			m.Below(m.Root(), func(f *Frame) {
				if f.Path() == "/each[0]/split:b" && (f.priorOp >= 0 || f.visits[0] != 0) {
					t.Errorf("it still was in %d, %d times", f.priorOp, f.visits[0])
				}
			})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, c.plan())
			c.play(w)
			other := c.plan()
			if c.change != nil {
				c.change(other)
			}
			m, err := Restore(other.Link(), w.m.Snapshot(nil))
			switch {
			case c.want == "" && err != nil:
				t.Fatal(err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Fatalf("found %v, expected %s", err, c.want)
			case c.check != nil:
				c.check(t, m)
			}
			if m != nil {
				goOn(m)
			}
		})
	}
}

func answeredFirst(w *world) {
	w.start(parse(w.t, `{"items":["a","b","c"]}`))
	w.answerAt("/each[0]", "ok", `{"r":1}`)
}
