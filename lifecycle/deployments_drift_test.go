package lifecycle_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
	"lda.chat/wf/source"
	"lda.chat/wf/store"
)

// What has changed since an artifact was saved is judged: only what may break stops a deployment that refuses it, and bound to a source
// that keeps the contract, or with an artifact that was saved anew, it runs.
func TestDriftOfDeployments(t *testing.T) {
	t.Parallel()
	schema := func(text string) wf.Schema { return wf.Schema(text) }
	for name, c := range map[string]struct {
		live  []*wf.NodeDef
		finds string
		anew  bool // an artifact of the same plan, saved anew, runs
	}{
		"nothing": {[]*wf.NodeDef{buy(nil)}, "", true},
		"order of properties": {[]*wf.NodeDef{buy(func(d *wf.NodeDef) {
			d.InputSchema = schema(`{"properties": {"note":{"type":"string"}, "id": {"type":"integer"}}, "required":["id"], "type":"object"}`)
		})}, "", true},
		"description":   {[]*wf.NodeDef{buy(func(d *wf.NodeDef) { d.Description = "Buys at once" })}, "info description_changed", true},
		"input widened": {[]*wf.NodeDef{buy(func(d *wf.NodeDef) { d.InputSchema = schema(`{"type":"object"}`) })}, "info capability_changed", true},
		"input narrowed": {[]*wf.NodeDef{buy(func(d *wf.NodeDef) {
			d.InputSchema = schema(`{"type":"object","required":["id"],"properties":{"id":{"type":"integer","maximum":10}}}`)
		})}, "error capability_drift", true},
		"output changed": {[]*wf.NodeDef{buy(func(d *wf.NodeDef) {
			d.OutputSchema = schema(`{"type":"object","properties":{"price":{"type":["integer","string"]}}}`)
		})}, "error capability_drift", true},
		"outcome added":       {[]*wf.NodeDef{buy(func(d *wf.NodeDef) { d.Outcomes = []wf.Outcome{wf.OK, "sold_out"} })}, "error capability_drift", false},
		"no longer read-only": {[]*wf.NodeDef{buy(func(d *wf.NodeDef) { d.Effect = wf.EffectOnce })}, "error capability_drift", true},
		"removed":             {nil, "error capability_missing", false},
		"renamed":             {[]*wf.NodeDef{buy(func(d *wf.NodeDef) { d.Name = "purchase" })}, "error capability_missing", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, st := t.Context(), store.NewMemory(nil)
			deploy(t, on(t, st, selling(t, buy(nil))), buying, "weekly", nil)
			api := on(t, st, selling(t, c.live...))
			d, err := api.ValidateDeployment(ctx, &lifecycle.ValidateDeployment{Deployment: "weekly"})
			if err != nil || codesOf(d.Diagnostics) != c.finds || d.Valid != !strings.Contains(c.finds, "error") {
				t.Fatalf("found %s, valid %v, %v; expected %s", codesOf(d.Diagnostics), d.Valid, err, c.finds)
			}
			start := func() (*lifecycle.Run, error) {
				return api.StartRun(ctx, &lifecycle.StartRun{Deployment: "weekly", Input: json.RawMessage(`{"id":5}`), Wait: true})
			}
			completes := func(when string) {
				t.Helper()
				if run, err := start(); err != nil || run.Status != wf.StatusCompleted {
					t.Errorf("%s: %+v, %v", when, run, err)
				}
			}
			if d.Valid {
				completes("as it is")
				return
			}
			_, err = start()
			e, ok := errors.AsType[*lifecycle.Error](err)
			if !ok || e.Kind != lifecycle.Invalid || codesOf(e.Diagnostics) != c.finds || len(e.NextActions) == 0 {
				t.Fatalf("the start is refused with %v", err)
			}
			save := func(change func(*lifecycle.SaveDeployment)) *lifecycle.Deployment {
				t.Helper()
				p := &lifecycle.SaveDeployment{}
				p.Deployment = "weekly"
				change(p)
				d, err := api.SaveDeployment(ctx, p)
				if err != nil {
					t.Fatal(err)
				}
				return d
			}
			out, err := lifecycle.Call(ctx, api, e.NextActions[0].Method, e.NextActions[0].Params)
			if repaired, ok := out.(*lifecycle.Deployment); err != nil || !ok || !repaired.Valid || repaired.Bindings[0].Source != "old" {
				t.Fatalf("the advice is %s, which gives %+v, %v", e.NextActions[0].CLI, out, err)
			}
			completes("bound to another source")
			save(func(p *lifecycle.SaveDeployment) { p.Bindings = source.Bindings{{Logical: "shop", Source: "shop"}} })
			if strings.Contains(c.finds, "drift") {
				save(func(p *lifecycle.SaveDeployment) { p.DriftPolicy = "warn" })
				completes("with a warning")
				save(func(p *lifecycle.SaveDeployment) { p.DriftPolicy = "refuse" })
			}
			if c.anew {
				if d := deploy(t, api, buying, "weekly", nil); !d.Valid || d.Artifact != "buying@2" {
					t.Errorf("with an artifact saved anew: %s, %v", d.Artifact, d.Diagnostics)
				}
				completes("saved anew")
			}
		})
	}
}

