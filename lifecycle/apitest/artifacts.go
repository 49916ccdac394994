package apitest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
)

// saved makes an artifact of a plan.
func (s *suite) saved(p lifecycle.CreateArtifact) *lifecycle.Artifact {
	s.Helper()
	a, err := s.api.CreateArtifact(s.ctx, &p)
	if err != nil {
		s.Fatalf("the artifact is not saved: %v", err)
	}
	s.advised(a.Advice)
	return a
}

// A version never changes. The same is saved as often as somebody likes.
func (s *suite) artifacts() {
	plan := json.RawMessage(counting)
	a := s.saved(lifecycle.CreateArtifact{Plan: plan, Title: "Count", ArtifactView: lifecycle.ArtifactView{Full: true}})
	if a.Artifact != "counting@1" || a.There || len(a.Requires) != 1 || a.Requires[0].Ref != "demo.count" || !strings.HasPrefix(a.Requires[0].Hash, "contract1:") ||
		a.Requires[0].Saved == nil || len(a.Requires[0].Places) != 2 || !slices.Equal(a.Sources, []string{"demo"}) || !slices.Equal(a.Outcomes, []wf.Outcome{wf.OK}) || a.Created.IsZero() {
		s.Fatalf("saved: %+v", a)
	}
	for _, version := range []string{"", "1"} {
		if same := s.saved(lifecycle.CreateArtifact{Plan: plan, Title: "Count", Version: version}); same.Artifact != "counting@1" || !same.There || same.Digest != a.Digest {
			s.Errorf("saved again as %q: %+v", version, same)
		}
	}
	other := json.RawMessage(strings.ReplaceAll(counting, `"two"`, `"second"`))
	for _, p := range []lifecycle.CreateArtifact{{Plan: other, Version: "1", Title: "Count"}, {Plan: plan, Version: "1"}} {
		_, err := s.api.CreateArtifact(s.ctx, &p)
		s.wants(err, lifecycle.Conflict, "version_exists")
	}
	if next := s.saved(lifecycle.CreateArtifact{Plan: other}); next.Artifact != "counting@2" || next.There {
		s.Errorf("the next version: %+v", next)
	}
	s.saved(lifecycle.CreateArtifact{Plan: plan, Artifact: "counting", Version: "2026-spring.1"})
	if next := s.saved(lifecycle.CreateArtifact{Plan: plan, Artifact: "counting"}); next.Artifact != "counting@3" {
		s.Errorf("the version behind the last number: %+v", next)
	}
	short, err := s.api.ShowArtifact(s.ctx, &lifecycle.ShowArtifact{Artifact: "counting@1"})
	if err != nil || short.Title != "Count" || short.Form != "short" || !strings.Contains(string(short.Plan), `"next"`) || short.Requires[0].Saved != nil || len(short.Omitted) != 1 {
		s.Errorf("shown: %+v, %v", short, err)
	}
	s.advised(short.Advice)
	canonical, err := s.api.ShowArtifact(s.ctx, &lifecycle.ShowArtifact{Artifact: "counting@1", ArtifactView: lifecycle.ArtifactView{Form: "canonical"}})
	w, _ := wf.ParseWorkflow([]byte(counting))
	if err != nil || string(canonical.Plan) != string(w.Canonical()) || canonical.PlanDigest != w.Digest() {
		s.Errorf("in the canonical form: %s, %v", canonical.Plan, err)
	}
	_, err = s.api.CreateArtifact(s.ctx, &lifecycle.CreateArtifact{Plan: json.RawMessage(broken)})
	if e := s.wants(err, lifecycle.Invalid, "field_name"); e.Diagnostics[0].Doc != "plan" {
		s.Errorf("the finding is in %q", e.Diagnostics[0].Doc)
	}
	_, err = s.api.CreateArtifact(s.ctx, &lifecycle.CreateArtifact{})
	s.wants(err, lifecycle.BadRequest, "params_invalid")
	_, err = s.api.ShowArtifact(s.ctx, &lifecycle.ShowArtifact{Artifact: "counting@1", ArtifactView: lifecycle.ArtifactView{Form: "written"}})
	s.wants(err, lifecycle.BadRequest, "params_invalid")
	_, err = s.api.ShowArtifact(s.ctx, &lifecycle.ShowArtifact{Artifact: "counting@99"})
	s.wants(err, lifecycle.NotFound, "artifact_not_found")
	list, err := s.api.ListArtifacts(s.ctx, &lifecycle.ListArtifacts{Name: "counting"})
	if err != nil || len(list.Artifacts) != 4 || list.Artifacts[0].Artifact != "counting@1" || list.Artifacts[0].Digest != a.Digest || list.Artifacts[0].Title != "Count" {
		s.Errorf("the list is %+v, %v", list, err)
	}
	s.advised(list.Advice)
	_, err = s.api.ListArtifacts(s.ctx, &lifecycle.ListArtifacts{Name: "counting", Prefix: "x"})
	s.wants(err, lifecycle.BadRequest, "params_invalid")
}

