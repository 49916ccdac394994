package lifecycle_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
	"lda.chat/wf/lifecycle/apitest"
	"lda.chat/wf/source"
	"lda.chat/wf/store"
)

// advised is a state that somebody is in who made a call: what is advised there is looked at.
type advised struct {
	// begin makes the state, anew each time, and says which call is made in it.
	begin func(t *testing.T) (api *lifecycle.Service, method string, params any)
	// ends says what becomes of somebody who does what is advised first: "" is a run that completes.
	ends string
	// after looks at the state when the run has completed.
	after func(t *testing.T, api *lifecycle.Service)
}

// nowhere is for those whom advice leads to look at something, and no further.
const nowhere = "nowhere"

// mostSteps bounds how far advice is followed.
const mostSteps = 12

func (a advised) check(t *testing.T) {
	api, method, params := a.begin(t)
	raw, err := json.Marshal(params)
	if err != nil {
		t.Fatal(err)
	}
	actions := a.call(t, api, method, raw)
	for i, n := range actions {
		api, method, params := a.begin(t)
		raw, _ := json.Marshal(params)
		again := a.call(t, api, method, raw)
		if len(again) <= i || again[i].Method != n.Method {
			t.Fatalf("the same state is advised %v and then %v", n, again)
		}
		a.takes(t, api, again[i])
	}
	if len(actions) == 0 {
		t.Errorf("after %s %s nothing is advised", method, raw)
	}
	a.follow(t, actions)
}

// call makes a call and checks what is advised behind it: by itself, and beside the call.
func (a advised) call(t *testing.T, api *lifecycle.Service, method string, params json.RawMessage) []lifecycle.NextAction {
	t.Helper()
	result, err := lifecycle.Call(t.Context(), api, method, params)
	actions := apitest.AdviceOf(result, err)
	apitest.Actions(t, actions)
	for _, n := range actions {
		if m, _ := lifecycle.LookupMethod(n.Method); n.Method == method && string(n.Params) == string(params) && (m == nil || m.ReadOnly || err != nil) && len(n.Fill) == 0 {
			t.Errorf("%s %s advises itself", method, params)
		}
	}
	return actions
}

// takes checks that a call that is advised succeeds, or says what is to be filled in.
func (a advised) takes(t *testing.T, api *lifecycle.Service, n lifecycle.NextAction) {
	t.Helper()
	m, _ := lifecycle.LookupMethod(n.Method)
	if m == nil || m.Streams {
		return
	}
	_, err := lifecycle.Call(t.Context(), api, n.Method, n.Params)
	e, failed := errors.AsType[*lifecycle.Error](err)
	if failed && (len(n.Fill) == 0 || e.Kind == lifecycle.BadRequest) {
		t.Errorf("%s is advised (%s, to be filled in: %v), and fails: %s, %v", n.CLI, n.Params, n.Fill, e.Kind, e)
	}
}

// follow does what is advised first, over and over.
func (a advised) follow(t *testing.T, actions []lifecycle.NextAction) {
	t.Helper()
	api, method, params := a.begin(t)
	raw, _ := json.Marshal(params)
	actions = a.call(t, api, method, raw)
	path := method
	for range mostSteps {
		if len(actions) == 0 {
			break
		}
		n := actions[0]
		path += "\n" + n.CLI
		result, err := lifecycle.Call(t.Context(), api, n.Method, n.Params)
		run, isRun := result.(*lifecycle.Run)
		if isRun && err == nil && run.Status.Ended() {
			if string(run.Status) != a.ends && (a.ends != "" || run.Status != wf.StatusCompleted) {
				t.Errorf("the run is %s, expected %q:\n%s", run.Status, a.ends, path)
			}
			if a.after != nil {
				a.after(t, api)
			}
			return
		}
		actions = apitest.AdviceOf(result, err)
		apitest.Actions(t, actions)
	}
	if a.ends != nowhere {
		t.Errorf("the advice leads nowhere, expected %q:\n%s", a.ends, path)
	}
}

func deploymentCalls(id string) map[string]any {
	return map[string]any{
		"deployments.show":     lifecycle.ShowDeployment{Deployment: id},
		"deployments.validate": lifecycle.ValidateDeployment{Deployment: id},
		"deployments.preview":  lifecycle.PreviewDeployment{Deployment: id},
		"runs.start":           lifecycle.StartRun{Deployment: id, Input: json.RawMessage(`{"id":5}`), Wait: true},
	}
}

