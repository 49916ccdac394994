package lifecycle_test

import (
	"encoding/json"
	"testing"

	"lda.chat/wf/lifecycle"
	"lda.chat/wf/store"
)

// callsOfMethods has calls of each method in a store with two versions of an artifact, deployments of both, drafts, and runs that wait, have
// completed, have failed, go step by step, are queued and in doubt.
var callsOfMethods = map[string][]string{
	"artifacts.create_from_plan": {`{"plan": {"name": "new", "nodes": []}}`, `{"plan": {"name": "buying", "nodes": [{"id": "a", "node": "shop.buy", "input": {"id": {"value": 1}}, "next": "__end__"}]}}`},
	"artifacts.diff":             {`{"old": "buying@1", "new": "buying@2"}`, `{"old": "buying@1", "new": "buying@9"}`},
	"artifacts.export":           {`{"artifact": "buying@1"}`, `{"artifact": "buying"}`},
	"artifacts.graph":            {`{"artifact": "buying@1"}`, `{"artifact": "buying@1", "as": "dot"}`},
	"artifacts.import":           {`{"file": {"format": "wf-artifacts/1", "artifacts": []}}`},
	"artifacts.list":             {`{}`, `{"limit": 1}`, `{"name": "none"}`},
	"artifacts.show":             {`{"artifact": "buying@1"}`, `{"artifact": "buying@2", "form": "none"}`, `{"artifact": "none@1"}`},
	"capabilities.call":          {`{"capability": "shop.buy", "input": {"id": 1}}`, `{"capability": "shop.buy"}`, `{"capability": "shop.bui"}`},
	"capabilities.list":          {`{}`, `{"limit": 1}`, `{"text": "none"}`},
	"capabilities.show":          {`{"capability": "shop.buy"}`},
	"codes.explain":              {`{"code": "input_unbound"}`, `{"code": "none"}`},
	"codes.list":                 {`{}`},
	"deployments.delete":         {`{"deployment": "new"}`, `{"deployment": "asked"}`, `{"deployment": "none"}`},
	"deployments.disable":        {`{"deployment": "new"}`, `{"deployment": "new", "revision": 7}`},
	"deployments.enable":         {`{"deployment": "new"}`, `{"deployment": "off"}`},
	"deployments.list":           {`{}`, `{"limit": 1}`, `{"artifact": "none"}`},
	"deployments.preview":        {`{"deployment": "new"}`, `{"deployment": "off"}`, `{"deployment": "lost"}`, `{"deployment": "given"}`},
	"deployments.retain":         {`{}`},
	"deployments.save": {`{"deployment": "new", "max_runs": 1}`, `{"deployment": "more", "artifact": "buying@1"}`, `{"deployment": "more", "artifact": "none@1"}`,
		`{"deployment": "new", "bindings": [{"logical": "shop", "source": "sohp"}]}`, `{"deployment": "new", "defaults": {"id": "x"}}`},
	"deployments.show":     {`{"deployment": "new"}`, `{"deployment": "old"}`, `{"deployment": "off"}`, `{"deployment": "lost"}`, `{"deployment": "given"}`},
	"deployments.validate": {`{"deployment": "new"}`, `{"deployment": "off"}`, `{"deployment": "lost"}`, `{"deployment": "given"}`},
	"drafts.apply":         {`{"draft_id": "fine", "edits": {"op": "set-name", "name": "x"}}`, `{"draft_id": "fine", "revision": 9, "title": "x"}`, `{"draft_id": "none", "title": "x"}`},
	"drafts.create":        {`{"draft_id": "x"}`, `{"draft_id": "fine", "capability": "shop.buy"}`, `{"draft_id": "x", "artifact": "buying@1"}`, `{"draft_id": "x", "deployment": "old"}`},
	"drafts.delete":        {`{"draft_id": "fine"}`, `{"draft_id": "fine", "revision": 9}`},
	"drafts.fix":           {`{"draft_id": "fine"}`, `{"draft_id": "broken"}`, `{"draft_id": "broken", "revision": 9}`},
	"drafts.list":          {`{}`, `{"limit": 1}`, `{"prefix": "none"}`},
	"drafts.patch":         {`{"draft_id": "fine", "patch": []}`, `{"draft_id": "fine", "revision": 9, "patch": []}`},
	"drafts.save":          {`{"draft_id": "fine"}`, `{"draft_id": "fine", "artifact": "buying", "version": "1"}`, `{"draft_id": "broken"}`, `{"draft_id": "fine", "revision": 9}`},
	"drafts.show":          {`{"draft_id": "fine"}`, `{"draft_id": "broken", "form": "written"}`, `{"draft_id": "none"}`},
	"drafts.undo":          {`{"draft_id": "fine"}`, `{"draft_id": "broken"}`},
	"drafts.validate":      {`{"draft_id": "fine"}`, `{"draft_id": "broken", "full": true}`},
	"events.list":          {`{}`, `{"limit": 1}`, `{"subject": "draft:none"}`},
	"runs.backtest":        {`{"plan": ` + buying + `}`, `{"plan": {"name": "p", "nodes": []}}`},
	"runs.cancel":          {`{"run_id": "asks"}`, `{"run_id": "done"}`, `{"run_id": "none"}`},
	"runs.decide":          {`{"run_id": "asks", "verdict": "fail"}`, `{"run_id": "done", "verdict": "fail"}`},
	"runs.delete":          {`{"run_id": "done"}`, `{"run_id": "asks"}`},
	"runs.diff":            {`{"a": {"run_id": "done"}, "b": {"run_id": "asks"}}`},
	"runs.explain":         {`{"run_id": "done"}`, `{"run_id": "asks"}`, `{"run_id": "stepped"}`},
	"runs.fork":            {`{"run_id": "done", "event": 1, "wait": true}`, `{"run_id": "done", "event": 99}`},
	"runs.inspect":         {`{"run_id": "done"}`, `{"run_id": "asks"}`, `{"run_id": "stepped"}`, `{"run_id": "queued"}`, `{"run_id": "none"}`},
	"runs.list":            {`{}`, `{"limit": 1}`, `{"waiting": true}`, `{"workflow": "none"}`},
	"runs.replay":          {`{"run_id": "done", "event": 1}`, `{"run_id": "asks"}`},
	"runs.resume":          {`{"run_id": "asks", "answers": [{"outcome": "yes"}], "wait": true}`, `{"run_id": "asks", "answers": [{"outcome": "no"}]}`, `{"run_id": "done", "answers": [{}]}`},
	"runs.start": {`{"deployment": "new", "input": {"id": 1}, "wait": true}`, `{"deployment": "off"}`, `{"deployment": "lost"}`, `{"deployment": "none"}`, `{"plan": {"name": "p", "nodes": []}}`,
		`{"deployment": "given", "wait": true}`, `{"deployment": "new", "input": {"id": 1}, "run_id": "done"}`},
	"runs.step":       {`{"run_id": "stepped"}`, `{"run_id": "asks"}`},
	"runs.trace":      {`{"run_id": "done"}`, `{"run_id": "done", "limit": 1}`, `{"run_id": "asks", "step": "none"}`},
	"schemas.get":     {`{}`, `{"name": "none"}`},
	"sources.inspect": {`{"source": "shop"}`, `{"source": "none"}`},
	"sources.list":    {`{}`},
	"status.get":      {`{}`},
}

