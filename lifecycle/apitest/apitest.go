// Package apitest is what every [lifecycle.API] must keep, as a test suite. An implementation passes it in one line.
package apitest

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
	"lda.chat/wf/source"
)

// Open makes an API with the sources on a store that nobody else uses and that is gone with the test.
type Open func(t *testing.T, set *source.Set) lifecycle.API

// Run runs the suite.
func Run(t *testing.T, open Open) {
	for _, test := range []struct {
		name string
		run  func(*suite)
	}{
		{"start", (*suite).start},
		{"start twice", (*suite).startTwice},
		{"refused starts", (*suite).refusedStarts},
		{"nothing there", (*suite).nothingThere},
		{"interrupts", (*suite).interrupts},
		{"racing answers", (*suite).racingAnswers},
		{"doubts", (*suite).doubts},
		{"cancel and delete", (*suite).cancelAndDelete},
		{"list", (*suite).list},
		{"pages", (*suite).pages},
		{"trace", (*suite).trace},
		{"step by step", (*suite).stepByStep},
		{"answered step by step", (*suite).answeredStepByStep},
		{"queued", (*suite).queued},
		{"explain", (*suite).explain},
		{"explain in a subgraph", (*suite).explainInside},
		{"watch", (*suite).watch},
		{"watch from the middle", (*suite).watchFromTheMiddle},
		{"replay and diff", (*suite).replayAndDiff},
		{"fork", (*suite).fork},
		{"backtest", (*suite).backtest},
		{"bounds", (*suite).bounds},
		{"following advice", (*suite).followingAdvice},
		{"calls by name", (*suite).callsByName},
		{"drafting", (*suite).drafting},
		{"conflicts of drafts", (*suite).draftConflicts},
		{"undo", (*suite).undo},
		{"repairs", (*suite).repairs},
		{"beginnings of drafts", (*suite).draftBeginnings},
		{"bounds of drafts", (*suite).draftBounds},
		{"pages of drafts", (*suite).draftPages},
		{"artifacts", (*suite).artifacts},
		{"diff of artifacts", (*suite).artifactDiff},
		{"saved workflows as steps", (*suite).savedSteps},
		{"files of artifacts", (*suite).artifactFiles},
		{"pages of artifacts", (*suite).artifactPages},
		{"advised to run", (*suite).advisedToRun},
		{"deploying", (*suite).deploying},
		{"refused deployments", (*suite).refusedDeployments},
		{"bindings", (*suite).bindings},
		{"runs of deployments", (*suite).deployedRuns},
		{"limited runs", (*suite).limitedRuns},
		{"previews", (*suite).previews},
		{"drafts for deployments", (*suite).draftsForDeployments},
		{"deployments of workflows in workflows", (*suite).deployedInside},
		{"pages of deployments", (*suite).deploymentPages},
		{"status", (*suite).status},
		{"ids", (*suite).ids},
		{"events", (*suite).events},
		{"catalog", (*suite).catalog},
		{"direct calls", (*suite).directCalls},
		{"saved workflows as capabilities", (*suite).savedCapabilities},
		{"saved workflows without versions", (*suite).savedWithoutVersion},
		{"pages of capabilities", (*suite).capabilityPages},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			set, err := source.NewSet(t.Context(), demo{}, spare{}, twin{})
			if err != nil {
				t.Fatal(err)
			}
			test.run(&suite{T: t, api: open(t, set), ctx: t.Context()})
		})
	}
}

// suite is one test with an API of its own.
type suite struct {
	*testing.T
	api lifecycle.API
	ctx context.Context
}

// demo is a source with what the suite needs.
type demo struct{}

func (demo) ID() string { return "demo" }

type text struct {
	Text string `json:"text"`
}

