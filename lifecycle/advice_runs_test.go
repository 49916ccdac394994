package lifecycle_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
	"lda.chat/wf/lifecycle/apitest"
	"lda.chat/wf/source"
	"lda.chat/wf/store"
)

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

// A secret that somebody gave is to be given again: advice does not tell it.
func TestAdviceTellsNoSecrets(t *testing.T) {
	t.Parallel()
	const plan = `{"name": "p", "input_schema": {"type": "object", "required": ["token", "n"], "properties": {"token": {"type": "string", "x-secret": true}, "key": {"type": "string"}, "url": {"type": "string"}, "n": {"type": "integer"}}},
		"state_schema": {"type": "object", "properties": {"key": {"type": "string", "x-secret": true}}}, "nodes": [{"id": "say", "node": "voice.say", "input": {"text": {"value": "hi"}}, "next": "__end__"}]}`
	set, err := source.NewSet(t.Context(), picky())
	if err != nil {
		t.Fatal(err)
	}
	api := on(t, store.NewMemory(nil), set)
	for _, n := range []string{`"x"`, `1`, `2`} { // refused, failed, and taken already
		run, err := api.StartRun(t.Context(), &lifecycle.StartRun{Plan: json.RawMessage(plan), RunID: "r", Wait: true,
			Input: json.RawMessage(`{"token": "t0psecret", "key": "k3yword", "url": "https://host/?t=t0psecret", "n": ` + n + `}`)})
		actions := apitest.AdviceOf(run, err)
		apitest.Actions(t, actions)
		for _, a := range actions {
			if text, _ := json.Marshal(a); strings.Contains(string(text), "t0psecret") || strings.Contains(string(text), "k3yword") {
				t.Errorf("n is %s: %s", n, text)
			}
			if a.Method == "runs.start" && (!slices.Contains(a.Fill, "/input/key") || !slices.Contains(a.Fill, "/input/token") || !slices.Contains(a.Fill, "/input/url")) {
				t.Errorf("n is %s: %s is to be filled in at %v", n, a.CLI, a.Fill)
			}
		}
	}
}

// Nobody is led to make a call twice that must not be made twice: not by starting the run again, nor by a fork that makes it anew.
func TestAdviceRepeatsNothing(t *testing.T) {
	t.Parallel()
	const pay, then = `{"id": "pay", "node": "bank.pay", "next": "say"}, `, `{"id": "say", "node": "voice.say", "input": {"text": {"value": "hi"}}, "next": "__end__"}`
	for name, c := range map[string]struct {
		effect wf.Effect
		fails  bool // the call itself
		steps  string
		want   string // the methods that go on
	}{
		"done once":            {wf.EffectOnce, false, pay + then, "runs.fork"},
		"done under a key":     {wf.EffectKeyed, false, pay + then, "runs.fork"},
		"no harm":              {wf.EffectIdempotent, false, pay + then, "runs.start runs.fork"},
		"failed, once":         {wf.EffectOnce, true, pay + then, ""},
		"failed, no harm":      {wf.EffectRead, true, pay + then, "runs.start runs.fork"},
		"failed before":        {wf.EffectOnce, false, `{"id": "no", "node": "voice.say", "input": {"text": {"value": "no"}}, "next": "pay"}, ` + pay + then, "runs.start runs.fork"},
		"inside another one":   {wf.EffectOnce, false, `{"id": "inner", "workflow": "w", "next": "__end__"}`, "runs.fork"},
		"caught, then another": {wf.EffectOnce, true, `{"id": "pay", "node": "bank.pay", "catch": [{"codes": ["*"], "outcome": "bad"}], "on": {"ok": "say", "bad": "say"}}, ` + then, "runs.fork"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			def := &wf.NodeDef{Name: "pay", Effect: c.effect}
			set, err := source.NewSet(t.Context(), made{"bank", wf.RawNode(def, func(context.Context, json.RawMessage) (*wf.Result, error) {
				if c.fails {
					return nil, errors.New("the line broke")
				}
				return nil, nil
			})}, picky())
			if err != nil {
				t.Fatal(err)
			}
			api := on(t, store.NewMemory(nil), set)
			plan := `{"name": "pays", "workflows": {"w": {"name": "w", "nodes": [` + pay + then + `]}}, "nodes": [` + c.steps + `]}`
			run, err := api.StartRun(t.Context(), &lifecycle.StartRun{Plan: json.RawMessage(plan), RunID: "r", Wait: true})
			if err != nil || run.Status != wf.StatusFailed {
				t.Fatal(run, err)
			}
			x, err := api.ExplainRun(t.Context(), &lifecycle.ExplainRun{RunID: "r"})
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range []*lifecycle.Advice{run.Advice, x.Advice} {
				var goes []string
				for _, n := range a.NextActions {
					if n.Kind == "continue" {
						goes = append(goes, n.Method)
					}
				}
				if got := strings.Join(goes, " "); got != c.want || (len(a.Warnings) == 1) != (c.want == "" || c.want == "runs.fork") {
					t.Errorf("it is advised %q, with the warnings %q; expected %q", got, a.Warnings, c.want)
				}
			}
		})
	}
}

// A run that nobody drives, because it was only queued or because who drove it is gone, says so.
func TestRunsThatNobodyDrives(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	now := time.Now().Add(time.Hour)
	st := store.NewMemory(&store.MemoryOptions{Now: func() time.Time { return now }})
	set, err := source.NewSet(ctx)
	if err != nil {
		t.Fatal(err)
	}
	api := on(t, st, set)
	begin := func(id string, stepByStep bool, node string) {
		plan := `{"name": "p", "nodes": [` + node + `]}`
		if _, err := api.StartRun(ctx, &lifecycle.StartRun{Plan: json.RawMessage(plan), RunID: id, Queued: true, StepByStep: stepByStep}); err != nil {
			t.Fatal(err)
		}
	}
	const pause = `{"id": "p", "type": "wait", "seconds": 60, "next": "__end__"}`
	begin("due", false, pause)
	begin("steps", true, pause)
	look := func(id, owner string, idle bool) {
		t.Helper()
		run, err := api.InspectRun(ctx, &lifecycle.InspectRun{RunID: id})
		if err != nil || run.Owner != owner || run.Idle != idle || strings.Contains(run.Advice.Reason, "nobody") != idle {
			t.Errorf("%s is driven by %q, idle: %v, %q, %v; expected %q, %v", id, run.Owner, run.Idle, run.Advice.Reason, err, owner, idle)
		}
	}
	look("due", "", true)
	look("steps", "", false)
	heads, err := st.Claim(ctx, wf.ClaimRequest{Owner: "elsewhere", TTL: time.Minute, Max: 1, Only: "due"})
	if err != nil || len(heads) != 1 {
		t.Fatal(heads, err)
	}
	look("due", "elsewhere", false)
	now = now.Add(time.Minute)
	look("due", "", true)
}
