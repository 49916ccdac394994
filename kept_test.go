package wf

import (
	"slices"
	"testing"

	"lda.chat/wf/internal/kernel"
)

// Records come back as they were kept, whatever their sizes do to the slabs, and a snapshot stays as it was.
func TestJournalGivesBackWhatItKept(t *testing.T) {
	t.Parallel()
	var j journal
	var want []int32
	sizes := []int{1, 0, 3, 40, 1, 0, 0, 9, 2, 300, 4, 4, 5, 1}
	keep := func(seq int64, n int) {
		var out kernel.Out
		j.room(&out)
		out.Record.Seq, out.Record.At, out.Record.Event = seq, 100*seq, kernel.Proceed
		for i := range n {
			out.Record.Entries = append(out.Record.Entries, kernel.Entry{Kind: kernel.StepDone, Op: int32(seq), Visit: int32(i)})
			want = append(want, int32(seq))
		}
		j.keep(&out.Record)
	}
	read := func(until int64) (got []int32) {
		seq := int64(0)
		for r := range j.snapshot() {
			seq++
			if r.Seq != seq || r.At != 100*seq || r.Event != kernel.Proceed {
				t.Fatalf("record %d: %+v", seq, r)
			}
			for i, e := range r.Entries {
				if e.Visit != int32(i) {
					t.Fatalf("record %d: entry %d is %+v", seq, i, e)
				}
				got = append(got, e.Op)
			}
		}
		if seq != until {
			t.Fatalf("%d records, want %d", seq, until)
		}
		return got
	}
	for i := range int64(100) {
		keep(i+1, sizes[i%int64(len(sizes))])
		switch i % 7 {
		case 3:
			j.trim()
		case 4:
			j.trim()
			j.lend(make([]kernel.Entry, 0, 12), make([]recordHead, 0, 12))
			j.trim()
		case 5:
			j.lend(make([]kernel.Entry, 0, 2), make([]recordHead, 0, 2))
		}
		if got := read(i + 1); !slices.Equal(got, want) {
			t.Fatalf("after record %d: entries of the records %v, want %v", i+1, got, want)
		}
	}
	early := j.snapshot()
	keep(101, 2)
	n := 0
	for range early {
		n++
	}
	if n != 100 {
		t.Errorf("a snapshot of 100 records gives %d once there are more", n)
	}
}
