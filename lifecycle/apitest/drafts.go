package apitest

import (
	"encoding/json"
	"fmt"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
)

// draft begins a draft.
func (s *suite) draft(p lifecycle.CreateDraft) *lifecycle.Draft {
	s.Helper()
	d, err := s.api.CreateDraft(s.ctx, &p)
	if err != nil {
		s.Fatalf("the draft is not begun: %v", err)
	}
	s.advised(d.Advice)
	return d
}

// apply makes edits of a draft.
func (s *suite) apply(id string, revision uint64, edits string) (*lifecycle.Draft, error) {
	return s.api.ApplyDraft(s.ctx, &lifecycle.ApplyDraft{DraftChange: lifecycle.DraftChange{DraftID: id, Revision: revision}, Edits: json.RawMessage(edits)})
}

func (s *suite) shown(id, form string) *lifecycle.Draft {
	s.Helper()
	d, err := s.api.ShowDraft(s.ctx, &lifecycle.ShowDraft{DraftID: id, DraftView: lifecycle.DraftView{Form: form}})
	if err != nil {
		s.Fatal(err)
	}
	s.advised(d.Advice)
	return d
}

// A draft is written edit by edit, and is explained as long as it is not finished.
func (s *suite) drafting() {
	d := s.draft(lifecycle.CreateDraft{DraftID: "twice", Title: "Count twice"})
	if d.Revision != 1 || d.Name != "twice" || d.Steps != 0 || d.Errors == 0 || d.Advice.CanSaveNow || d.Plan != nil {
		s.Fatalf("an empty draft: %+v", d)
	}
	d, err := s.apply("twice", 1, `[
		{"op": "set-input", "schema": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}},
		{"op": "add-step", "step": {"id": "one", "node": "demo.count", "next": "two"}},
		{"op": "bind", "step": "one", "to": "text", "from": "input.text"}]`)
	if err != nil || d.Revision != 2 || d.Steps != 1 || d.Errors != 1 || len(d.Changes) < 3 {
		s.Fatalf("with a step that leads nowhere yet: %+v, %v", d, err)
	}
	if f := d.Diagnostics[0]; f.Code != "edge_target" && f.Step != "one" || f.Doc != "draft:twice@2" || f.Line != 0 {
		s.Errorf("the finding is %+v", f)
	}
	_, err = s.api.SaveDraft(s.ctx, &lifecycle.SaveDraft{DraftChange: lifecycle.DraftChange{DraftID: "twice"}})
	s.wants(err, lifecycle.Invalid, d.Diagnostics[0].Code)
	d, err = s.apply("twice", 2, `{"op": "add-step", "step": {"id": "two", "node": "demo.count", "input": {"text": "input.text"}, "next": "__end__"}}`)
	if err != nil || d.Errors != 0 || !d.Advice.CanSaveNow || d.Advice.Recommended != "drafts.save" {
		s.Fatalf("complete: %+v, %v", d, err)
	}
	_, err = s.apply("twice", 3, `[{"op": "rename-step", "step": "one", "to": "first"}, {"op": "remove-step", "step": "tow"}]`)
	if e := s.wants(err, lifecycle.Invalid, "edit_refused"); !strings.Contains(e.Diagnostics[0].RepairHint, "two") {
		s.Errorf("the hint is %q", e.Diagnostics[0].RepairHint)
	}
	if d := s.shown("twice", "written"); d.Revision != 3 || strings.Contains(string(d.Plan), "first") {
		s.Errorf("edits of which one is refused: %s", d.Plan)
	}
	_, err = s.apply("twice", 0, `[]`)
	s.wants(err, lifecycle.BadRequest, "params_invalid")
	_, err = s.apply("twice", 0, `[{"op": "remove-steps"}]`)
	s.wants(err, lifecycle.Invalid, "edit_refused")
	_, err = s.api.CreateDraft(s.ctx, &lifecycle.CreateDraft{DraftID: "twice"})
	s.wants(err, lifecycle.Conflict, "draft_exists")
	gone, err := s.api.DeleteDraft(s.ctx, &lifecycle.DeleteDraft{DraftChange: lifecycle.DraftChange{DraftID: "twice", Revision: 3}})
	if err != nil {
		s.Fatal(err)
	}
	s.advised(gone.Advice)
	_, err = s.api.ShowDraft(s.ctx, &lifecycle.ShowDraft{DraftID: "twice"})
	s.wants(err, lifecycle.NotFound, "draft_not_found")
}

