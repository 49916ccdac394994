package kernel

import (
	"runtime"
	"testing"

	"lda.chat/wf/internal/value"
)

// What an item costs does not depend on how many there were before it, nor on one that has waited for an answer all along.
func TestItemsCostTheSameFromFirstToLast(t *testing.T) {
	const all, window = 100_000, 2_000
	p := items(Fan{Limit: 8}, Op{ID: "which", Kind: Cond, Outcomes: []string{"true", "false"}, Declared: 2, Keep: -1, Next: []Edge{to(2), to(3)},
		Check: &Condition{Op: Eq, Left: &Operand{Root: ItemAt, Name: "context.index.it"}, Right: &Operand{Lit: value.Int(0), Name: "0"}}},
		question("ask"), workOn(ToContinue))
	list := make([]value.Value, all+1)
	for i := range list {
		list[i] = value.Int(int64(i))
	}
	m := New(p.Link())
	var out Out
	var calls []Ref
	entries := 0
	step := func(ev Event) {
		out.Record.Entries, out.Effects = out.Record.Entries[:0], out.Effects[:0]
		if err := m.Step(&ev, &out); err != nil {
			t.Fatal(err)
		}
		entries += len(out.Record.Entries)
		for _, e := range out.Effects {
			if e.Kind == Call {
				calls = append(calls, e.Ref)
			}
		}
	}
	mallocs := func() uint64 {
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return s.Mallocs
	}
	answer := value.Object(value.Member{Key: "r", Value: value.Int(1)})
	some := func(n int) (allocations uint64, grown int) {
		before, had := mallocs(), entries
		for range n {
			r := calls[0]
			calls = calls[1:]
			step(Event{Kind: CallCompleted, Ref: r, Outcome: "ok", Output: answer})
		}
		return mallocs() - before, entries - had
	}
	step(Event{Kind: Started, RunID: "run", Input: value.Object(value.Member{Key: "items", Value: value.Array(list...)})})
	some(window)
	firstAllocations, firstEntries := some(window)
	some(all - 4*window)
	lastAllocations, lastEntries := some(window)
	if lastEntries != firstEntries {
		t.Errorf("%d items leave %d entries at first, %d at last", window, firstEntries, lastEntries)
	}
	if lastAllocations > firstAllocations+firstAllocations/10 {
		t.Errorf("%d items take %d allocations at first, %d at last", window, firstAllocations, lastAllocations)
	}
	some(window)
	if m.Status() != Interrupted {
		t.Fatalf("status %s with item 0 alone", m.Status())
	}
	step(Event{Kind: Resumed, Ref: m.Questions()[0].Ref, Outcome: "yes", Output: answer})
	if got := m.State().Get("all").Get("succeeded"); m.Status() != Completed || !value.Equal(got, value.Int(all+1)) {
		t.Fatalf("%s, %s items succeeded", m.Status(), got)
	}
}