func (demo) Inventory(context.Context) (*source.Inventory, error) {
	count := wf.Node("count", func(_ context.Context, in text) (struct {
		Length int `json:"length"`
	}, error) {
		return struct {
			Length int `json:"length"`
		}{len(in.Text)}, nil
	}).Effect(wf.EffectPure)
	strict := wf.RawNode(&wf.NodeDef{Name: "strict", Effect: wf.EffectPure, InputSchema: wf.Schema(`{"type":"object","required":["text"],"properties":{"text":{"type":"string","maxLength":5}}}`)},
		func(_ context.Context, in json.RawMessage) (*wf.Result, error) { return &wf.Result{Output: in}, nil })
	lost := wf.RawNode(&wf.NodeDef{Name: "lost", Effect: wf.EffectOnce}, func(ctx context.Context, _ json.RawMessage) (*wf.Result, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	fails := wf.RawNode(&wf.NodeDef{Name: "fails", Effect: wf.EffectPure}, func(context.Context, json.RawMessage) (*wf.Result, error) {
		return nil, errors.New("the printer has no paper")
	})
	inventory := &source.Inventory{}
	for _, f := range []*wf.Func{count, strict, lost, fails} {
		inventory.Nodes = append(inventory.Nodes, f.OfSource("demo"))
	}
	return inventory, nil
}

// spare is a source that no plan of the suite calls.
type spare struct{}

func (spare) ID() string { return "spare" }

func (spare) Inventory(context.Context) (*source.Inventory, error) {
	echo := wf.RawNode(&wf.NodeDef{Name: "echo", Effect: wf.EffectPure}, func(_ context.Context, in json.RawMessage) (*wf.Result, error) { return &wf.Result{Output: in}, nil })
	return &source.Inventory{Nodes: []*wf.Func{echo.OfSource("spare")}}, nil
}

// twin is a source that counts as demo does, and a thousand more.
type twin struct{}

func (twin) ID() string { return "twin" }

func (twin) Inventory(context.Context) (*source.Inventory, error) {
	count := wf.Node("count", func(_ context.Context, in text) (struct {
		Length int `json:"length"`
	}, error) {
		return struct {
			Length int `json:"length"`
		}{1000 + len(in.Text)}, nil
	}).Effect(wf.EffectPure)
	return &source.Inventory{Nodes: []*wf.Func{count.OfSource("twin")}}, nil
}

// The plans of the suite.
const (
	counting = `{"name": "counting",
		"input_schema": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}},
		"state_schema": {"type": "object", "properties": {"length": {"type": "integer"}, "again": {"type": "integer"}}},
		"nodes": [{"id": "one", "node": "demo.count", "input": {"text": "input.text"}, "output": {"length": "state.length"}, "next": "two"},
			{"id": "two", "node": "demo.count", "input": {"text": "input.text"}, "output": {"length": "state.again"}, "next": "__end__"}]}`

	asking = `{"name": "asking", "outcomes": ["ok", "refused"],
		"state_schema": {"type": "object", "properties": {"comment": {"type": "string"}}},
		"nodes": [{"id": "ask", "type": "interrupt", "kind": "approval", "outcomes": ["yes", "no"],
				"resume_schema": {"type": "object", "required": ["comment"], "properties": {"comment": {"type": "string"}}},
				"resume": {"comment": "state.comment"}, "on": {"yes": "__end__", "no": "refuse"}},
			{"id": "refuse", "type": "end", "outcome": "refused"}]}`

	doubtful = `{"name": "doubtful", "nodes": [{"id": "pay", "node": "demo.lost", "timeout_seconds": 0.01, "next": "__end__"}]}`

	failing = `{"name": "failing",
		"state_schema": {"type": "object", "properties": {"text": {"type": "string"}}},
		"nodes": [{"id": "write", "type": "set", "output": {"state.text": {"value": "too long"}}, "next": "check"},
			{"id": "check", "node": "demo.strict", "input": {"text": "state.text"}, "next": "__end__"}]}`

	failingInside = `{"name": "outer", "nodes": [{"id": "sub", "type": "subgraph", "workflow": "inner", "next": "__end__"}],
		"workflows": {"inner": {"name": "inner", "nodes": [{"id": "print", "node": "demo.fails", "next": "__end__"}]}}}`
)

// begin starts a run of a plan and waits until it stops.
func (s *suite) begin(plan, input, runID string) *lifecycle.Run {
	s.Helper()
	p := &lifecycle.StartRun{Plan: json.RawMessage(plan), RunID: runID, Wait: true}
	if input != "" {
		p.Input = json.RawMessage(input)
	}
	run, err := s.api.StartRun(s.ctx, p)
	if err != nil {
		s.Fatalf("the run did not start: %v", err)
	}
	return run
}

// wants checks that an operation failed with a kind and a code, and gives the error.
func (s *suite) wants(err error, kind lifecycle.Kind, code wf.Code) *lifecycle.Error {
	s.Helper()
	e, ok := errors.AsType[*lifecycle.Error](err)
	if !ok || e.Kind != kind || len(e.Diagnostics) == 0 || e.Diagnostics[0].Code != code {
		s.Fatalf("the error is %#v, expected the kind %s with the code %s", err, kind, code)
	}
	s.actions(e.NextActions)
	return e
}

// actions checks that next actions are what they should be, and that those which only look succeed.
func (s *suite) actions(list []lifecycle.NextAction) {
	s.Helper()
	Actions(s, list)
	for _, a := range list {
		if m, ok := lifecycle.LookupMethod(a.Method); ok && m.ReadOnly && !m.Streams && len(a.Fill) == 0 {
			if _, err := lifecycle.Call(s.ctx, s.api, a.Method, a.Params); err != nil {
				s.Errorf("the next action %s %s: %v", a.Method, a.Params, err)
			}
		}
	}
}

// advised checks the advice of an answer.
func (s *suite) advised(a *lifecycle.Advice) {
	s.Helper()
	if a == nil || a.Reason == "" || a.NextActions == nil {
		s.Fatalf("the answer has no advice: %+v", a)
	}
	if len(a.NextActions) > 0 && a.Recommended != a.NextActions[0].Method {
		s.Errorf("%s is recommended, %s comes first", a.Recommended, a.NextActions[0].Method)
	}
	s.actions(a.NextActions)
}