// A change for a revision that is gone is told what is there, and loses nothing.
func (s *suite) draftConflicts() {
	s.draft(lifecycle.CreateDraft{DraftID: "shared", Capability: "demo.count"})
	if _, err := s.apply("shared", 1, `{"op": "set-name", "description": "the first"}`); err != nil {
		s.Fatal(err)
	}
	_, err := s.apply("shared", 1, `{"op": "set-name", "name": "second"}`)
	e := s.wants(err, lifecycle.Conflict, "revision_conflict")
	if string(e.Diagnostics[0].Expected) != "2" || string(e.Diagnostics[0].Actual) != "1" || len(e.NextActions) != 2 {
		s.Fatalf("the conflict is %+v", e)
	}
	out, err := lifecycle.Call(s.ctx, s.api, e.NextActions[1].Method, e.NextActions[1].Params)
	if err != nil {
		s.Fatal(err)
	}
	if d := out.(*lifecycle.Draft); d.Revision != 3 || d.Name != "second" {
		s.Errorf("made again: %+v", d)
	}
	if d := s.shown("shared", ""); !strings.Contains(string(d.Plan), "the first") || !strings.Contains(string(d.Plan), "second") {
		s.Errorf("something was lost: %s", d.Plan)
	}
	for _, err := range []error{
		second(s.api.PatchDraft(s.ctx, &lifecycle.PatchDraft{DraftChange: lifecycle.DraftChange{DraftID: "shared", Revision: 2}, Patch: json.RawMessage(`[]`)})),
		second(s.api.FixDraft(s.ctx, &lifecycle.FixDraft{DraftChange: lifecycle.DraftChange{DraftID: "shared", Revision: 2}})),
		second(s.api.UndoDraft(s.ctx, &lifecycle.UndoDraft{DraftChange: lifecycle.DraftChange{DraftID: "shared", Revision: 2}})),
		second(s.api.SaveDraft(s.ctx, &lifecycle.SaveDraft{DraftChange: lifecycle.DraftChange{DraftID: "shared", Revision: 2}})),
		second(s.api.DeleteDraft(s.ctx, &lifecycle.DeleteDraft{DraftChange: lifecycle.DraftChange{DraftID: "shared", Revision: 2}})),
	} {
		s.wants(err, lifecycle.Conflict, "revision_conflict")
	}
	if d, err := s.apply("shared", 0, `{"op": "set-name", "name": "third"}`); err != nil || d.Revision != 4 {
		s.Errorf("of whatever is there: %+v, %v", d, err)
	}
}

func second[T any](_ T, err error) error { return err }

