package apitest

import (
	"encoding/json"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
)

// named is a plan that can be saved under any name, with a description.
func named(description string) json.RawMessage {
	return json.RawMessage(`{"name": "named", "description": "` + description + `", "outcomes": ["ok", "none"],
		"input_schema": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}, "nested": {"type": "object", "properties": {"deep": {"type": "string"}}}}},
		"output_schema": {"type": "object", "properties": {"size": {"type": "integer"}}}, "output": {"size": "steps.count.length"},
		"nodes": [{"id": "count", "node": "demo.count", "input": {"text": "input.text"}, "next": "__end__"}, {"id": "stop", "type": "end", "outcome": "none"}]}`)
}

// saves saves that plan under names and versions.
func (s *suite) saves(refs ...string) {
	s.Helper()
	for _, ref := range refs {
		name, version, _ := strings.Cut(ref, "@")
		s.saved(lifecycle.CreateArtifact{Plan: named("Counts as " + ref), Artifact: name, Version: version, Title: "The title of " + ref})
	}
}

// listed lists all capabilities in pages, as words.
func (s *suite) listed(p lifecycle.ListCapabilities) (refs []string) {
	s.Helper()
	for {
		list, err := s.api.ListCapabilities(s.ctx, &p)
		if err != nil {
			s.Fatal(err)
		}
		s.advised(list.Advice)
		if p.Limit > 0 && len(list.Capabilities) > p.Limit {
			s.Errorf("%d capabilities on a page of %d", len(list.Capabilities), p.Limit)
		}
		for _, c := range list.Capabilities {
			if refs = append(refs, c.Capability); c.Workflow != strings.Contains(c.Capability, "@") || c.Workflow != (c.Source == "") || len(c.Outcomes) == 0 {
				s.Errorf("it is listed as %+v", c)
			}
		}
		if p.Cursor = list.Next; p.Cursor == "" || len(refs) > 100 {
			return refs
		}
	}
}

// What was saved can be called by steps, like what sources have; it is found by its name, and run.
func (s *suite) savedCapabilities() {
	s.saves("report@1", "report@2", "report@10", "report@beta", "notes@old", "notes@new", "demo.fail@1")
	show := func(ref string) *lifecycle.ShownCapability {
		s.Helper()
		c, err := s.api.ShowCapability(s.ctx, &lifecycle.ShowCapability{Capability: ref})
		if err != nil {
			s.Fatal(err)
		}
		s.advised(c.Advice)
		return c
	}
	for ref, want := range map[string]string{"report": "report@10", "report@2": "report@2", "report@beta": "report@beta", "notes": "notes@new", "demo.fails": "demo.fails", "demo.fail": "demo.fail@1"} {
		c := show(ref)
		if c.Capability != want || c.Contract.Name != strings.Split(want, "@")[0] || c.Workflow != strings.Contains(want, "@") || !strings.HasPrefix(c.Hash, "contract1:") {
			s.Errorf("%s is shown as %+v, expected %s", ref, c, want)
		}
		if c.Workflow && (c.Title != "The title of "+want || c.Contract.Description != "Counts as "+want || len(c.Contract.Outcomes) != 2 || len(c.Contract.InputSchema) == 0 || len(c.Contract.OutputSchema) == 0) {
			s.Errorf("%s is shown as %+v", ref, c)
		}
	}
	for ref, hint := range map[string]string{"report@3": "report@10", "reprot": "report", "reprot@1": "report@1", "other.thing": "demo, spare, twin", "": "demo", "odd name": "demo"} {
		_, err := s.api.ShowCapability(s.ctx, &lifecycle.ShowCapability{Capability: ref})
		if e := s.wants(err, lifecycle.NotFound, wf.CodeCapabilityMissing); !strings.Contains(e.Diagnostics[0].RepairHint, hint) {
			s.Errorf("%s: the hint is %q, expected one with %s", ref, e.Diagnostics[0].RepairHint, hint)
		}
	}

	_, err := s.api.CallCapability(s.ctx, &lifecycle.CallCapability{Capability: "report", Input: json.RawMessage(`{"text":"abc"}`)})
	e := s.wants(err, lifecycle.BadRequest, "workflow_not_called")
	if _, err := lifecycle.Call(s.ctx, s.api, e.NextActions[0].Method, e.NextActions[0].Params); err != nil {
		s.Error(err)
	}
	_, err = s.api.CallCapability(s.ctx, &lifecycle.CallCapability{Capability: "report@10", Input: json.RawMessage(`{"text":"abc"}`)})
	e = s.wants(err, lifecycle.BadRequest, "workflow_not_called")
	out, err := lifecycle.Call(s.ctx, s.api, e.NextActions[0].Method, e.NextActions[0].Params)
	if run, ok := out.(*lifecycle.Run); err != nil || !ok || string(run.Output) != `{"size":3}` {
		s.Errorf("run as it was told: %+v, %v", out, err)
	}

	d, err := s.api.CreateDraft(s.ctx, &lifecycle.CreateDraft{DraftID: "outer", Capability: "report", DraftView: lifecycle.DraftView{Form: "short"}})
	if err != nil || d.Errors != 0 || d.From != "capability:report@10" || d.Name != "outer" || !strings.Contains(string(d.Plan), `"report@10"`) {
		s.Fatalf("the draft is %+v, %v", d, err)
	}
	d, err = s.api.ApplyDraft(s.ctx, &lifecycle.ApplyDraft{DraftChange: lifecycle.DraftChange{DraftID: "outer"},
		Edits: json.RawMessage(`{"op": "add-step", "before": "call", "step": {"id": "first", "workflow": "notes@old", "input": {"text": "input.text"}, "on": {"none": "call"}}}`)})
	if err != nil || d.Errors != 0 {
		s.Fatalf("with another step it is %+v, %v", d, err)
	}
	a, err := s.api.SaveDraft(s.ctx, &lifecycle.SaveDraft{DraftChange: lifecycle.DraftChange{DraftID: "outer"}})
	if err != nil || len(a.Children) != 2 || a.Children[0].Artifact != "notes@old" || a.Children[1].Artifact != "report@10" {
		s.Errorf("it is saved as %+v, %v", a, err)
	}
	d, err = s.api.CreateDraft(s.ctx, &lifecycle.CreateDraft{DraftID: "wrong", Plan: json.RawMessage(`{"name": "wrong", "nodes": [{"id": "one", "node": "report@1", "input": {"text": {"value": "a"}}, "on": {"ok": "__end__", "none": "__end__"}}]}`)})
	if err != nil || d.Errors == 0 {
		s.Fatalf("a saved workflow as a node: %+v, %v", d, err)
	}
	d, err = s.api.FixDraft(s.ctx, &lifecycle.FixDraft{DraftChange: lifecycle.DraftChange{DraftID: "wrong"}})
	if err != nil || d.Errors != 0 {
		s.Errorf("it is not repaired: %+v, %v", d, err)
	}
}