// Somebody whose deployment has drifted is led back to a run of that deployment, whatever the deployment, its artifact and the plan are
// called, and whatever drafts there are already.
func TestAdviceAboutDrift(t *testing.T) {
	t.Parallel()
	narrow := func(d *wf.NodeDef) {
		d.InputSchema = wf.Schema(`{"type":"object","required":["id"],"properties":{"id":{"type":"integer","maximum":10}}}`)
	}
	lives := map[string][]*wf.NodeDef{
		"input narrowed": {buy(narrow)},
		"input added": {buy(func(d *wf.NodeDef) {
			d.InputSchema = wf.Schema(`{"type":"object","required":["id","note"],"properties":{"id":{"type":"integer"},"note":{"type":"string"}}}`)
		})},
		"output changed": {buy(func(d *wf.NodeDef) {
			d.OutputSchema = wf.Schema(`{"type":"object","properties":{"price":{"type":["integer","string"]}}}`)
		})},
		"outcome added":       {buy(func(d *wf.NodeDef) { d.Outcomes = []wf.Outcome{wf.OK, "sold_out"} })},
		"no longer read-only": {buy(func(d *wf.NodeDef) { d.Effect = wf.EffectOnce })},
		"renamed":             {buy(func(d *wf.NodeDef) { d.Name = "buys" })},
		"another":             {buy(func(d *wf.NodeDef) { d.Name = "purchase" })},
		"removed":             nil,
	}
	names := map[string]struct{ deployment, artifact string }{
		"one name": {"buying", "buying"}, "three names": {"weekly", "sales"},
	}
	drafts := map[string]lifecycle.CreateDraft{
		"no draft": {}, "a draft of the name": {Capability: "old.buy"}, "the draft for it": {Deployment: "same"},
	}
	for what, live := range lives {
		for called, name := range names {
			for had, draft := range drafts {
				for method, params := range deploymentCalls(name.deployment) {
					if called == "one name" && method != "runs.start" {
						continue
					}
					t.Run(strings.Join([]string{what, called, had, method}, ", "), func(t *testing.T) {
						t.Parallel()
						a := advised{begin: func(t *testing.T) (*lifecycle.Service, string, any) {
							st := store.NewMemory(nil)
							before := on(t, st, selling(t, buy(nil)))
							saved, err := before.CreateArtifact(t.Context(), &lifecycle.CreateArtifact{Plan: json.RawMessage(buying), Artifact: name.artifact})
							if err != nil {
								t.Fatal(err)
							}
							p := &lifecycle.SaveDeployment{Artifact: saved.Artifact, Bindings: source.Bindings{{Logical: "shop", Source: "shop"}}}
							for _, id := range []string{name.deployment, "other"} {
								p.Deployment = id
								if _, err := before.SaveDeployment(t.Context(), p); err != nil {
									t.Fatal(err)
								}
							}
							if had != "no draft" {
								draft := draft
								draft.DraftID = name.deployment
								if draft.Deployment != "" {
									draft.Deployment = name.deployment
								}
								if _, err := before.CreateDraft(t.Context(), &draft); err != nil {
									t.Fatal(err)
								}
							}
							set, err := source.NewSet(t.Context(), shop{"shop", live})
							if err != nil {
								t.Fatal(err)
							}
							return on(t, st, set), method, params
						}}
						if live == nil {
							a.ends = nowhere
						}
						a.after = func(t *testing.T, api *lifecycle.Service) {
							list, err := api.ListDeployments(t.Context(), &lifecycle.ListDeployments{})
							if err != nil || len(list.Deployments) != 2 {
								t.Fatalf("there are %+v, %v: expected the two deployments", list, err)
							}
							for _, d := range list.Deployments {
								want := name.artifact + "@2"
								if d.Deployment == "other" {
									want = name.artifact + "@1"
								}
								if d.Artifact != want {
									t.Errorf("%s runs %s, expected %s", d.Deployment, d.Artifact, want)
								}
							}
						}
						a.check(t)
					})
				}
			}
		}
	}
}

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

// lost is a capability of which nobody knows what became of its call.
func lost(effect wf.Effect) source.Source {
	def := &wf.NodeDef{Name: "pay", Effect: effect, OutputSchema: wf.Schema(`{"type":"object","required":["receipt"],"properties":{"receipt":{"type":"string"}}}`)}
	return made{"bank", wf.RawNode(def, func(ctx context.Context, _ json.RawMessage) (*wf.Result, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})}
}

// picky is a capability that takes less than it says.
func picky() source.Source {
	def := &wf.NodeDef{Name: "say", Effect: wf.EffectPure, InputSchema: wf.Schema(`{"type":"object","required":["text"],"properties":{"text":{"type":"string","maxLength":5}}}`)}
	return made{"voice", wf.RawNode(def, func(context.Context, json.RawMessage) (*wf.Result, error) { return nil, errors.New("it is hoarse") })}
}

