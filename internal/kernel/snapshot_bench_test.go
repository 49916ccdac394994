package kernel

import (
	"strings"
	"testing"

	"lda.chat/wf/internal/value"
)

// BenchmarkSnapshot is of a state of 1 MB, all in small values, and of 1,000 open frames, of which each has added to a list
// that they share.
func BenchmarkSnapshot(b *testing.B) {
	element := func(i int) value.Value {
		return value.Object(value.Member{Key: "number", Value: value.Int(int64(i))}, value.Member{Key: "text", Value: value.String(strings.Repeat("x", 70))})
	}
	list := make([]value.Value, 10_000)
	for i := range list {
		list[i] = element(i)
	}
	of := func(over, out []value.Value, body ...Op) *Machine {
		m, res := New(items(Fan{}, body...).Link()), Out{}
		post := func(ev Event) {
			for {
				if err := m.Step(&ev, &res); err != nil {
					b.Fatal(err)
				}
				if !res.More {
					return
				}
				ev = Event{Kind: Proceed}
			}
		}
		post(Event{Kind: Started, RunID: "run", Input: value.Object(value.Member{Key: "items", Value: value.Array(over...)}, value.Member{Key: "out", Value: value.Array(out...)})})
		for _, e := range res.Effects {
			if e.Kind == Call && len(over) > 1 {
				post(Event{Kind: CallCompleted, Ref: e.Ref, Outcome: "ok", Output: value.Object(value.Member{Key: "r", Value: element(1)})})
			}
		}
		return m
	}
	again := workOn(ToContinue)
	again.ID = "again"
	for name, m := range map[string]*Machine{
		"1 MB":         of(list[:1], list, workOn(2), again),
		"1,000 frames": of(list[:1000], list[:100], workOn(2), again),
	} {
		text := m.Snapshot(nil)
		b.Run("write "+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				text = m.Snapshot(text[:0])
			}
			b.ReportMetric(float64(len(text)), "bytes")
		})
		b.Run("read "+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Restore(m.prog, text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
