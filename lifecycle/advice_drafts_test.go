package lifecycle_test

import (
	"encoding/json"
	"strings"
	"testing"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
	"lda.chat/wf/store"
)

// brokenPlans are plans with one mistake or a few that advice repairs, and those of the table of codes.
func brokenPlans() map[string]struct{ plan, ends string } {
	const (
		input = `"input_schema": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}, `
		state = `"state_schema": {"type": "object", "properties": {"price": {"type": "integer"}}}, `
	)
	all := map[string]struct{ plan, ends string }{
		"no steps":                 {`{"name": "p", "nodes": []}`, ""},
		"near capability":          {`{"name": "p", ` + input + `"nodes": [{"id": "a", "node": "shop.bui", "input": {"id": "input.id"}, "next": "__end__"}]}`, ""},
		"capability elsewhere":     {`{"name": "p", ` + input + `"nodes": [{"id": "a", "node": "market.buy", "input": {"id": "input.id"}, "next": "__end__"}]}`, ""},
		"far capability":           {`{"name": "p", ` + input + `"nodes": [{"id": "a", "node": "some.thing", "input": {"id": "input.id"}, "next": "__end__"}]}`, ""},
		"unbound, by name":         {`{"name": "p", ` + input + `"nodes": [{"id": "a", "node": "shop.buy", "next": "__end__"}]}`, ""},
		"unbound, by type":         {`{"name": "p", "input_schema": {"type": "object", "required": ["number"], "properties": {"number": {"type": "integer"}}}, "nodes": [{"id": "a", "node": "shop.buy", "next": "__end__"}]}`, ""},
		"unbound, by a step":       {`{"name": "p", ` + input + `"nodes": [{"id": "a", "node": "shop.buy", "input": {"id": "input.id"}, "next": "b"}, {"id": "b", "node": "shop.buy", "next": "__end__"}]}`, ""},
		"unbound, and nothing":     {`{"name": "p", "nodes": [{"id": "a", "node": "shop.buy", "next": "__end__"}]}`, ""},
		"unwired":                  {`{"name": "p", ` + input + `"nodes": [{"id": "a", "node": "shop.buy", "input": {"id": "input.id"}}]}`, ""},
		"unwired, and a step":      {`{"name": "p", ` + input + `"nodes": [{"id": "a", "node": "shop.buy", "input": {"id": "input.id"}}, {"id": "b", "node": "shop.buy", "input": {"id": "input.id"}, "next": "__end__"}]}`, ""},
		"unwired question":         {`{"name": "p", "nodes": [{"id": "a", "type": "interrupt", "kind": "approval", "outcomes": ["yes", "no", "later"]}]}`, ""},
		"no such step":             {`{"name": "p", ` + input + `"nodes": [{"id": "a", "node": "shop.buy", "input": {"id": "input.id"}, "next": "second"}]}`, ""},
		"near step":                {`{"name": "p", ` + input + `"nodes": [{"id": "a", "node": "shop.buy", "input": {"id": "input.id"}, "next": "secnd"}, {"id": "second", "node": "shop.buy", "input": {"id": "input.id"}, "next": "__end__"}]}`, ""},
		"never written":            {`{"name": "p", ` + input + state + `"output": {"cost": "state.price"}, "nodes": [{"id": "a", "node": "shop.buy", "input": {"id": "input.id"}, "next": "__end__"}]}`, ""},
		"never written, by a step": {`{"name": "p", ` + input + `"nodes": [{"id": "a", "node": "shop.buy", "input": {"id": "input.id"}, "next": "b"}, {"id": "b", "node": "shop.buy", "input": {"id": "state.price"}, "next": "__end__"}]}`, ""},
		"nothing for output":       {`{"name": "p", ` + input + `"output_schema": {"type": "object", "required": ["price"], "properties": {"price": {"type": "integer"}}}, "output": {}, "nodes": [{"id": "a", "node": "shop.buy", "input": {"id": "input.id"}, "next": "__end__"}]}`, ""},
		"a workflow inside":        {`{"name": "p", "nodes": [{"id": "s", "type": "subgraph", "workflow": "in", "next": "__end__"}], "workflows": {"in": {"name": "in", "nodes": [{"id": "a", "node": "shop.bui", "input": {"id": {"value": 1}}, "next": "nowhere"}]}}}`, ""},
		"no such artifact":         {`{"name": "p", "nodes": [{"id": "s", "type": "subgraph", "workflow": "report@1", "next": "__end__"}]}`, nowhere},
		"another version":          {`{"name": "p", ` + input + `"nodes": [{"id": "s", "type": "subgraph", "workflow": "buying@7", "input": {"id": "input.id"}, "next": "__end__"}]}`, ""},
		"other words":              {`{"name": "p", ` + input + state + `"nodes": [{"id": "a", "node": "shop.buy", "inputs": {"id": "input.id"}, "output": {"price": "state.price"}, "next": "END"}]}`, ""},
		"something else inside":    {`{"name": "p", "nodes": [{"id": "a", "node": 5, "next": "__end__"}]}`, nowhere},
	}
	for _, c := range wf.Codes() {
		if strings.HasPrefix(c.Bad, "{") {
			all["code "+string(c.Code)] = struct{ plan, ends string }{c.Bad, "any"}
		}
	}
	return all
}

// What is wrong with a draft is repaired by what is advised, step by step, as far as that is known.
func TestAdviceAboutBrokenDrafts(t *testing.T) {
	t.Parallel()
	for what, c := range brokenPlans() {
		for _, method := range []string{"drafts.create", "drafts.validate", "drafts.show", "drafts.save", "drafts.fix"} {
			if c.ends == "any" && method != "drafts.create" && method != "drafts.validate" {
				continue
			}
			t.Run(what+", "+method, func(t *testing.T) {
				t.Parallel()
				a := advised{ends: c.ends, begin: func(t *testing.T) (*lifecycle.Service, string, any) {
					api := on(t, store.NewMemory(nil), selling(t, buy(nil)))
					if _, err := api.CreateArtifact(t.Context(), &lifecycle.CreateArtifact{Plan: json.RawMessage(buying)}); err != nil {
						t.Fatal(err)
					}
					id, params := "d", any(map[string]string{"draft_id": "d"})
					if method == "drafts.create" {
						id, params = "", lifecycle.CreateDraft{DraftID: "d", Plan: json.RawMessage(c.plan)}
					}
					if id != "" {
						if _, err := api.CreateDraft(t.Context(), &lifecycle.CreateDraft{DraftID: id, Plan: json.RawMessage(c.plan)}); err != nil {
							t.Skip("no draft can begin with it: ", err)
						}
					}
					return api, method, params
				}}
				if a.ends == "any" {
					a.ends = nowhere
					api, method, params := a.begin(t)
					raw, _ := json.Marshal(params)
					actions := a.call(t, api, method, raw)
					for i := range actions {
						api, method, params := a.begin(t)
						raw, _ := json.Marshal(params)
						a.takes(t, api, a.call(t, api, method, raw)[i])
					}
					return
				}
				a.check(t)
			})
		}
	}
}