// Two versions are compared by what they mean, and drawn.
func (s *suite) artifactDiff() {
	s.saved(lifecycle.CreateArtifact{Plan: json.RawMessage(counting)})
	s.saved(lifecycle.CreateArtifact{Plan: json.RawMessage(strings.Replace(counting, `"required": ["text"]`, `"required": ["text", "more"]`, 1))})
	d, err := s.api.DiffArtifacts(s.ctx, &lifecycle.DiffArtifacts{Old: "counting@1", New: "counting@2"})
	if err != nil || d.Same || len(d.Plan.Changes) != 1 || !d.Plan.Changes[0].Breaking || d.Plan.Changes[0].Subject != "input" || len(d.Contracts) != 0 {
		s.Errorf("the difference is %+v, %v", d, err)
	}
	s.advised(d.Advice)
	if d, err := s.api.DiffArtifacts(s.ctx, &lifecycle.DiffArtifacts{Old: "counting@1", New: "counting@1"}); err != nil || !d.Same || len(d.Plan.Changes) != 0 {
		s.Errorf("of one with itself: %+v, %v", d, err)
	}
	for as, begins := range map[string]string{"": "flowchart", "dot": "digraph"} {
		g, err := s.api.GraphArtifact(s.ctx, &lifecycle.GraphArtifact{Artifact: "counting@1", As: as})
		if err != nil || !strings.HasPrefix(g.Text, begins) {
			s.Fatalf("drawn as %q: %+v, %v", as, g, err)
		}
		s.advised(g.Advice)
	}
	_, err = s.api.GraphArtifact(s.ctx, &lifecycle.GraphArtifact{Artifact: "counting@1", As: "svg"})
	s.wants(err, lifecycle.BadRequest, "params_invalid")
}

// outer runs a saved workflow, twice, and goes another way by its outcome.
const outer = `{"name": "outer", "outcomes": ["ok", "refused"],
	"nodes": [{"id": "first", "type": "subgraph", "workflow": "asking@1", "on": {"ok": "again", "refused": "end_refused"}},
		{"id": "again", "type": "subgraph", "workflow": "asking@1", "on": {"ok": "__end__", "refused": "end_refused"}},
		{"id": "end_refused", "type": "end", "outcome": "refused"}]}`