// To undo goes back step by step, as revisions of its own, and nothing is lost.
func (s *suite) undo() {
	s.draft(lifecycle.CreateDraft{DraftID: "names", Name: "n1", Capability: "demo.count"})
	_, err := s.api.UndoDraft(s.ctx, &lifecycle.UndoDraft{DraftChange: lifecycle.DraftChange{DraftID: "names"}})
	s.wants(err, lifecycle.NotFound, "nothing_to_undo")
	for i := 2; i <= 4; i++ {
		if _, err := s.apply("names", 0, fmt.Sprintf(`{"op": "set-name", "name": "n%d"}`, i)); err != nil {
			s.Fatal(err)
		}
	}
	for i, c := range []struct {
		to   uint64
		want string
	}{{0, "n3"}, {0, "n2"}, {4, "n4"}, {0, "n3"}, {1, "n1"}} {
		d, err := s.api.UndoDraft(s.ctx, &lifecycle.UndoDraft{DraftChange: lifecycle.DraftChange{DraftID: "names"}, To: c.to})
		if err != nil || d.Name != c.want || d.Revision != uint64(5+i) {
			s.Fatalf("undo %d: %+v, %v", i, d, err)
		}
	}
	_, err = s.api.UndoDraft(s.ctx, &lifecycle.UndoDraft{DraftChange: lifecycle.DraftChange{DraftID: "names"}, To: 99})
	s.wants(err, lifecycle.NotFound, "nothing_to_undo")
	for i := range 40 {
		if _, err := s.apply("names", 0, fmt.Sprintf(`{"op": "set-name", "name": "m%d"}`, i)); err != nil {
			s.Fatal(err)
		}
	}
	if d := s.shown("names", ""); len(d.Undo) != 20 || d.Undo[0].Revision != d.Revision-1 || d.Undo[0].Until != "drafts.apply" {
		s.Errorf("it keeps %+v", d.Undo)
	}
}

// broken has a mistake that is repaired safely, one that is not, and one that only its author can repair.
const broken = `{ "name": "broken",
  "nodes": [ {"id": "a", "type": "node", "node": "demo.cuont", "inputs": {"text": {"value": "x"}}, "next": "__end__"} ] }`

// A broken plan is kept as it is written, explained, and repaired by the calls that its findings have.
func (s *suite) repairs() {
	d := s.draft(lifecycle.CreateDraft{DraftID: "broken", Plan: json.RawMessage(broken)})
	if d.Errors == 0 || d.Advice.Recommended != "drafts.fix" {
		s.Fatalf("a broken plan: %+v", d)
	}
	if was := s.shown("broken", ""); was.Form != "written" || was.Plan == nil {
		s.Errorf("what cannot be read is shown as %s: %s", was.Form, was.Plan)
	}
	d, err := s.api.FixDraft(s.ctx, &lifecycle.FixDraft{DraftChange: lifecycle.DraftChange{DraftID: "broken", Revision: 1}})
	if err != nil || d.Revision != 2 || d.Errors != 1 || d.Diagnostics[0].Code != "node_unknown" || len(d.Changes) != 1 {
		s.Fatalf("fixed: %+v, %v", d, err)
	}
	again, err := s.api.FixDraft(s.ctx, &lifecycle.FixDraft{DraftChange: lifecycle.DraftChange{DraftID: "broken"}})
	if err != nil || again.Revision != 2 {
		s.Errorf("nothing more is safe: revision %d, %v", again.Revision, err)
	}
	v, err := s.api.ValidateDraft(s.ctx, &lifecycle.ValidateDraft{DraftID: "broken"})
	if err != nil {
		s.Fatal(err)
	}
	s.advised(v.Advice)
	fix := v.Diagnostics[0].Fixes[0]
	if fix.Call == nil || fix.Call.Method != "drafts.patch" {
		s.Fatalf("the fix is %+v", fix)
	}
	out, err := lifecycle.Call(s.ctx, s.api, fix.Call.Method, fix.Call.Params)
	if err != nil || out.(*lifecycle.Draft).Errors != 0 {
		s.Errorf("repaired: %+v, %v", out, err)
	}
	_, err = lifecycle.Call(s.ctx, s.api, fix.Call.Method, fix.Call.Params)
	s.wants(err, lifecycle.Conflict, "revision_conflict")
	if now := s.shown("broken", "written"); string(now.Plan) == "" || strings.Contains(string(now.Plan), "cuont") {
		s.Errorf("the plan is %s", now.Plan)
	}
	s.draft(lifecycle.CreateDraft{DraftID: "edges", Plan: json.RawMessage(`{"name": "edges", "nodes": [{"id": "first", "node": "spare.echo", "next": "secnd"}, {"id": "second", "node": "spare.echo", "next": "__end__"}]}`)})
	e, err := s.api.ValidateDraft(s.ctx, &lifecycle.ValidateDraft{DraftID: "edges"})
	if err != nil || len(e.Diagnostics) == 0 || len(e.Diagnostics[0].Fixes) == 0 || e.Diagnostics[0].Fixes[0].Call == nil {
		s.Fatalf("an edge that leads nowhere: %+v, %v", e, err)
	}
	fix = e.Diagnostics[0].Fixes[0]
	out, err = lifecycle.Call(s.ctx, s.api, fix.Call.Method, fix.Call.Params)
	if err != nil || out.(*lifecycle.Draft).Errors != 0 || !strings.Contains(string(fix.Call.Params), "canonical") {
		s.Errorf("repaired by %s: %+v, %v", fix.Call.Params, out, err)
	}
	if now := s.shown("edges", "written"); !strings.Contains(string(now.Plan), "second") || strings.Contains(string(now.Plan), "edges\":[") {
		s.Errorf("the plan is %s", now.Plan)
	}
	for _, p := range []lifecycle.PatchDraft{{}, {Patch: json.RawMessage(`[]`), Of: "short"}} {
		p.DraftID = "broken"
		_, err := s.api.PatchDraft(s.ctx, &p)
		s.wants(err, lifecycle.BadRequest, "params_invalid")
	}
	for _, of := range []string{"", "canonical"} {
		_, err := s.api.PatchDraft(s.ctx, &lifecycle.PatchDraft{DraftChange: lifecycle.DraftChange{DraftID: "broken"}, Of: of, Patch: json.RawMessage(`[{"op": "test", "path": "/name", "value": "else"}]`)})
		s.wants(err, lifecycle.Invalid, "edit_refused")
	}
}