// Whoever names a saved workflow without its version is told which there is, with the call that writes it.
func (s *suite) savedWithoutVersion() {
	s.saves("report@1", "report@2")
	for id, step := range map[string]string{
		"workflow": `{"id": "one", "workflow": "report", "input": {"text": {"value": "a"}}, "on": {"ok": "__end__", "none": "__end__"}}`,
		"subgraph": `{"id": "one", "type": "subgraph", "workflow": "report", "input": {"text": {"value": "a"}}, "on": {"ok": "__end__", "none": "__end__"}}`,
		"node":     `{"id": "one", "node": "report", "input": {"text": {"value": "a"}}, "on": {"ok": "__end__", "none": "__end__"}}`,
		"typed":    `{"id": "one", "type": "node", "node": "report", "input": {"text": {"value": "a"}}, "on": {"ok": "__end__", "none": "__end__"}}`,
	} {
		d, err := s.api.CreateDraft(s.ctx, &lifecycle.CreateDraft{DraftID: id, Plan: json.RawMessage(`{"name": "outer", "nodes": [` + step + `]}`)})
		if err != nil || d.Errors == 0 {
			s.Fatalf("%s: %+v, %v", id, d, err)
		}
		fixes := d.Diagnostics[0].Fixes
		if len(fixes) == 0 || fixes[len(fixes)-1].Call == nil || !strings.Contains(d.Diagnostics[0].RepairHint, `"report@2"`) {
			s.Errorf("%s: what is found is %+v", id, d.Diagnostics)
			continue
		}
		call := fixes[len(fixes)-1].Call
		out, err := lifecycle.Call(s.ctx, s.api, call.Method, call.Params)
		if d, ok := out.(*lifecycle.Draft); err != nil || !ok || d.Errors != 0 {
			s.Errorf("%s: repaired it is %+v, %v", id, out, err)
		}
	}
}

// Every capability comes once, whatever the size of pages, and whatever is saved meanwhile.
func (s *suite) capabilityPages() {
	s.saves("a@1", "demo@1", "demo.count@2", "demo.count@10", "z-1@1", "z@9", "z@10", "z@x")
	all := "a@1 demo.count demo.count@10 demo.fails demo.lost demo.strict demo@1 spare.echo twin.count z-1@1 z@10"
	for _, limit := range []int{0, 1, 2, 3, 7} {
		if got := strings.Join(s.listed(lifecycle.ListCapabilities{Limit: limit}), " "); got != all {
			s.Errorf("in pages of %d: %s", limit, got)
		}
	}
	for want, p := range map[string]lifecycle.ListCapabilities{
		"demo.count demo.fails demo.lost demo.strict": {Source: "demo"},
		"demo.count":                          {Source: "demo", Text: "LENGTH"},
		"a@1 demo.count@10 demo@1 z-1@1 z@10": {Text: "deep"},
		"z@10":                                {Text: "the title of z@"},
		"a@1 demo.count demo.count@10 demo@1 twin.count z-1@1": {Text: "count", Cursor: ""},
		"": {Text: "properties"},
	} {
		for _, p.Limit = range []int{0, 2} {
			got := strings.Join(s.listed(p), " ")
			if p.Text == "count" {
				got = strings.TrimSuffix(got, " z@10")
			}
			if got != want {
				s.Errorf("%+v: %s, expected %s", p, got, want)
			}
		}
	}
	page, err := s.api.ListCapabilities(s.ctx, &lifecycle.ListCapabilities{Limit: 10})
	if err != nil || page.Next != "z-1@1" {
		s.Fatal(page, err)
	}
	s.saves("z-1@2", "a@2")
	if got := strings.Join(s.listed(lifecycle.ListCapabilities{Cursor: page.Next}), " "); got != "z@10" {
		s.Errorf("behind %s come %s", page.Next, got)
	}
	_, err = s.api.ListCapabilities(s.ctx, &lifecycle.ListCapabilities{Limit: -1})
	s.wants(err, lifecycle.BadRequest, "params_invalid")
	_, err = s.api.ListCapabilities(s.ctx, &lifecycle.ListCapabilities{Source: "demmo"})
	s.wants(err, lifecycle.NotFound, "source_unknown")
}