// A saved workflow is a step of others: it is found, kept as it is, and run.
func (s *suite) savedSteps() {
	d := s.draft(lifecycle.CreateDraft{DraftID: "outer", Plan: json.RawMessage(outer)})
	if d.Errors != 2 || d.Diagnostics[0].Code != "artifact_not_found" || d.Diagnostics[0].Path != "/nodes/0/workflow" {
		s.Fatalf("before it is saved: %+v", d.Diagnostics)
	}
	child := s.saved(lifecycle.CreateArtifact{Plan: json.RawMessage(asking)})
	a, err := s.api.SaveDraft(s.ctx, &lifecycle.SaveDraft{DraftChange: lifecycle.DraftChange{DraftID: "outer"}})
	if err != nil || !slices.Equal(a.Children, []lifecycle.Pin{{Artifact: "asking@1", Digest: child.Digest}}) {
		s.Fatalf("saved: %+v, %v", a, err)
	}
	for _, form := range []string{"short", "canonical"} {
		shown, err := s.api.ShowArtifact(s.ctx, &lifecycle.ShowArtifact{Artifact: "outer@1", ArtifactView: lifecycle.ArtifactView{Form: form}})
		if err != nil || strings.Contains(string(shown.Plan), "resume_schema") || strings.Contains(string(shown.Plan), "workflows") || len(shown.Plan) == 0 {
			s.Fatalf("the plan, %s, is %s, %v", form, shown.Plan, err)
		}
		if again := s.saved(lifecycle.CreateArtifact{Plan: shown.Plan}); again.Digest != a.Digest || !again.There {
			s.Errorf("what is shown, %s, is saved as another one: %+v", form, again)
		}
	}
	s.draft(lifecycle.CreateDraft{DraftID: "steps", Name: "steps", Plan: json.RawMessage(counting)})
	grown, err := s.apply("steps", 1, `[{"op": "add-step", "step": {"id": "ask", "type": "subgraph", "workflow": "asking@1"}, "after": "two"}, {"op": "branch", "step": "ask", "outcome": "refused", "to": "one", "max_visits": 2, "exhausted": "__end__"}]`)
	if err != nil || grown.Errors != 0 {
		s.Errorf("added behind another step: %+v, %v", grown, err)
	}
	_, err = s.apply("steps", 2, `{"op": "branch", "step": "ask", "to": "one"}`)
	s.wants(err, lifecycle.Invalid, "edit_refused") // it has more than one outcome
	back := s.draft(lifecycle.CreateDraft{DraftID: "back", Artifact: "outer@1", DraftView: lifecycle.DraftView{Form: "written"}})
	if back.Errors != 0 || strings.Contains(string(back.Plan), "resume_schema") {
		s.Errorf("a draft of it: %s, %+v", back.Plan, back.Diagnostics)
	}
	run := s.begin(outer, "", "")
	for range 2 {
		if run.Status != wf.StatusInterrupted {
			s.Fatalf("the run is %s: %+v", run.Status, run.Error)
		}
		run, err = s.api.ResumeRun(s.ctx, &lifecycle.ResumeRun{RunID: run.RunID, Wait: true, Answers: []lifecycle.Answer{{Outcome: "yes", Payload: json.RawMessage(`{"comment": "good"}`)}}})
		if err != nil {
			s.Fatal(err)
		}
	}
	if run.Status != wf.StatusCompleted || run.Outcome != wf.OK || run.Digest == "" {
		s.Errorf("the run is %s with %q: %+v", run.Status, run.Outcome, run.Error)
	}
	inline := strings.Replace(outer, `"nodes"`, `"workflows": {"asking@1": `+asking+`}, "nodes"`, 1)
	if d := s.draft(lifecycle.CreateDraft{DraftID: "inline", Plan: json.RawMessage(inline)}); d.Errors != 1 || d.Diagnostics[0].Code != "name_invalid" {
		s.Errorf("with another one under its name: %+v", d.Diagnostics)
	}
	copied := strings.Replace(outer, `"nodes"`, `"workflows": {"asking@1": {"name": "asking", "outcomes": ["ok", "refused"], "nodes": [{"id": "end", "type": "end"}, {"id": "other", "type": "end", "outcome": "refused"}]}}, "nodes"`, 1)
	if run := s.begin(copied, "", ""); run.Status != wf.StatusCompleted {
		s.Errorf("a plan that brings a copy along: the run is %s, %+v", run.Status, run.Error)
	}
	s.saved(lifecycle.CreateArtifact{Plan: json.RawMessage(strings.Replace(asking, `"approval"`, `"review"`, 1))})
	s.saved(lifecycle.CreateArtifact{Plan: json.RawMessage(strings.ReplaceAll(outer, "asking@1", "asking@2"))})
	diff, err := s.api.DiffArtifacts(s.ctx, &lifecycle.DiffArtifacts{Old: "outer@1", New: "outer@2"})
	if err != nil || diff.Same || len(diff.Plan.Changes) != 2 || !slices.Equal(diff.Children, []lifecycle.PinChange{{Artifact: "asking@1", Kind: "removed"}, {Artifact: "asking@2", Kind: "added"}}) {
		s.Errorf("from one child to another: %+v, %v", diff, err)
	}
	near := s.draft(lifecycle.CreateDraft{DraftID: "near", Plan: json.RawMessage(strings.ReplaceAll(outer, "asking@1", "asking@7"))})
	if near.Errors != 2 || !strings.Contains(near.Diagnostics[0].RepairHint, "asking@1") {
		s.Errorf("of a version that is not there: %+v", near.Diagnostics)
	}
	deep := strings.NewReplacer("asking@1", "outer@1", `"outer"`, `"deep"`).Replace(outer)
	if a := s.saved(lifecycle.CreateArtifact{Plan: json.RawMessage(deep)}); len(a.Children) != 1 || a.Children[0].Artifact != "outer@1" {
		s.Errorf("of three levels: %+v", a)
	}
	self := strings.ReplaceAll(outer, "asking@1", "outer@3")
	_, err = s.api.CreateArtifact(s.ctx, &lifecycle.CreateArtifact{Plan: json.RawMessage(self)})
	s.wants(err, lifecycle.Invalid, "artifact_not_found")
}