// A capability that was away and comes back is compared with the contract that was saved, not with the last that was seen.
func TestDriftIsJudgedFromTheSavedContract(t *testing.T) {
	t.Parallel()
	st := store.NewMemory(nil)
	deploy(t, on(t, st, selling(t, buy(nil))), buying, "weekly", nil)
	narrowed := buy(func(d *wf.NodeDef) {
		d.InputSchema = wf.Schema(`{"type":"object","required":["id","why"],"properties":{"id":{"type":"integer"}}}`)
	})
	for _, step := range []struct {
		live  []*wf.NodeDef
		finds string
	}{{nil, "error capability_missing"}, {[]*wf.NodeDef{narrowed}, "error capability_drift"}, {[]*wf.NodeDef{buy(nil)}, ""}} {
		d, err := on(t, st, selling(t, step.live...)).ValidateDeployment(t.Context(), &lifecycle.ValidateDeployment{Deployment: "weekly"})
		if err != nil || codesOf(d.Diagnostics) != step.finds {
			t.Errorf("found %v, %v; expected %s", d, err, step.finds)
		}
	}
}

// A source changes while a run waits for somebody. With "refuse" the answer is not taken, and the question stays open; with "warn" the
// run goes on, and that is told.
func TestDriftWhileARunWaits(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*wf.NodeDef){
		"input": func(d *wf.NodeDef) {
			d.InputSchema = wf.Schema(`{"type":"object","required":["id"],"properties":{"id":{"type":"integer","maximum":10}}}`)
		},
		"outcome": func(d *wf.NodeDef) { d.Outcomes = []wf.Outcome{wf.OK, "sold_out"} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, st := t.Context(), store.NewMemory(nil)
			before := on(t, st, selling(t, buy(nil)))
			deploy(t, before, askedBuying, "strict", nil)
			deploy(t, before, askedBuying, "easy", func(p *lifecycle.SaveDeployment) { p.DriftPolicy = "warn" })
			for _, id := range []string{"strict", "easy"} {
				run, err := before.StartRun(ctx, &lifecycle.StartRun{Deployment: id, RunID: id, Input: json.RawMessage(`{"id":5}`), Wait: true})
				if err != nil || run.Status != wf.StatusInterrupted || run.Diagnostics != nil {
					t.Fatal(run, err)
				}
			}
			api := on(t, st, selling(t, buy(change)))
			answer := func(id string) (*lifecycle.Run, error) {
				return api.ResumeRun(ctx, &lifecycle.ResumeRun{RunID: id, Answers: []lifecycle.Answer{{Outcome: "yes"}}, Wait: true})
			}
			_, err := answer("strict")
			e, ok := errors.AsType[*lifecycle.Error](err)
			if !ok || codesOf(e.Diagnostics) != "error capability_drift" || e.NextActions[0].Method != "runs.inspect" || e.NextActions[1].Method != "deployments.save" {
				t.Fatalf("the answer: %v", err)
			}
			for id, want := range map[string]string{"strict": "error capability_drift", "easy": "warning capability_drift"} {
				run, err := api.InspectRun(ctx, &lifecycle.InspectRun{RunID: id})
				if err != nil || run.Status != wf.StatusInterrupted || len(run.Interrupts) != 1 || run.Pending != 0 || codesOf(run.Diagnostics) != want {
					t.Errorf("%s: %s with %v, %v", id, run.Status, run.Diagnostics, err)
				}
			}
			if run, err := answer("easy"); err != nil || run.Status != wf.StatusCompleted {
				t.Errorf("%+v, %v", run, err)
			}
			if _, err := lifecycle.Call(ctx, api, e.NextActions[1].Method, e.NextActions[1].Params); err != nil {
				t.Fatal(err)
			}
			if run, err := answer("strict"); err != nil || run.Status != wf.StatusCompleted || run.Deployed.Revision != 1 {
				t.Errorf("%+v, %v", run, err)
			}
			events, err := api.ListEvents(ctx, &lifecycle.ListEvents{Subject: "run:easy", Method: "runs.resume"})
			if err != nil || len(events.Events) != 1 || !strings.Contains(events.Events[0].Note, "has changed") {
				t.Errorf("%+v, %v", events, err)
			}
		})
	}
}

