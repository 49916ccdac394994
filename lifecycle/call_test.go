package lifecycle_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
	"lda.chat/wf/source"
	"lda.chat/wf/store"
)

// Whatever is sent is answered or refused, with a kind and a diagnostic, and never a panic.
func FuzzCall(f *testing.F) {
	set, err := source.NewSet(context.Background())
	if err != nil {
		f.Fatal(err)
	}
	for _, m := range lifecycle.Methods() {
		params, err := json.Marshal(m.NewParams())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(m.Name, params)
	}
	f.Add("runs.start", []byte(`{"plan": {"name": "p", "nodes": [{"id": "a", "type": "wait", "seconds": 0, "next": "__end__"}]}, "wait": true}`))
	f.Add("runs.list", []byte(`{"status": ["failed"], "created_from": "2026-11-30T12:00:00Z", "limit": 1e3}`))
	f.Fuzz(func(t *testing.T, method string, params []byte) {
		s, err := lifecycle.NewService(store.NewMemory(nil), set, nil)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second) // a run may be told to wait for years
		defer func() { _ = s.Close(ctx) }()                                   // what is under way is let go at once
		defer cancel()
		out, err := lifecycle.Call(ctx, s, method, params)
		if e, ok := errors.AsType[*lifecycle.Error](err); err != nil && (!ok || e.Kind == "" || len(e.Diagnostics) == 0 || e.Kind == lifecycle.Internal) {
			t.Fatalf("%s %s: %#v", method, params, err)
		}
		if _, failure := json.Marshal(out); err == nil && failure != nil {
			t.Fatalf("%s %s: %v", method, params, failure)
		}
	})
}

// Ten thousand runs are listed in pages, each of them once.
func TestManyRunsInPages(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	st := store.NewMemory(nil)
	set, err := source.NewSet(ctx)
	if err != nil {
		t.Fatal(err)
	}
	s, err := lifecycle.NewService(st, set, nil)
	if err != nil {
		t.Fatal(err)
	}
	const runs = 10_000
	for i := range runs {
		run := wf.NewRun{RunID: fmt.Sprintf("run_%05d", i), Kernel: 1, Labels: map[string]string{"wf.workflow": "many"}, Events: [][]byte{[]byte("{}")}}
		if _, err := st.Create(ctx, run); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[string]bool{}
	for p := (lifecycle.ListRuns{Workflow: "many", Limit: 333}); ; {
		list, err := s.ListRuns(ctx, &p)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range list.Runs {
			if seen[r.RunID] {
				t.Fatalf("%s comes twice", r.RunID)
			}
			seen[r.RunID] = true
		}
		if p.Cursor = list.Next; p.Cursor == "" {
			break
		}
	}
	if len(seen) != runs {
		t.Errorf("%d runs, expected %d", len(seen), runs)
	}
}
