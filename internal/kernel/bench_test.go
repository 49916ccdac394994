package kernel

import (
	"testing"

	"lda.chat/wf/internal/value"
)

// BenchmarkStep is one round of a loop: a call's result, a condition, the next call. Records are kept in slabs, as a
// driver does.
func BenchmarkStep(b *testing.B) {
	p := loop(1<<60, to(0)).Link()
	p.MaxSteps = 0
	p.Ops[0].Writes = p.Ops[0].Writes[:1]
	m := New(p)
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
		if len(out.Record.Entries) > 200 {
			out.Record.Entries = make([]Entry, 0, 256)
		}
		if cap(out.Writes)-len(out.Writes) < 4 {
			out.Writes = make([]Write, 0, 256)
		}
		if err := m.Step(&ev, &out); err != nil {
			b.Fatal(err)
		}
	}
}
