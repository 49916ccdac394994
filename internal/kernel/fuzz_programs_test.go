package kernel

import (
	"errors"

	"lda.chat/wf/internal/value"
)

// regions is a program with every kind of step that has frames, or parks one: twice at most, a foreach, in its items a fork,
// in one branch of that a question, in the other a wait and then a workflow with a call and a question of its own.
func regions() *Program {
	inChild := &Program{
		Workflow: "inner", MaxSteps: 30, Timeout: 300 * second,
		Fields:  []Field{field("in", OpSet), field("got", OpAppend)},
		Regions: []Region{{Owner: -1, Ops: 3, Kept: 1}},
		Ops: []Op{
			{ID: "work", Kind: Node, Outcomes: []string{"ok", "odd"}, Declared: 2, Next: []Edge{to(1), to(2)}, Keep: 0, Once: true,
				Input: []Bind{{Target: path("it"), From: *input("in")}}, Shape: value.NewShape("it"), Timeout: 40 * second,
				Retry:  &Retry{MaxAttempts: 2, Initial: second, Backoff: 1, MaxInterval: second, On: []string{"handler_error"}},
				Writes: []WriteBind{{Slot: 1, Source: path("r"), Name: "local.r"}}},
			question("sign"),
			{ID: "bye", Kind: End, Local: 2, Outcomes: []string{"other"}, Keep: -1},
		},
		Output: []Bind{{Target: path("r"), From: stateOperand(1, "got"), Optional: true}},
	}
	sign := &inChild.Ops[1]
	sign.Local, sign.Next, sign.Input, sign.Shape = 1, []Edge{to(ToEnd), to(2)}, nil, nil
	sign.Writes = []WriteBind{{Slot: 1, Source: path("r"), Name: "local.r", Absent: AbsentKeep}}
	all := []Edge{to(2), to(2), to(2), to(2), to(2), to(2)}
	ask := question("ask")
	ask.Region, ask.Timeout, ask.Input = 2, 30*second, []Bind{{Target: path("who"), From: Operand{Root: Item, Index: 0, Name: "item.it"}}}
	ask.Outcomes, ask.Ask.TimedOut = []string{"yes", "late"}, 1
	ask.Next[1] = to(ToDiscard)
	ask.Writes = append(ask.Writes, WriteBind{Slot: 4, Source: path("r"), Name: "local.r", Absent: AbsentKeep})
	p := &Program{
		Workflow: "regions", MaxSteps: 120, Timeout: 2000 * second,
		Fields: []Field{field("out", OpAppend), field("all", OpSet), field("problem", OpSet), {Name: "host", Declared: true, Op: OpHost, Shared: true},
			{Name: "deep", Declared: true, Op: OpDeepMerge}},
		Reduce: []func(old, in value.Value) (value.Value, error){func(old, in value.Value) (value.Value, error) {
			if in.Kind() == value.KindNull {
				return in, errors.New("it is null")
			}
			return value.Array(old, in), nil
		}},
		Regions: []Region{{Owner: -1, Ops: 2, Kept: 1, Counters: 1}, {Owner: 0, Start: 1, Scope: 1, Ops: 2, Kept: 2}, {Owner: 1, Start: 3, Scope: 1, Ops: 1},
			{Owner: 1, Start: 4, Scope: 1, Ops: 2}},
		Ops: []Op{
			{ID: "each", Kind: Foreach, Outcomes: []string{"item", "done", "unmet", "timed_out", "caught"}, Declared: 4, Keep: 0,
				Next: []Edge{to(1), to(6), to(6), to(6), to(6)}, Timeout: 200 * second,
				Retry: &Retry{MaxAttempts: 2, Initial: second, Backoff: 1, MaxInterval: second, On: []string{"broken"}},
				Catch: []Catch{{Any: true, Outcome: 4, Slot: 2}}, Writes: []WriteBind{{Slot: 1, Name: "local"}},
				Fan: &Fan{Over: input("items"), Body: 1, Limit: 2, Complete: 3, OnError: Collect, Done: 1, Unmet: 2, TimedOut: 3, Join: -1,
					Result: &Operand{Root: Steps, Index: 3, Name: "steps.ask"}}},
			{ID: "split", Kind: Fork, Region: 1, Outcomes: []string{"a", "b", "done", "unmet", "timed_out", "caught"}, Declared: 5, Keep: 1, Next: all,
				Timeout: 100 * second, Catch: []Catch{{Codes: []string{"broken", CodeMergeConflict}, Outcome: 5, Slot: -1}},
				Fan: &Fan{Done: 2, Unmet: 3, TimedOut: 4, Join: 2, Body: -1, Branches: []Branch{{Name: "a", Region: 2}, {Name: "b", Region: 3,
					When: &Condition{Op: Exists, Left: &Operand{Root: Item, Index: 0, Name: "item.it"}}}}}},
			{ID: "meet", Kind: Join, Region: 1, Local: 1, Outcomes: []string{"done", "unmet", "timed_out", "caught"}, Declared: 4, Keep: -1, Fork: 1,
				Next: []Edge{to(ToContinue), to(ToDiscard), to(ToContinue), to(ToContinue)}},
			ask,
			{ID: "nap", Kind: Wait, Region: 3, Outcomes: []string{"done"}, Declared: 1, Keep: -1, Next: []Edge{to(5)}, For: &Operand{Lit: value.Int(5), Name: "5"}},
			{ID: "sub", Kind: Subgraph, Region: 3, Local: 1, Outcomes: []string{"ok", "other", "caught"}, Declared: 2, Keep: -1,
				Next: []Edge{to(ToContinue), to(ToContinue), to(ToDiscard)}, Child: inChild,
				Input: []Bind{{Target: path("in"), From: Operand{Root: Item, Index: 0, Name: "item.it"}}}, Shape: value.NewShape("in"),
				Retry:  &Retry{MaxAttempts: 2, Initial: second, Backoff: 1, MaxInterval: second, On: []string{"timeout"}},
				Catch:  []Catch{{Codes: []string{CodeInDoubt}, Outcome: 2, Slot: -1}},
				Writes: []WriteBind{{Slot: 3, Source: path("r"), Name: "local.r"}, {Slot: 0, Source: path("r"), Name: "local.r"}}},
			{ID: "more", Kind: Cond, Local: 1, Outcomes: []string{"true", "false"}, Declared: 2, Keep: -1,
				Next:  []Edge{{To: 0, Max: 1, Counter: 0, Exhausted: ToEnd}, to(ToEnd)},
				Check: &Condition{Op: Exists, Left: &Operand{Root: State, Index: 0, Name: "state.out"}}},
		},
		Output: []Bind{{Target: path("all"), From: stateOperand(1, "all"), Optional: true}},
	}
	p.Ops[3].Keep = 1
	p.Ops[1].Keep = 0
	inChild.Link()
	return p
}
