package kernel

import (
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