// An artifact goes from one store to another with all that it runs, or not at all if somebody has changed it.
func (s *suite) artifactFiles() {
	s.saved(lifecycle.CreateArtifact{Plan: json.RawMessage(asking)})
	a := s.saved(lifecycle.CreateArtifact{Plan: json.RawMessage(outer)})
	file, err := s.api.ExportArtifact(s.ctx, &lifecycle.ExportArtifact{Artifact: "outer@1"})
	if err != nil || len(file.File.Artifacts) != 2 || file.File.Artifacts[0].Name != "asking" {
		s.Fatalf("exported: %+v, %v", file, err)
	}
	s.advised(file.Advice)
	same, err := s.api.ImportArtifact(s.ctx, &lifecycle.ImportArtifact{File: file.File})
	if err != nil || !same.There || same.Digest != a.Digest {
		s.Errorf("into the same store: %+v, %v", same, err)
	}
	s.advised(same.Advice)
	f := file.File
	f.Artifacts = slices.Clone(f.Artifacts)
	f.Artifacts[1].Version = "7"
	if moved, err := s.api.ImportArtifact(s.ctx, &lifecycle.ImportArtifact{File: f}); err != nil || moved.Artifact != "outer@7" || moved.There {
		s.Errorf("under another version: %+v, %v", moved, err)
	}
	for name, change := range map[string]func(f *lifecycle.ArtifactFile){
		"format":  func(f *lifecycle.ArtifactFile) { f.Format = "zip" },
		"nothing": func(f *lifecycle.ArtifactFile) { f.Artifacts = nil },
		"title":   func(f *lifecycle.ArtifactFile) { f.Artifacts[1].Title = "changed" },
		"plan": func(f *lifecycle.ArtifactFile) {
			f.Artifacts[0].Plan = json.RawMessage(`{"name": "asking", "nodes": []}`)
		},
		"name":     func(f *lifecycle.ArtifactFile) { f.Artifacts[1].Name = "../outer" },
		"version":  func(f *lifecycle.ArtifactFile) { f.Artifacts[1].Version = "" },
		"artifact": func(f *lifecycle.ArtifactFile) { f.Artifacts[1].Format = "wf-artifact/9" },
	} {
		f := file.File
		f.Artifacts = slices.Clone(f.Artifacts)
		change(&f)
		_, err := s.api.ImportArtifact(s.ctx, &lifecycle.ImportArtifact{File: f})
		if err == nil {
			s.Errorf("a file with another %s is taken", name)
			continue
		}
		s.wants(err, lifecycle.BadRequest, "params_invalid")
	}
}

func (s *suite) artifactPages() {
	for i := range 5 {
		plan := strings.Replace(counting, `"counting"`, fmt.Sprintf(`"count_%d"`, i), 1)
		s.saved(lifecycle.CreateArtifact{Plan: json.RawMessage(plan)})
	}
	var all []string
	pages := 0
	for p := (lifecycle.ListArtifacts{Prefix: "count_", Limit: 2}); ; pages++ {
		list, err := s.api.ListArtifacts(s.ctx, &p)
		if err != nil {
			s.Fatal(err)
		}
		s.advised(list.Advice)
		for _, a := range list.Artifacts {
			all = append(all, a.Artifact)
		}
		if p.Cursor = list.Next; p.Cursor == "" {
			break
		}
	}
	if got := strings.Join(all, " "); got != "count_0@1 count_1@1 count_2@1 count_3@1 count_4@1" || pages != 2 {
		s.Errorf("the pages have %s", got)
	}
}