func (s *suite) draftBeginnings() {
	for _, p := range []lifecycle.CreateDraft{
		{DraftID: "d", Capability: "demo.count", Plan: json.RawMessage(counting)}, {DraftID: "d", Step: "a"}, {DraftID: "d", Deployment: "weekly", Artifact: "counting@1"}, {DraftID: "d", DraftView: lifecycle.DraftView{Form: "long"}}, {DraftID: "d", Artifact: "a"},
	} {
		_, err := s.api.CreateDraft(s.ctx, &p)
		s.wants(err, lifecycle.BadRequest, "params_invalid")
	}
	_, err := s.api.CreateDraft(s.ctx, &lifecycle.CreateDraft{DraftID: "d", Capability: "demo.cuont"})
	s.wants(err, lifecycle.NotFound, wf.CodeCapabilityMissing)
	_, err = s.api.CreateDraft(s.ctx, &lifecycle.CreateDraft{DraftID: "d", Artifact: "none@1"})
	s.wants(err, lifecycle.NotFound, "artifact_not_found")
	_, err = s.api.CreateDraft(s.ctx, &lifecycle.CreateDraft{DraftID: "d", Deployment: "nobody"})
	s.wants(err, lifecycle.NotFound, "deployment_not_found")
	_, err = s.api.CreateDraft(s.ctx, &lifecycle.CreateDraft{DraftID: "d", Sources: []string{"dmeo"}})
	s.wants(err, lifecycle.NotFound, "source_unknown")
	_, err = s.api.CreateDraft(s.ctx, &lifecycle.CreateDraft{DraftID: "d", Plan: json.RawMessage(`[]`)})
	s.wants(err, lifecycle.Invalid, "edit_refused")
	d := s.draft(lifecycle.CreateDraft{DraftID: "d", Capability: "demo.count", Step: "measure", Name: "length", DraftView: lifecycle.DraftView{Form: "short"}})
	if d.Name != "length" || d.From != "capability:demo.count" || !strings.Contains(string(d.Plan), `"measure"`) || d.Errors != 0 {
		s.Errorf("from a capability: %+v", d)
	}
	sources := []string{"spare"}
	d, err = s.api.ApplyDraft(s.ctx, &lifecycle.ApplyDraft{DraftChange: lifecycle.DraftChange{DraftID: "d"}, Sources: &sources})
	if err != nil || d.Errors == 0 || d.Diagnostics[0].Code != "node_unknown" || len(d.Sources) != 1 {
		s.Errorf("with a source that does not have it: %+v, %v", d, err)
	}
	title := "The length of a text"
	sources = []string{}
	d, err = s.api.ApplyDraft(s.ctx, &lifecycle.ApplyDraft{DraftChange: lifecycle.DraftChange{DraftID: "d"}, Sources: &sources, Title: &title})
	if err != nil || d.Errors != 0 || d.Title != title || d.Revision != 3 {
		s.Errorf("with all sources: %+v, %v", d, err)
	}
}

