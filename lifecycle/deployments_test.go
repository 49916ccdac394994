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

// shop is a source that sells; what it promises is the test's.
type shop struct {
	id        string
	contracts []*wf.NodeDef
}

func (s shop) ID() string { return s.id }

func (s shop) Inventory(context.Context) (*source.Inventory, error) {
	in := &source.Inventory{}
	for _, def := range s.contracts {
		in.Nodes = append(in.Nodes, wf.RawNode(def, func(context.Context, json.RawMessage) (*wf.Result, error) {
			return &wf.Result{Output: json.RawMessage(`{"price":3}`)}, nil
		}).OfSource(s.id))
	}
	return in, nil
}

// buy is the contract that plans of the tests are made for, with changes.
func buy(change func(*wf.NodeDef)) *wf.NodeDef {
	def := &wf.NodeDef{Name: "buy", Description: "Buys", Effect: wf.EffectRead,
		InputSchema:  wf.Schema(`{"type":"object","required":["id"],"properties":{"id":{"type":"integer"},"note":{"type":"string"}}}`),
		OutputSchema: wf.Schema(`{"type":"object","required":["price"],"properties":{"price":{"type":"integer"}}}`)}
	if change != nil {
		change(def)
	}
	return def
}

// selling gives the sources "shop", with these contracts, and "old", which never changes.
func selling(t testing.TB, contracts ...*wf.NodeDef) *source.Set {
	t.Helper()
	set, err := source.NewSet(t.Context(), shop{"shop", contracts}, shop{"old", []*wf.NodeDef{buy(nil)}})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

const (
	buying = `{"name": "buying", "input_schema": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}},
		"state_schema": {"type": "object", "properties": {"price": {"type": "integer"}}},
		"nodes": [{"id": "buy", "node": "shop.buy", "input": {"id": "input.id"}, "output": {"price": "state.price"}, "next": "__end__"}]}`
	askedBuying = `{"name": "asked", "input_schema": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}},
		"state_schema": {"type": "object", "properties": {"price": {"type": "integer"}}},
		"nodes": [{"id": "ask", "type": "interrupt", "kind": "approval", "outcomes": ["yes"], "next": "buy"},
			{"id": "buy", "node": "shop.buy", "input": {"id": "input.id"}, "output": {"price": "state.price"}, "next": "__end__"}]}`
)

// deploy saves a plan and deploys it, the shop standing for itself.
func deploy(t testing.TB, api lifecycle.API, plan, id string, change func(*lifecycle.SaveDeployment)) *lifecycle.Deployment {
	t.Helper()
	a, err := api.CreateArtifact(t.Context(), &lifecycle.CreateArtifact{Plan: json.RawMessage(plan)})
	if err != nil {
		t.Fatal(err)
	}
	p := &lifecycle.SaveDeployment{Artifact: a.Artifact, Bindings: source.Bindings{{Logical: "shop", Source: "shop"}}}
	p.Deployment = id
	if change != nil {
		change(p)
	}
	d, err := api.SaveDeployment(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func codesOf(found wf.Diagnostics) string {
	var list []string
	for _, d := range found {
		list = append(list, string(d.Severity)+" "+string(d.Code))
	}
	return strings.Join(list, ", ")
}

// A run that was started from a deployment goes on in another process, which knows it only from the store, as it was bound.
func TestDeployedRunMoves(t *testing.T) {
	t.Parallel()
	ctx, st := t.Context(), store.NewMemory(nil)
	first := on(t, st, selling(t, buy(nil)))
	deploy(t, first, buying, "weekly", func(p *lifecycle.SaveDeployment) {
		p.Bindings = source.Bindings{{Logical: "shop", Source: "old"}}
	})
	run, err := first.StartRun(ctx, &lifecycle.StartRun{Deployment: "weekly", Input: json.RawMessage(`{"id":5}`), Queued: true})
	if err != nil {
		t.Fatal(err)
	}
	p := &lifecycle.SaveDeployment{Bindings: source.Bindings{{Logical: "shop", Source: "gone"}}}
	p.Deployment = "weekly"
	if d, err := first.SaveDeployment(ctx, p); err != nil || d.Valid {
		t.Fatal(d, err)
	}
	second := on(t, st, selling(t))
	working, stop := context.WithCancel(ctx)
	ended := make(chan error)
	go func() { ended <- second.Runtime().Work(working, nil) }()
	for e, err := range second.WatchRun(ctx, &lifecycle.WatchRun{RunID: run.RunID}) {
		if err != nil {
			t.Fatal(e, err)
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	run, err = second.InspectRun(ctx, &lifecycle.InspectRun{RunID: run.RunID, View: lifecycle.View{TraceLimit: 1}})
	if err != nil || run.Status != wf.StatusCompleted || string(run.State) != `{"price":3}` || run.Deployed.Revision != 1 || run.Deployment != "weekly" {
		t.Errorf("%+v, %v", run, err)
	}
}

// Runs are deleted when they have ended for longer than their deployment keeps them; others stay.
func TestRetention(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	now := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	st := store.NewMemory(&store.MemoryOptions{Now: func() time.Time { return now }})
	api := on(t, st, selling(t, buy(nil)))
	hour := int64(3600)
	deploy(t, api, buying, "hour", func(p *lifecycle.SaveDeployment) { p.RetentionSeconds = &hour })
	deploy(t, api, askedBuying, "asks", func(p *lifecycle.SaveDeployment) { p.RetentionSeconds = &hour })
	deploy(t, api, buying, "good", nil)
	start := func(deployment, id string) {
		t.Helper()
		if _, err := api.StartRun(ctx, &lifecycle.StartRun{Deployment: deployment, RunID: id, Input: json.RawMessage(`{"id":5}`), Wait: true}); err != nil {
			t.Fatal(err)
		}
	}
	start("hour", "old")
	start("asks", "waits")
	start("good", "kept")
	now = now.Add(time.Hour)
	start("hour", "young")
	retain := func(deployment string, want int) {
		t.Helper()
		if done, err := api.RetainRuns(ctx, &lifecycle.RetainRuns{Deployment: deployment}); err != nil || done.Deleted != want || done.Deployments["hour"] != want {
			t.Errorf("%+v, %v; expected %d", done, err, want)
		}
	}
	retain("", 0)
	now = now.Add(time.Minute)
	retain("good", 0)
	retain("", 1)
	retain("hour", 0)
	list, err := api.ListRuns(ctx, &lifecycle.ListRuns{})
	var left []string
	for _, r := range list.Runs {
		left = append(left, r.RunID)
	}
	if err != nil || strings.Join(slices.Sorted(slices.Values(left)), " ") != "kept waits young" {
		t.Errorf("left are %v, %v", left, err)
	}
}

// counted is a store that counts what lists read.
type counted struct {
	store.Store
	scans, lists int
}

func (c *counted) ScanRecords(ctx context.Context, kind, prefix, cursor string, limit int) (store.RecordPage, error) {
	c.scans++
	return c.Store.ScanRecords(ctx, kind, prefix, cursor, limit)
}

func (c *counted) List(ctx context.Context, q wf.RunQuery) (wf.RunPage, error) {
	c.lists++
	return c.Store.List(ctx, q)
}

// A page of many is one reading of the store, and pages have everything once, whatever begins meanwhile.
func TestManyDeploymentsAndRuns(t *testing.T) {
	t.Parallel()
	const deployments, runs = 1000, 10_000
	ctx, st := t.Context(), &counted{Store: store.NewMemory(nil)}
	api := on(t, st, selling(t, buy(nil)))
	deploy(t, api, buying, "first", nil)
	record, err := st.GetRecord(ctx, "deployment", "first")
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i < deployments; i++ {
		if _, err := st.PutRecord(ctx, "deployment", fmt.Sprintf("d%04d", i), 0, record.Value); err != nil {
			t.Fatal(err)
		}
	}
	begin := func(i int) {
		head := wf.NewRun{RunID: fmt.Sprintf("r%05d", i), Deployment: []string{"first", "d0001"}[i%2], Status: wf.StatusCompleted, Events: [][]byte{[]byte("{}")}}
		if _, err := st.Create(ctx, head); err != nil {
			t.Fatal(err)
		}
	}
	for i := range runs {
		begin(i)
	}
	seen, more := map[string]int{}, runs
	for p := (&lifecycle.ListRuns{Deployment: "first"}); ; {
		page, err := api.ListRuns(ctx, p)
		if err != nil || len(page.Runs) > 50 {
			t.Fatal(len(page.Runs), err)
		}
		for _, r := range page.Runs {
			seen[r.RunID]++
		}
		begin(more) // a newer one, which these pages need not have
		more += 2
		if p.Cursor = page.Next; p.Cursor == "" {
			break
		}
	}
	for i := 0; i < runs; i += 2 {
		if id := fmt.Sprintf("r%05d", i); seen[id] != 1 {
			t.Fatalf("%s came %d times", id, seen[id])
		}
	}
	if pages := runs / 2 / 50; len(seen) != runs/2 || st.lists > pages+1 {
		t.Errorf("%d runs in %d readings, expected %d in %d", len(seen), st.lists, runs/2, pages)
	}
	st.scans = 0
	names := map[string]int{}
	for p := (&lifecycle.ListDeployments{}); ; {
		page, err := api.ListDeployments(ctx, p)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range page.Deployments {
			names[d.Deployment]++
		}
		if p.Cursor = page.Next; p.Cursor == "" {
			break
		}
	}
	if len(names) != deployments || st.scans != deployments/50 {
		t.Errorf("%d deployments in %d readings", len(names), st.scans)
	}
	st.scans, st.lists = 0, 0
	status, err := api.GetStatus(ctx, &lifecycle.GetStatus{})
	if err != nil || status.Counts.Deployments != deployments || status.Counts.Runs[wf.StatusCompleted] < runs || strings.Join(status.Counts.More, " ") != "runs" || st.lists > 11 || st.scans > 4 {
		t.Errorf("%+v in %d and %d readings, %v", status.Counts, st.scans, st.lists, err)
	}
}

// What a deployment gives to its runs in place of a secret is used, and not told: neither of the deployment nor in what could be done.
func TestDeploymentsTellNoSecrets(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	const plan = `{"name": "p", "input_schema": {"type": "object", "required": ["token", "n"], "properties": {"token": {"type": "string", "x-secret": true}, "url": {"type": "string"}, "n": {"type": "integer"}}},
		"nodes": [{"id": "buy", "node": "shop.buy", "input": {"id": "input.n", "note": "input.token"}, "next": "__end__"}]}`
	api := on(t, store.NewMemory(nil), selling(t, buy(nil)))
	tells := func(when string, shown any, err error) {
		t.Helper()
		if text, _ := json.Marshal(shown); strings.Contains(string(text)+fmt.Sprint(err), "t0psecret") {
			t.Errorf("%s: %s, %v", when, text, err)
		}
	}
	save := func(defaults string) (*lifecycle.Deployment, error) {
		p := &lifecycle.SaveDeployment{Defaults: json.RawMessage(defaults)}
		p.Deployment = "weekly"
		return api.SaveDeployment(ctx, p)
	}
	d := deploy(t, api, plan, "weekly", func(p *lifecycle.SaveDeployment) {
		p.Defaults = json.RawMessage(`{"token": "t0psecret", "url": "https://host/?t=t0psecret", "n": "many"}`)
	})
	tells("saved", d, nil)
	if got := string(d.Defaults); got != `{"n":"many","token":"[secret]","url":"[secret]"}` || d.Valid {
		t.Errorf("the defaults are %s, valid: %v", got, d.Valid)
	}
	filled := 0
	for _, a := range d.Advice.NextActions {
		if a.Method == "deployments.save" && slices.Contains(a.Fill, "/defaults/token") && slices.Contains(a.Fill, "/defaults/url") {
			filled++
		}
	}
	if filled != 2 {
		t.Errorf("what is advised is %+v; expected two calls in which the secrets are to be filled in", d.Advice.NextActions)
	}
	shown, err := api.ShowDeployment(ctx, &lifecycle.ShowDeployment{Deployment: "weekly"})
	tells("shown", shown, err)
	_, err = api.StartRun(ctx, &lifecycle.StartRun{Deployment: "weekly", Wait: true})
	tells("started", apitest.AdviceOf(nil, err), err)
	if _, err := save(string(d.Defaults)); err == nil || !strings.Contains(err.Error(), "give the secret itself") {
		t.Errorf("saved as they are told: %v", err)
	}
	if d, err = save(`{"token": "t0psecret", "n": 1}`); err != nil || !d.Valid {
		t.Fatal(d, err)
	}
	run, err := api.StartRun(ctx, &lifecycle.StartRun{Deployment: "weekly", Wait: true, View: lifecycle.View{TraceLimit: 9}})
	tells("run", run, err)
	if err != nil || run.Status != wf.StatusCompleted {
		t.Errorf("%+v, %v", run, err)
	}
}

// beside is a store that does something else just before a run is made, or just before a record is deleted.
type beside struct {
	store.Store
	create, remove func()
}

func (b *beside) Create(ctx context.Context, run wf.NewRun) (wf.RunHead, error) {
	if do := b.create; do != nil {
		b.create = nil
		do()
	}
	return b.Store.Create(ctx, run)
}

func (b *beside) PutRecord(ctx context.Context, kind, key string, revision uint64, value []byte) (uint64, error) {
	if do := b.remove; do != nil && kind == "deployment" {
		b.remove = nil
		do()
	}
	return b.Store.PutRecord(ctx, kind, key, revision, value)
}

// A deployment is not deleted under a run, whoever is faster.
func TestDeleteBesideAStart(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	run := &lifecycle.StartRun{Deployment: "d", RunID: "r", Input: json.RawMessage(`{"id":5}`), Queued: true}
	drop := &lifecycle.DeleteDeployment{DeploymentChange: lifecycle.DeploymentChange{Deployment: "d"}}

	t.Run("deleted while the run begins", func(t *testing.T) {
		t.Parallel()
		st := &beside{Store: store.NewMemory(nil)}
		api := on(t, st, selling(t, buy(nil)))
		deploy(t, api, buying, "d", nil)
		st.create = func() {
			if _, err := api.DeleteDeployment(ctx, drop); err != nil {
				t.Error(err)
			}
		}
		_, err := api.StartRun(ctx, run)
		if e, ok := errors.AsType[*lifecycle.Error](err); !ok || e.Kind != lifecycle.NotFound {
			t.Errorf("the start: %v", err)
		}
		if head, err := st.Head(ctx, "r"); err != nil || head.Status != wf.StatusCancelled {
			t.Errorf("the run is %s, %v", head.Status, err)
		}
	})
	t.Run("a run begins while it is deleted", func(t *testing.T) {
		t.Parallel()
		st := &beside{Store: store.NewMemory(nil)}
		api := on(t, st, selling(t, buy(nil)))
		deploy(t, api, buying, "d", nil)
		st.remove = func() {
			if _, err := api.StartRun(ctx, run); err != nil {
				t.Error(err)
			}
		}
		_, err := api.DeleteDeployment(ctx, drop)
		if e, ok := errors.AsType[*lifecycle.Error](err); !ok || e.Kind != lifecycle.Conflict {
			t.Errorf("the deletion: %v", err)
		}
		if d, err := api.ShowDeployment(ctx, &lifecycle.ShowDeployment{Deployment: "d"}); err != nil || !d.Enabled {
			t.Errorf("%+v, %v", d, err)
		}
	})
}
