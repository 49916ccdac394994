package wf_test

import (
	"context"
	"testing"
	"testing/synctest"

	"lda.chat/wf"
	"lda.chat/wf/internal/corpus"
	"lda.chat/wf/internal/golden"
	"lda.chat/wf/internal/value"
	"lda.chat/wf/store"
)

// Every case is played on a journal too: the calls, the trace and the end are the same as in memory.
func TestCorpusOnJournal(t *testing.T) {
	t.Parallel()
	cases, err := corpus.Load("internal/corpus/testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			for _, moves := range []bool{false, true} {
				synctest.Test(t, func(t *testing.T) {
					d := &journalDriver{runtimeDriver: newRuntimeDriver(t, c), moves: moves}
					d.journal = store.NewMemory(&store.MemoryOptions{Now: d.Now})
					d.rt = d.runtime()
					var drive corpus.Driver
					if d.workflow != nil {
						drive = d
					}
					c.Play(t, d.findings, drive, !golden.Updating())
				})
			}
		})
	}
}

// journalDriver drives a run on a journal. If it moves, another runtime takes over whenever the run waits for nothing but an
// answer; none of them has seen more of the run than the journal.
type journalDriver struct {
	*runtimeDriver
	moves bool
}

func (d *journalDriver) Start(at int64, input value.Value) string {
	defer d.move()
	return d.runtimeDriver.Start(at, input)
}

func (d *journalDriver) Answer(at int64, call string, a *corpus.Answer) {
	defer d.move()
	d.runtimeDriver.Answer(at, call, a)
}

func (d *journalDriver) Fire(at int64) {
	defer d.move()
	d.runtimeDriver.Fire(at)
}

func (d *journalDriver) Resume(at int64, id, outcome string, payload value.Value) string {
	defer d.move()
	return d.runtimeDriver.Resume(at, id, outcome, payload)
}

// move goes on in another runtime.
func (d *journalDriver) move() {
	if d.run == nil || !d.moves {
		return
	}
	head, err := d.journal.Head(context.Background(), d.run.ID())
	if err != nil {
		d.t.Error(err)
	}
	if head.Status != wf.StatusInterrupted || head.Owner != "" || !head.WakeAt.IsZero() {
		return
	}
	if err := d.rt.Close(context.Background()); err != nil {
		d.t.Error(err)
	}
	d.rt = d.runtime()
	if d.run, err = d.rt.Load(context.Background(), d.run.ID()); err != nil {
		d.t.Fatal(err)
	}
}
