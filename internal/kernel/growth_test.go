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

// What a deep merge at the end of a region costs depends on what is merged, not on what was merged before.
func TestDeepMergesCostTheSame(t *testing.T) {
	cost := func(n int) uint64 {
		list := make([]value.Value, n)
		for i := range list {
			list[i] = value.Object(value.Member{Key: "k" + itoa(int64(i)), Value: value.Object(value.Member{Key: "x", Value: value.Int(int64(i))})})
		}
		f := mergedField{begun: true, val: value.Object(value.Member{Key: "before", Value: value.True})}
		prog := &Program{Fields: []Field{field("deep", OpDeepMerge)}}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for i := range list {
			if fail := f.take(nil, prog, &logged{bind: &WriteBind{}, op: OpDeepMerge, in: list[i]}, int32(i), nil); fail != nil {
				t.Fatal(fail)
			}
		}
		f.settle()
		runtime.ReadMemStats(&after)
		if f.val.Len() != n+1 || !value.Equal(f.val.Get("k1").Get("x"), value.Int(1)) {
			t.Fatalf("%d members", f.val.Len())
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	if few, many := cost(1000), cost(8000); many > 16*few {
		t.Errorf("1000 merges take %d bytes, 8000 take %d", few, many)
	}
}

// A tree merges as the values do, whatever replaces what.
func TestTreeMergesAsValuesDo(t *testing.T) {
	parts := []string{`{"a":{"b":1}}`, `{"a":5}`, `{"a":{"c":{"d":null}},"x":[1]}`, `{}`, `{"a":{"c":{}}}`, `{"x":{"y":1}}`, `{"a":{"c":7},"x":{"y":{"z":2}}}`, `{"a":{}}`}
	for i := range len(parts) * len(parts) * len(parts) * len(parts) {
		want := parse(t, parts[i%len(parts)])
		got := tree{val: want}
		for n := i / len(parts); n > 0; n /= len(parts) {
			in := parse(t, parts[n%len(parts)])
			want = deepMerge(want, in)
			got.merge(in)
		}
		if !value.Equal(got.value(), want) {
			t.Fatalf("%d: %s, expected %s", i, got.value(), want)
		}
	}
}

// An item that adds to a list costs the same however long the list is: where the items before it were dropped, and where it stood
// in the state before the region began.
func TestAddingCostsTheSameInLongLists(t *testing.T) {
	for name, c := range map[string]struct {
		fan     Fan
		outcome string // of the later half
		before  bool   // the list is as long already
	}{
		"after items that were dropped": {Fan{Serial: true, Limit: 1}, "drop", false},
		"in a list from before":         {Fan{Limit: 8}, "ok", true},
	} {
		bytes := func(n int) uint64 {
			list := make([]value.Value, n)
			for i := range list {
				list[i] = value.Int(int64(i))
			}
			input := []value.Member{{Key: "items", Value: value.Array(list...)}}
			if c.before {
				input = append(input, value.Member{Key: "out", Value: value.Array(list...)})
			}
			m, out := New(items(c.fan, workOn(ToContinue)).Link()), Out{}
			var calls []Ref
			step := func(ev Event) {
				out.Record.Entries, out.Effects = out.Record.Entries[:0], out.Effects[:0]
				if err := m.Step(&ev, &out); err != nil {
					t.Fatal(err)
				}
				for _, e := range out.Effects {
					if e.Kind == Call {
						calls = append(calls, e.Ref)
					}
				}
			}
			step(Event{Kind: Started, RunID: "run", Input: value.Object(input...)})
			answer := value.Object(value.Member{Key: "r", Value: value.Int(1)})
			var from, to runtime.MemStats
			runtime.ReadMemStats(&from)
			for i := 0; len(calls) > 0; i++ {
				r := calls[0]
				calls = calls[1:]
				ev := Event{Kind: CallCompleted, Ref: r, Outcome: "ok", Output: answer}
				if i > n/2 {
					ev.Outcome = c.outcome
				}
				step(ev)
			}
			runtime.ReadMemStats(&to)
			if m.Status() != Completed {
				t.Fatal(m.Status())
			}
			return (to.TotalAlloc - from.TotalAlloc) / uint64(n)
		}
		if few, many := bytes(500), bytes(8000); many > 2*few {
			t.Errorf("%s: %d bytes an item of 500, %d of 8,000", name, few, many)
		}
	}
}