// An outcome that a capability has got since is taken where every step leads it somewhere.
func TestNewOutcomeThatIsWired(t *testing.T) {
	t.Parallel()
	const plan = `{"name": "careful", "outcomes": ["ok", "none"],
		"nodes": [{"id": "buy", "node": "shop.buy", "input": {"id": {"value": 1}}, "catch": [{"codes": ["transport"], "outcome": "sold_out"}], "on": {"ok": "__end__", "sold_out": "stop"}},
			{"id": "stop", "type": "end", "outcome": "none"}]}`
	ctx, st := t.Context(), store.NewMemory(nil)
	deploy(t, on(t, st, selling(t, buy(nil))), plan, "weekly", nil)
	soldOut := wf.RawNode(buy(func(d *wf.NodeDef) { d.Outcomes = []wf.Outcome{wf.OK, "sold_out"} }), func(context.Context, json.RawMessage) (*wf.Result, error) {
		return &wf.Result{Outcome: "sold_out", Output: json.RawMessage(`{"price":0}`)}, nil
	})
	set, err := source.NewSet(ctx, made{"shop", soldOut})
	if err != nil {
		t.Fatal(err)
	}
	api := on(t, st, set)
	d, err := api.ValidateDeployment(ctx, &lifecycle.ValidateDeployment{Deployment: "weekly"})
	if err != nil || codesOf(d.Diagnostics) != "info capability_changed" {
		t.Fatal(d, err)
	}
	if run, err := api.StartRun(ctx, &lifecycle.StartRun{Deployment: "weekly", Wait: true}); err != nil || run.Status != wf.StatusCompleted || run.Outcome != "none" {
		t.Errorf("%+v, %v", run, err)
	}
}

// made is a source with one function.
type made struct {
	id string
	fn *wf.Func
}

func (m made) ID() string { return m.id }

func (m made) Inventory(context.Context) (*source.Inventory, error) {
	return &source.Inventory{Nodes: []*wf.Func{m.fn.OfSource(m.id)}}, nil
}

// Two capabilities that were called under different contracts cannot become one.
func TestBindingsThatClash(t *testing.T) {
	t.Parallel()
	wide := buy(func(d *wf.NodeDef) { d.InputSchema = wf.Schema(`{"type":"object"}`) })
	const plan = `{"name": "both", "nodes": [{"id": "one", "node": "shop.buy", "next": "two"}, {"id": "two", "node": "old.buy", "input": {"id": {"value": 1}}, "next": "__end__"}]}`
	d := deploy(t, on(t, store.NewMemory(nil), selling(t, wide)), plan, "weekly", func(p *lifecycle.SaveDeployment) {
		p.Bindings = source.Bindings{{Logical: "shop", Source: "shop"}, {Logical: "old", Source: "shop"}}
	})
	if d.Valid || codesOf(d.Diagnostics) != "info capability_changed, error bindings_clash" && codesOf(d.Diagnostics) != "error bindings_clash, info capability_changed" {
		t.Errorf("found %v", d.Diagnostics)
	}
}

// A source changes while a run of a deployment that refuses that waits for somebody to take it up: it stays, tells why, and goes on when
// the deployment allows it.
func TestDriftWhileARunIsDue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, st := t.Context(), store.NewMemory(nil)
		before := on(t, st, selling(t, buy(nil)))
		deploy(t, before, buying, "strict", nil)
		if _, err := before.StartRun(ctx, &lifecycle.StartRun{Deployment: "strict", RunID: "due", Input: json.RawMessage(`{"id":5}`), Queued: true}); err != nil {
			t.Fatal(err)
		}
		api := on(t, st, selling(t, buy(func(d *wf.NodeDef) { d.Outcomes = []wf.Outcome{wf.OK, "sold_out"} })))
		working, stop := context.WithCancel(ctx)
		worked := make(chan error, 1)
		go func() { worked <- api.Runtime().Work(working, nil) }()
		time.Sleep(5 * time.Minute)
		run, err := api.InspectRun(ctx, &lifecycle.InspectRun{RunID: "due"})
		if err != nil || run.Status != wf.StatusRunning || run.Steps != 0 || run.Stuck == nil || !strings.Contains(run.Stuck.Reason, "shop.buy") ||
			!strings.Contains(run.Advice.Reason, "stuck") {
			t.Fatalf("%+v, %v", run, err)
		}
		list, err := api.ListRuns(ctx, &lifecycle.ListRuns{Stuck: true})
		if err != nil || len(list.Runs) != 1 || list.Runs[0].Stuck == nil || list.Runs[0].Stuck.Reason != run.Stuck.Reason {
			t.Errorf("listed are %+v, %v", list, err)
		}
		status, err := api.GetStatus(ctx, &lifecycle.GetStatus{})
		if err != nil || status.Counts.Stuck != 1 || status.Advice.NextActions[0].Method != "runs.list" {
			t.Errorf("the status is %+v, %v", status, err)
		}
		p := &lifecycle.SaveDeployment{}
		p.Deployment, p.DriftPolicy = "strict", "warn"
		if _, err := api.SaveDeployment(ctx, p); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if run, err = api.InspectRun(ctx, &lifecycle.InspectRun{RunID: "due"}); err != nil || run.Status != wf.StatusCompleted || run.Stuck != nil {
			t.Errorf("then it is %+v, %v", run, err)
		}
		stop()
		if err := <-worked; err != nil {
			t.Error(err)
		}
	})
}