// What can be done with a run that waits, has failed, was cancelled or was not started is advised; calls that succeed are told from
// those with something to fill in, and the place of it is named.
func TestAdviceAboutRuns(t *testing.T) {
	t.Parallel()
	const (
		asks   = `{"name": "asks", "nodes": [{"id": "ask", "type": "interrupt", "kind": "approval", "outcomes": ["yes", "no"], "resume_schema": {"type": "object", "required": ["why"], "properties": {"why": {"type": "string"}}}, "on": {"yes": "__end__", "no": "__end__"}}]}`
		pays   = `{"name": "pays", "nodes": [{"id": "pay", "node": "bank.pay", "timeout_seconds": 0.01, "next": "__end__"}]}`
		speaks = `{"name": "speaks", "input_schema": {"type": "object", "required": ["word"], "properties": {"word": {"type": "string"}, "times": {"type": "integer", "default": 1}}},
			"nodes": [{"id": "say", "node": "voice.say", "input": {"text": "input.word"}, "next": "__end__"}]}`
	)
	fills := func(t *testing.T, n lifecycle.NextAction, method string, want ...string) {
		t.Helper()
		if n.Method != method || strings.Join(n.Fill, " ") != strings.Join(want, " ") {
			t.Errorf("%s is advised, to be filled in at %v: expected %s at %v", n.CLI, n.Fill, method, want)
		}
	}
	for what, c := range map[string]struct {
		plan, input string
		act         string // on the run: a method that takes its id
		params      string
		ends        string
		look        func(t *testing.T, actions []lifecycle.NextAction)
	}{
		"waits": {asks, "", "", "", "", func(t *testing.T, actions []lifecycle.NextAction) {
			fills(t, actions[0], "runs.resume", "/answers/0/payload/why")
		}},
		"waits, explained": {asks, "", "runs.explain", "", "", func(t *testing.T, actions []lifecycle.NextAction) {
			fills(t, actions[1], "runs.resume", "/answers/0/payload/why")
		}},
		"waits, badly answered": {asks, "", "runs.resume", `"answers":[{"outcome":"yes"}],`, "", nil},
		"in doubt": {pays, "", "", "", "failed", func(t *testing.T, actions []lifecycle.NextAction) {
			fills(t, actions[0], "runs.decide")
			fills(t, actions[1], "runs.decide", "/output/receipt")
			fills(t, actions[2], "runs.decide")
		}},
		"cancelled":   {asks, "", "runs.cancel", "", "", nil},
		"failed":      {speaks, `{"word":"hi"}`, "", "", "failed", nil},
		"failed, why": {speaks, `{"word":"hi"}`, "runs.explain", "", "failed", nil},
		"failed by its input": {speaks, `{"word":"too long"}`, "", "", "failed", func(t *testing.T, actions []lifecycle.NextAction) {
			fills(t, actions[0], "runs.explain")
			if want := "/input/word"; actions[1].Method != "runs.start" || actions[1].Fill[0] != want {
				t.Errorf("%s is advised, to be filled in at %v: expected a start at %s", actions[1].CLI, actions[1].Fill, want)
			}
		}},
		"failed, traced":            {speaks, `{"word":"hi"}`, "runs.trace", "", "failed", nil},
		"failed, inspected":         {speaks, `{"word":"hi"}`, "runs.inspect", "", "failed", nil},
		"not started":               {speaks, `{"word":5}`, "", "", "failed", nil},
		"not started, without":      {speaks, ``, "", "", "failed", nil},
		"not started, by what else": {speaks, `[]`, "", "", "failed", nil},
	} {
		for _, deployed := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, deployed %t", what, deployed), func(t *testing.T) {
				t.Parallel()
				a := advised{ends: c.ends, begin: func(t *testing.T) (*lifecycle.Service, string, any) {
					set, err := source.NewSet(t.Context(), lost(wf.EffectOnce), picky())
					if err != nil {
						t.Fatal(err)
					}
					api := on(t, store.NewMemory(nil), set)
					p := lifecycle.StartRun{Plan: json.RawMessage(c.plan), RunID: "r", Wait: true}
					if c.input != "" {
						p.Input = json.RawMessage(c.input)
					}
					if deployed {
						saved, err := api.CreateArtifact(t.Context(), &lifecycle.CreateArtifact{Plan: p.Plan, Artifact: "saved"})
						if err != nil {
							t.Fatal(err)
						}
						d := &lifecycle.SaveDeployment{Artifact: saved.Artifact, Bindings: source.Bindings{}}
						for _, id := range saved.Sources {
							d.Bindings = append(d.Bindings, source.Binding{Logical: id, Source: id})
						}
						d.Deployment = "weekly"
						if _, err := api.SaveDeployment(t.Context(), d); err != nil {
							t.Fatal(err)
						}
						p.Plan, p.Deployment = nil, "weekly"
					}
					if c.act == "" {
						return api, "runs.start", p
					}
					if _, err := api.StartRun(t.Context(), &p); err != nil {
						t.Fatal(err)
					}
					return api, c.act, json.RawMessage(`{` + c.params + `"run_id":"r"}`)
				}}
				if c.look != nil {
					api, method, params := a.begin(t)
					raw, _ := json.Marshal(params)
					c.look(t, a.call(t, api, method, raw))
				}
				a.check(t)
			})
		}
	}
}