// Whatever operation is made, well or badly: what is advised then can be done, or says what is to be filled in.
func TestAdviceOfMethods(t *testing.T) {
	t.Parallel()
	for _, m := range lifecycle.Methods() {
		calls := callsOfMethods[m.Name]
		if len(calls) == 0 && !m.Streams {
			t.Errorf("%s is not among the calls", m.Name)
		}
		for _, params := range calls {
			t.Run(m.Name+" "+params, func(t *testing.T) {
				t.Parallel()
				a := advised{begin: func(t *testing.T) (*lifecycle.Service, string, any) { return busy(t), m.Name, json.RawMessage(params) }}
				for i := range a.call(t, busy(t), m.Name, json.RawMessage(params)) {
					api := busy(t)
					a.takes(t, api, a.call(t, api, m.Name, json.RawMessage(params))[i])
				}
			})
		}
	}
}

// busy is a service in whose store something of each kind is.
func busy(t *testing.T) *lifecycle.Service {
	t.Helper()
	api := on(t, store.NewMemory(nil), selling(t, buy(nil)))
	for _, c := range []struct{ method, params string }{
		{"artifacts.create_from_plan", `{"plan": ` + buying + `}`},
		{"artifacts.create_from_plan", `{"plan": ` + buying + `, "title": "Buying"}`},
		{"artifacts.create_from_plan", `{"plan": ` + askedBuying + `}`},
		{"deployments.save", `{"deployment": "new", "artifact": "buying@2", "bindings": [{"logical": "shop", "source": "shop"}]}`},
		{"deployments.save", `{"deployment": "old", "artifact": "buying@1", "bindings": [{"logical": "shop", "source": "shop"}]}`},
		{"deployments.save", `{"deployment": "off", "artifact": "buying@2", "bindings": [{"logical": "shop", "source": "shop"}], "enabled": false}`},
		{"deployments.save", `{"deployment": "lost", "artifact": "buying@2", "bindings": [{"logical": "shop", "source": "gone"}]}`},
		{"deployments.save", `{"deployment": "given", "artifact": "buying@2", "bindings": [{"logical": "shop", "source": "shop"}], "defaults": {"id": "x"}}`},
		{"deployments.save", `{"deployment": "asked", "artifact": "asked@1", "bindings": [{"logical": "shop", "source": "shop"}]}`},
		{"drafts.create", `{"draft_id": "fine", "capability": "shop.buy"}`},
		{"drafts.create", `{"draft_id": "broken", "plan": {"name": "broken", "nodes": [{"id": "a", "node": "shop.bui"}]}}`},
		{"runs.start", `{"deployment": "new", "input": {"id": 5}, "run_id": "done", "wait": true}`},
		{"runs.start", `{"deployment": "asked", "input": {"id": 5}, "run_id": "asks", "wait": true}`},
		{"runs.start", `{"deployment": "asked", "input": {"id": 5}, "run_id": "stepped", "step_by_step": true}`},
		{"runs.start", `{"deployment": "asked", "input": {"id": 5}, "run_id": "queued", "queued": true}`},
	} {
		if _, err := lifecycle.Call(t.Context(), api, c.method, json.RawMessage(c.params)); err != nil {
			t.Fatalf("%s %s: %v", c.method, c.params, err)
		}
	}
	return api
}
