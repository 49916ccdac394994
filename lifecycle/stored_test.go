package lifecycle_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/internal/golden"
	"lda.chat/wf/lifecycle"
	"lda.chat/wf/store"
)

// counting is a clock that goes on by a second whenever somebody looks.
type counting struct{ looks atomic.Int64 }

func (c *counting) Now() time.Time {
	return time.Date(2026, 12, 1, 8, 0, 0, 0, time.UTC).Add(time.Duration(c.looks.Add(1)) * time.Second)
}

func (c *counting) AfterFunc(time.Duration, func()) (stop func() bool) {
	return func() bool { return true }
}

const storedFile = "testdata/records.json"

// What is stored is as it always was; other versions of wf must be able to read it.
func TestStoredRecords(t *testing.T) {
	t.Parallel()
	st := store.NewMemory(nil)
	s, err := lifecycle.NewService(st, anything(t), &wf.RuntimeOptions{Clock: &counting{}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(t.Context())
	ctx := lifecycle.Acting(t.Context(), "ann")
	must := func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(s.CreateDraft(ctx, &lifecycle.CreateDraft{DraftID: "reading", Capability: "local.read", Title: "Read", Sources: []string{"local"}}))
	must(s.ApplyDraft(ctx, &lifecycle.ApplyDraft{DraftChange: lifecycle.DraftChange{DraftID: "reading"}, Edits: json.RawMessage(`{"op": "set-name", "name": "reading"}`)}))
	must(s.SaveDraft(ctx, &lifecycle.SaveDraft{DraftChange: lifecycle.DraftChange{DraftID: "reading"}}))
	must(s.CreateArtifact(ctx, &lifecycle.CreateArtifact{Plan: json.RawMessage(`{"name": "outer", "nodes": [{"id": "a", "type": "subgraph", "workflow": "reading@1", "next": "__end__"}]}`)}))
	must(s.UndoDraft(ctx, &lifecycle.UndoDraft{DraftChange: lifecycle.DraftChange{DraftID: "reading"}}))

	var all []json.RawMessage
	for _, kind := range []string{"draft", "artifact", "event"} {
		page, err := st.ScanRecords(ctx, kind, "", "", 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page.Records {
			key := r.Key
			if kind == "event" {
				key = "(by time)"
			}
			all = append(all, json.RawMessage(fmt.Sprintf(`{"kind": %q, "key": %q, "value": %s}`, kind, key, r.Value)))
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	text = regexp.MustCompile(`"id":"\d{19}-[A-Z2-7]{10}"`).ReplaceAll(text, []byte(`"id":"(by time)"`))
	text = regexp.MustCompile(`"engine":"[^"]*"`).ReplaceAll(text, []byte(`"engine":"(this one)"`))
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", "  "); err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, storedFile, b.String()+"\n")
}

// What was stored is read, and is what it was: the same is saved as the same.
func TestReadingStoredRecords(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(storedFile)
	if err != nil {
		t.Fatal(err)
	}
	var records []struct {
		Kind, Key string
		Value     json.RawMessage
	}
	if err := json.Unmarshal(text, &records); err != nil {
		t.Fatal(err)
	}
	st := store.NewMemory(nil)
	for i, r := range records {
		if r.Kind == "event" {
			r.Key = fmt.Sprint(i)
		}
		if _, err := st.PutRecord(t.Context(), r.Kind, r.Key, 0, r.Value); err != nil {
			t.Fatal(err)
		}
	}
	s := on(t, st, anything(t))
	d, err := s.ShowDraft(t.Context(), &lifecycle.ShowDraft{DraftID: "reading"})
	if err != nil || d.Title != "Read" || d.Errors != 0 || len(d.Undo) != 2 {
		t.Errorf("the draft is %+v, %v", d, err)
	}
	for _, name := range []string{"reading@1", "outer@1"} {
		a, err := s.ShowArtifact(t.Context(), &lifecycle.ShowArtifact{Artifact: name})
		if err != nil {
			t.Fatal(err)
		}
		same, err := s.CreateArtifact(t.Context(), &lifecycle.CreateArtifact{Plan: a.Plan, Artifact: a.Name, Version: a.Version, Title: a.Title})
		if err != nil || !same.There || same.Digest != a.Digest {
			t.Errorf("%s, saved again: %+v, %v", name, same, err)
		}
	}
	if events, err := s.ListEvents(t.Context(), &lifecycle.ListEvents{}); err != nil || len(events.Events) != 5 || events.Events[0].Who != "ann" {
		t.Errorf("the events are %+v, %v", events, err)
	}
}

// A thousand artifacts are listed in pages, each once, and a page costs the same wherever it is. It counts allocations, so nothing
// may run beside it.
func TestManyArtifactsInPages(t *testing.T) {
	st := store.NewMemory(nil)
	s := on(t, st, anything(t))
	const artifacts, limit = 1000, 50
	for i := range artifacts {
		plan := fmt.Sprintf(`{"name": "plan_%04d", "nodes": [{"id": "a", "node": "local.read", "next": "__end__"}]}`, i)
		if _, err := s.CreateArtifact(t.Context(), &lifecycle.CreateArtifact{Plan: json.RawMessage(plan)}); err != nil {
			t.Fatal(err)
		}
	}
	var pages []float64
	seen := map[string]bool{}
	for p := (lifecycle.ListArtifacts{Limit: limit}); ; {
		var list *lifecycle.ArtifactList
		pages = append(pages, testing.AllocsPerRun(1, func() {
			var err error
			if list, err = s.ListArtifacts(t.Context(), &p); err != nil {
				t.Fatal(err)
			}
		}))
		for _, a := range list.Artifacts {
			seen[a.Artifact] = true
		}
		if p.Cursor = list.Next; p.Cursor == "" {
			break
		}
	}
	if len(seen) != artifacts || len(pages) != artifacts/limit {
		t.Errorf("%d artifacts on %d pages", len(seen), len(pages))
	}
	if most := slices.Max(pages[1:]); most > 1.1*slices.Min(pages[:len(pages)-1]) || most > 40*limit {
		t.Errorf("the pages need %.0f allocations", pages)
	}
}