// What is large is left out and named.
func (s *suite) draftBounds() {
	var nodes []string
	for i := range 200 {
		nodes = append(nodes, fmt.Sprintf(`{"id": "step_%d", "node": "demo.none", "input": {"text": {"value": %q}}, "next": "__end__"}`, i, strings.Repeat("long ", 30)))
	}
	s.draft(lifecycle.CreateDraft{DraftID: "large", Plan: json.RawMessage(`{"name": "large", "nodes": [` + strings.Join(nodes, ",") + `]}`)})
	d := s.shown("large", "")
	if d.Plan != nil || len(d.Diagnostics) != lifecycle.Most || len(d.Omitted) != 2 || d.Errors < 200 {
		s.Errorf("%d findings of %d are told, %d bytes of the plan, omitted: %+v", len(d.Diagnostics), d.Errors, len(d.Plan), d.Omitted)
	}
	full, err := s.api.ShowDraft(s.ctx, &lifecycle.ShowDraft{DraftID: "large", DraftView: lifecycle.DraftView{Full: true}})
	if err != nil || full.Plan == nil || len(full.Omitted) != 0 || len(full.Diagnostics) < 200 {
		s.Errorf("%d findings, omitted: %+v, %v", len(full.Diagnostics), full.Omitted, err)
	}
}

func (s *suite) draftPages() {
	for i := range 7 {
		s.draft(lifecycle.CreateDraft{DraftID: fmt.Sprintf("page-%d", i), Capability: "demo.count"})
	}
	s.draft(lifecycle.CreateDraft{DraftID: "other", Plan: json.RawMessage(broken)})
	var ids []string
	for p := (lifecycle.ListDrafts{Prefix: "page", Limit: 3}); ; {
		list, err := s.api.ListDrafts(s.ctx, &p)
		if err != nil {
			s.Fatal(err)
		}
		s.advised(list.Advice)
		for _, d := range list.Drafts {
			ids = append(ids, d.DraftID)
		}
		if p.Cursor = list.Next; p.Cursor == "" {
			break
		}
	}
	if got := strings.Join(ids, " "); got != "page-0 page-1 page-2 page-3 page-4 page-5 page-6" {
		s.Errorf("the pages have %s", got)
	}
	all, err := s.api.ListDrafts(s.ctx, &lifecycle.ListDrafts{})
	if err != nil || len(all.Drafts) != 8 || all.Drafts[0].DraftID != "other" || all.Drafts[0].Errors == 0 || all.Drafts[0].First == "" {
		s.Errorf("all: %+v, %v", all, err)
	}
	none, err := s.api.ListDrafts(s.ctx, &lifecycle.ListDrafts{Prefix: "zzz"})
	if err != nil || none.Drafts == nil {
		s.Errorf("none: %+v, %v", none, err)
	}
	s.advised(none.Advice)
	for _, p := range []lifecycle.ListDrafts{{Limit: -1}, {Limit: 1001}} {
		_, err := s.api.ListDrafts(s.ctx, &p)
		s.wants(err, lifecycle.BadRequest, "params_invalid")
	}
}
