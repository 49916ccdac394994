package lifecycle_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lda.chat/wf"
	"lda.chat/wf/internal/golden"
	"lda.chat/wf/lifecycle"
	"lda.chat/wf/lifecycle/apitest"
	"lda.chat/wf/source"
	"lda.chat/wf/store"
	"lda.chat/wf/store/file"
)

// on makes a service on a store that is there.
func on(t testing.TB, st store.Store, set *source.Set) *lifecycle.Service {
	t.Helper()
	s, err := lifecycle.NewService(st, set, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestServiceOnFiles(t *testing.T) {
	t.Parallel()
	apitest.Run(t, func(t *testing.T, set *source.Set) lifecycle.API {
		st, err := file.Open(filepath.Join(t.TempDir(), "store"), nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := st.Close(); err != nil {
				t.Error(err)
			}
		})
		return on(t, st, set)
	})
}

func TestTwoServicesOnOneStore(t *testing.T) {
	t.Parallel()
	apitest.Race(t, func(t *testing.T, set *source.Set) (one, other lifecycle.API) {
		st := store.NewMemory(nil)
		return on(t, st, set), on(t, st, set)
	})
}

// A file has all that another store needs: the artifact, those that it runs, and the contracts of what they call.
func TestImportElsewhere(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	here := on(t, store.NewMemory(nil), anything(t))
	for _, plan := range []string{
		`{"name": "inner", "nodes": [{"id": "a", "node": "local.read", "next": "__end__"}]}`,
		`{"name": "middle", "nodes": [{"id": "a", "type": "subgraph", "workflow": "inner@1", "next": "__end__"}]}`,
		`{"name": "outer", "nodes": [{"id": "a", "type": "subgraph", "workflow": "middle@1", "next": "b"}, {"id": "b", "type": "subgraph", "workflow": "inner@1", "next": "__end__"}]}`,
	} {
		if _, err := here.CreateArtifact(ctx, &lifecycle.CreateArtifact{Plan: json.RawMessage(plan)}); err != nil {
			t.Fatal(err)
		}
	}
	file, err := here.ExportArtifact(ctx, &lifecycle.ExportArtifact{Artifact: "outer@1"})
	if err != nil {
		t.Fatal(err)
	}
	none, err := source.NewSet(ctx)
	if err != nil {
		t.Fatal(err)
	}
	there := on(t, store.NewMemory(nil), none)
	alone := lifecycle.ArtifactFile{Format: file.File.Format, Artifacts: file.File.Artifacts[2:]}
	if _, err := there.ImportArtifact(ctx, &lifecycle.ImportArtifact{File: alone}); err == nil || !strings.Contains(err.Error(), `"inner@1"`) {
		t.Errorf("without what it runs: %v", err)
	}
	a, err := there.ImportArtifact(ctx, &lifecycle.ImportArtifact{File: file.File})
	if err != nil || a.There || len(a.Requires) != 1 || len(a.Children) != 2 {
		t.Fatalf("imported: %+v, %v", a, err)
	}
	was, err := here.ShowArtifact(ctx, &lifecycle.ShowArtifact{Artifact: "outer@1"})
	if err != nil || a.Digest != was.Digest || a.PlanDigest != was.PlanDigest || !a.Created.Equal(was.Created) {
		t.Errorf("it was %+v, and is %+v, %v", was, a, err)
	}
	list, err := there.ListArtifacts(ctx, &lifecycle.ListArtifacts{})
	if err != nil || len(list.Artifacts) != 3 {
		t.Errorf("there are %+v, %v", list, err)
	}
	other := `{"name": "inner", "nodes": [{"id": "a", "node": "local.write", "next": "__end__"}]}`
	third := on(t, store.NewMemory(nil), anything(t))
	if _, err := third.CreateArtifact(ctx, &lifecycle.CreateArtifact{Plan: json.RawMessage(other)}); err != nil {
		t.Fatal(err)
	}
	for i := range 2 { // with the other one's namesake in the file, and without
		f := lifecycle.ArtifactFile{Format: file.File.Format, Artifacts: file.File.Artifacts[i:]}
		if _, err := third.ImportArtifact(ctx, &lifecycle.ImportArtifact{File: f}); err == nil || !strings.Contains(err.Error(), "another one") {
			t.Errorf("where the name is that of another one: %v", err)
		}
	}
}

// All parameters are told with what they are for.
func TestParams(t *testing.T) {
	t.Parallel()
	for _, m := range lifecycle.Methods() {
		for _, p := range m.Params() {
			if p.Name == "" || p.Type == "" || p.Doc == "" || strings.HasSuffix(p.Doc, ".") {
				t.Errorf("%s: %+v", m.Name, p)
			}
		}
	}
	m, _ := lifecycle.LookupMethod("drafts.undo")
	var got []string
	for _, p := range m.Params() {
		got = append(got, fmt.Sprint(p.Name, " ", p.Type, " ", p.Required))
	}
	if want := "draft_id string true, revision integer false, to integer false, form string false, full boolean false"; strings.Join(got, ", ") != want {
		t.Errorf("they are %s, expected %s", strings.Join(got, ", "), want)
	}
}

// Who applies only what is safe repairs the broken drafts that can be repaired so.
func TestSafeFixesRepairDrafts(t *testing.T) {
	t.Parallel()
	set := anything(t)
	s := on(t, store.NewMemory(nil), set)
	archives, err := filepath.Glob("../testdata/fix/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	repaired := 0
	for _, name := range archives {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range golden.Parse(string(text)).Files {
			stem, isPlan := strings.CutSuffix(f.Name, ".json")
			if !isPlan || strings.HasSuffix(stem, ".fixed") || !json.Valid([]byte(f.Data)) {
				continue
			}
			id := strings.TrimSuffix(filepath.Base(name), ".txtar") + "." + stem
			d, err := s.CreateDraft(t.Context(), &lifecycle.CreateDraft{DraftID: id, Plan: json.RawMessage(f.Data)})
			if err != nil {
				t.Errorf("%s: %v", id, err)
				continue
			}
			was := d.Errors
			for d.Errors > 0 && d.Advice.Recommended == "drafts.fix" {
				out, err := lifecycle.Call(t.Context(), s, "drafts.fix", d.Advice.NextActions[0].Params)
				if err != nil {
					t.Fatalf("%s: %v", id, err)
				}
				if next := out.(*lifecycle.Draft); next.Revision == d.Revision {
					t.Fatalf("%s: nothing safe is left, and it is advised: %v", id, next.Diagnostics)
				}
				d = out.(*lifecycle.Draft)
			}
			if was > 0 && d.Errors == 0 {
				repaired++
				if _, err := s.SaveDraft(t.Context(), &lifecycle.SaveDraft{DraftChange: lifecycle.DraftChange{DraftID: id}}); err != nil {
					t.Errorf("%s is repaired, and cannot be saved: %v", id, err)
				}
			}
		}
	}
	if repaired < 30 {
		t.Errorf("%d broken drafts are repaired, expected 30 at least", repaired)
	}
}

// named is a source with capabilities that take and give anything.
type named struct {
	id    string
	names []string
}

func (n named) ID() string { return n.id }

func (n named) Inventory(context.Context) (*source.Inventory, error) {
	in := &source.Inventory{}
	for _, name := range n.names {
		f := wf.RawNode(&wf.NodeDef{Name: name, Effect: wf.EffectPure}, func(_ context.Context, in json.RawMessage) (*wf.Result, error) { return &wf.Result{Output: in}, nil })
		in.Nodes = append(in.Nodes, f.OfSource(n.id))
	}
	return in, nil
}

// anything has what the plans of the repository's broken plans call.
func anything(t testing.TB) *source.Set {
	t.Helper()
	set, err := source.NewSet(t.Context(), named{"local", []string{"read", "review", "send", "a", "write", "split", "search"}}, named{"z", []string{"last"}}, named{"report", []string{"read_file"}})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// The latest edit of a draft can be undone however large the draft is; of older ones there is a bounded number of bytes.
func TestLargeDraftsCanBeUndone(t *testing.T) {
	t.Parallel()
	set, err := source.NewSet(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	api, change := on(t, store.NewMemory(nil), set), lifecycle.DraftChange{DraftID: "large"}
	plan := `{"name": "first", "description": "` + strings.Repeat("long ", 1<<19) + `", "nodes": [{"id": "e", "type": "end"}]}`
	if _, err := api.CreateDraft(t.Context(), &lifecycle.CreateDraft{DraftID: "large", Plan: json.RawMessage(plan)}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"second", "third"} {
		d, err := api.ApplyDraft(t.Context(), &lifecycle.ApplyDraft{DraftChange: change, Edits: json.RawMessage(`[{"op": "set-name", "name": "` + name + `"}]`)})
		if err != nil || d.Name != name {
			t.Fatalf("%+v, %v", d, err)
		}
	}
	for to, want := range []string{0: "second", 3: "third"} {
		if want == "" {
			continue
		}
		if d, err := api.UndoDraft(t.Context(), &lifecycle.UndoDraft{DraftChange: change, To: uint64(to)}); err != nil || d.Name != want {
			t.Fatalf("%+v, %v; expected the plan %q", d, err, want)
		}
	}
}

// Behind the last version that is a number there is no next one: that is said.
func TestLastVersion(t *testing.T) {
	t.Parallel()
	set, err := source.NewSet(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	api := on(t, store.NewMemory(nil), set)
	for i, c := range [][2]string{{"9007199254740990", "p@9007199254740990"}, {"", "p@9007199254740991"}, {"", ""}, {"", ""}} {
		plan := fmt.Sprintf(`{"name": "p", "description": "%d", "nodes": [{"id": "e", "type": "end"}]}`, i)
		a, err := api.CreateArtifact(t.Context(), &lifecycle.CreateArtifact{Plan: json.RawMessage(plan), Version: c[0]})
		if c[1] == "" && (err == nil || !strings.Contains(err.Error(), "give it a version")) || c[1] != "" && (err != nil || a.Artifact != c[1]) {
			t.Errorf("%+v, %v; expected %q", a, err, c[1])
		}
	}
}

// A file whose artifacts stand before those that they run is refused, and told which one is missing where.
func TestImportOutOfOrder(t *testing.T) {
	t.Parallel()
	set, err := source.NewSet(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	from, to := on(t, store.NewMemory(nil), set), on(t, store.NewMemory(nil), set)
	for _, plan := range []string{`{"name": "inner", "nodes": [{"id": "e", "type": "end"}]}`, `{"name": "outer", "nodes": [{"id": "i", "workflow": "inner@1", "next": "__end__"}]}`} {
		if _, err := from.CreateArtifact(t.Context(), &lifecycle.CreateArtifact{Plan: json.RawMessage(plan)}); err != nil {
			t.Fatal(err)
		}
	}
	out, err := from.ExportArtifact(t.Context(), &lifecycle.ExportArtifact{Artifact: "outer@1"})
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(out.File.Artifacts)
	_, err = to.ImportArtifact(t.Context(), &lifecycle.ImportArtifact{File: out.File})
	if err == nil || !strings.Contains(err.Error(), `"outer@1" of the file runs "inner@1", which is neither here nor before it`) {
		t.Errorf("it is refused with %v", err)
	}
}
