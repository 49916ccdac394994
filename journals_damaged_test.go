package wf_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/store"
)

// However a journal is damaged, looking at the run tells what it can or an error that says where, and never panics.
func TestDamagedJournals(t *testing.T) {
	t.Parallel()
	eachJournal(t, func(t *testing.T, kept *keptJournal) {
		st := store.NewMemory(nil)
		rt := kept.runtime(t, st, nil)
		w := parsePlan(t, kept.plan)
		if err := st.PutPlan(t.Context(), w.Digest(), w.Canonical()); err != nil {
			t.Fatal(err)
		}
		n, refused := 0, 0
		look := func(events [][]byte) {
			n++
			id := fmt.Sprintf("run-%d", n)
			if _, err := st.Create(t.Context(), wf.NewRun{RunID: id, Kernel: 1, WakeAt: time.Now().Add(time.Hour), Events: events}); err != nil {
				t.Fatal(err)
			}
			r, err := rt.At(t.Context(), id, 0)
			if err != nil {
				if refused++; !strings.Contains(err.Error(), id) {
					t.Errorf("it does not say where: %v", err)
				}
			} else {
				r.Info()
				_, _ = r.Trace()
			}
			if _, err := rt.Backtest(t.Context(), w, id); err != nil && !strings.Contains(err.Error(), id) {
				t.Errorf("the backtest does not say where: %v", err)
			}
			if n%7 == 0 {
				_, _ = rt.Fork(t.Context(), id, &wf.ForkOptions{Queued: true})
			}
		}
		for i, line := range kept.journal {
			look(append(append([][]byte{}, kept.journal[:i]...), kept.journal[i+1:]...)) // one is missing
			look(append(append([][]byte{}, kept.journal[:i+1]...), kept.journal[i:]...)) // one comes twice
			step := max(len(line)/120, 1)
			for at := i % step; at < len(line); at += step {
				for _, bit := range []byte{1, 2, 16} {
					damaged := bytes.Clone(line)
					damaged[at] ^= bit
					events := append([][]byte{}, kept.journal...)
					events[i] = damaged
					look(events)
				}
				cut := append([][]byte{}, kept.journal...)
				cut[i] = line[:at]
				if at > 0 {
					look(cut)
				}
			}
		}
		if refused < n/2 {
			t.Errorf("of %d damaged journals, %d were refused", n, refused)
		}
	})
}
