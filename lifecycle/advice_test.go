package lifecycle_test

import (
	"encoding/json"
	"errors"
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
	a.follow(t)
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
func (a advised) follow(t *testing.T) {
	t.Helper()
	api, method, params := a.begin(t)
	raw, _ := json.Marshal(params)
	actions := a.call(t, api, method, raw)
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
