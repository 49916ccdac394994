package kernel

import (
	"strconv"
	"testing"

	"lda.chat/wf/internal/value"
)

// BenchmarkStep is one round of a loop: a call's result, a condition, the next call. Kept, the records stay in slabs as in
// a driver; dropped, they are overwritten. The difference is what the trace costs, three entries a round.
func BenchmarkStep(b *testing.B) {
	for name, slab := range map[string]int{"kept": 256, "dropped": 0} {
		b.Run(name, func(b *testing.B) { benchmarkStep(b, slab) })
	}
}

func benchmarkStep(b *testing.B, slab int) {
	p := loop(1<<60, to(0))
	p.MaxSteps = 0
	p.Ops[0].Writes = p.Ops[0].Writes[:1]
	m := New(p.Link())
	out := Out{}
	one := value.Object(value.Member{Key: "one", Value: value.Int(1)})
	if err := m.Step(&Event{Kind: Started, RunID: "r", Input: value.Object()}, &out); err != nil {
		b.Fatal(err)
	}
	ev := Event{Kind: CallCompleted, Outcome: "ok", Output: one}
	b.ReportAllocs()
	for b.Loop() {
		ev.Ref = out.Effects[len(out.Effects)-1].Ref
		out.Effects = out.Effects[:0]
		switch {
		case slab == 0:
			out.Record.Entries = out.Record.Entries[:0]
		case cap(out.Record.Entries)-len(out.Record.Entries) < 4:
			out.Record.Entries = make([]Entry, 0, slab)
		}
		if err := m.Step(&ev, &out); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkItem is one item of a parallel foreach, 16 at a time: started, called, answered, merged.
func BenchmarkItem(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			p := items(Fan{Limit: 16}, workOn(ToContinue)).Link()
			elements := make([]value.Value, n)
			for i := range elements {
				elements[i] = value.Int(int64(i))
			}
			in := value.Object(value.Member{Key: "items", Value: value.Array(elements...)})
			output := value.Object(value.Member{Key: "r", Value: value.Int(1)})
			b.ReportAllocs()
			for b.Loop() {
				m := New(p)
				var out Out
				var calls []Ref
				step := func(ev Event) {
					for {
						out.Record.Entries, out.Effects, out.Inputs = out.Record.Entries[:0], out.Effects[:0], nil
						if err := m.Step(&ev, &out); err != nil {
							b.Fatal(err)
						}
						for _, e := range out.Effects {
							if e.Kind == Call {
								calls = append(calls, e.Ref)
							}
						}
						if !out.More {
							return
						}
						ev = Event{Kind: Proceed}
					}
				}
				step(Event{Kind: Started, RunID: "run1", Input: in})
				for len(calls) > 0 {
					ref := calls[0]
					calls = calls[1:]
					step(Event{Kind: CallCompleted, Ref: ref, Outcome: "ok", Output: output})
				}
				if m.Status() != Completed {
					b.Fatal(m.Status())
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/item")
		})
	}
}
