package wf_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lda.chat/wf"
	"lda.chat/wf/internal/golden"
	"lda.chat/wf/store"
)

// Journals that were written by each version of the machine are kept. They fold at every event, and go on from there to the
// end that the run had. A new plan gets its journal with WF_UPDATE=1; one that is there is never written again.
func TestJournalsOfEveryVersion(t *testing.T) {
	t.Parallel()
	eachJournal(t, func(t *testing.T, kept *keptJournal) {
		if kept.journal == nil {
			if os.Getenv("WF_UPDATE") == "" {
				t.Fatal("there is no journal yet: WF_UPDATE=1 writes it")
			}
			kept.write(t)
		}
		kept.goOn(t)
	})
}

// eachJournal tests the journals that are kept, side by side.
func eachJournal(t *testing.T, test func(t *testing.T, kept *keptJournal)) {
	t.Helper()
	files, err := filepath.Glob("testdata/journals/*/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no journals: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			test(t, readJournal(t, file))
		})
	}
}

type keptJournal struct {
	file        string
	plan, input string
	journal     [][]byte
	result      string
	other       []byte
}

func readJournal(t *testing.T, file string) *keptJournal {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	k := &keptJournal{file: file, other: data}
	for _, f := range golden.Parse(string(data)).Files {
		switch text := f.Data; f.Name {
		case "plan":
			k.plan = text
		case "input":
			k.input = text
		case "journal":
			k.journal = bytes.Split(bytes.TrimSpace([]byte(f.Data)), []byte("\n"))
		case "result":
			k.result = strings.TrimSpace(text)
		}
	}
	return k
}

// past is a clock that goes on from another time, so that what the journal waits for is as far away as it was then.
type past time.Duration

func (p past) Now() time.Time { return time.Now().Add(time.Duration(p)) }

func (p past) AfterFunc(d time.Duration, f func()) func() bool { return time.AfterFunc(d, f).Stop }

// clock goes on from when the journal ends.
func (k *keptJournal) clock(t *testing.T) past {
	t.Helper()
	var last struct{ At int64 }
	if err := json.Unmarshal(k.journal[len(k.journal)-1], &last); err != nil {
		t.Fatal(err)
	}
	return past(time.Until(time.Unix(0, last.At)))
}

func (k *keptJournal) runtime(t *testing.T, journal wf.Journal, clock wf.Clock) *wf.Runtime {
	add := wf.RawNode(open("add"), func(_ context.Context, in json.RawMessage) (*wf.Result, error) {
		var x struct{ A, B int }
		err := json.Unmarshal(in, &x)
		return &wf.Result{Output: fmt.Appendf(nil, `{"sum":%d}`, x.A+x.B)}, err
	}).OfSource("t")
	broken := wf.RawNode(open("broken"), func(context.Context, json.RawMessage) (*wf.Result, error) {
		return nil, errors.New("it is broken")
	}).OfSource("t")
	return durableRuntime(t, &wf.RuntimeOptions{Journal: journal, Clock: clock, Nodes: counted{"t.add": add, "t.broken": broken}})
}

// end answers what the run asks and tells how it ended.
func (k *keptJournal) end(t *testing.T, r *wf.RunHandle) string {
	t.Helper()
	for {
		if err := r.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if r.Status() != wf.StatusInterrupted {
			break
		}
		if err := r.Resume(t.Context(), wf.Answer{Outcome: "ok"}); err != nil {
			t.Fatal(err)
		}
	}
	info := r.Info()
	text, err := json.Marshal(map[string]any{"status": info.Status, "outcome": info.Outcome, "state": info.State, "steps": info.Steps})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (k *keptJournal) write(t *testing.T) {
	st := store.NewMemory(nil)
	r, err := k.runtime(t, st, nil).Start(t.Context(), parsePlan(t, k.plan), json.RawMessage(k.input), &wf.StartOptions{RunID: "kept"})
	if err != nil {
		t.Fatal(err)
	}
	k.result = k.end(t, r)
	text := append(bytes.TrimSpace(k.other), "\n-- journal --\n"...)
	for e, err := range st.Events(t.Context(), "kept", 0) {
		if err != nil {
			t.Fatal(err)
		}
		k.journal = append(k.journal, e.Data)
		text = append(append(text, e.Data...), '\n')
	}
	text = append(text, "-- result --\n"+k.result+"\n"...)
	if err := os.WriteFile(k.file, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// goOn goes on from every event as a process does that takes the run up, and as a fork.
func (k *keptJournal) goOn(t *testing.T) {
	w := parsePlan(t, k.plan)
	for n := 1; n < len(k.journal); n++ {
		clock := k.clock(t)
		st := store.NewMemory(&store.MemoryOptions{Now: clock.Now})
		if err := st.PutPlan(t.Context(), w.Digest(), w.Canonical()); err != nil {
			t.Fatal(err)
		}
		_, err := st.Create(t.Context(), wf.NewRun{RunID: "kept", Kernel: 1, WakeAt: clock.Now(), Events: k.journal[:n]})
		if err != nil {
			t.Fatal(err)
		}
		rt := k.runtime(t, st, clock)
		ctx, stop := context.WithCancel(t.Context())
		worked := make(chan error, 1)
		go func() { worked <- rt.Work(ctx, nil) }()
		r, err := rt.Load(t.Context(), "kept")
		if err != nil {
			t.Fatalf("after %d events: %v", n, err)
		}
		got := k.end(t, r)
		stop()
		if err := <-worked; err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(k.result, got); diff != "" {
			t.Errorf("after %d events it comes to another end (-kept +now):\n%s", n, diff)
		}
	}
}
