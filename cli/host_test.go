package cli

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"sync"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/plugin"
)

// fixedClock tells always the same time, so that what is printed does not change.
type fixedClock struct{}

func (fixedClock) Now() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) }
func (fixedClock) AfterFunc(d time.Duration, f func()) func() bool {
	return time.AfterFunc(0, f).Stop // a pause takes no time
}

// testHost is a binary with functions that behave, and some that do not.
func testHost() *Options {
	return &Options{
		Version: "v0.0.0-test",
		Registries: map[string]*plugin.Registry{
			"demo":   demoFunctions(),
			"report": contracts("local.report"),
			"llm":    contracts("llm"),
			"mail":   contracts("mail"),
			"wrong":  {Nodes: []*wf.Func{wf.Node("no name", greet)}},
		},
		Runtime: &wf.RuntimeOptions{Clock: fixedClock{}, NewRunID: func() string { return "run_1" }},
	}
}

type person struct {
	Name string `json:"name" jsonschema:"minLength=1"`
}

type greeting struct {
	Text string `json:"text"`
}

func greet(_ context.Context, in person) (greeting, error) {
	return greeting{"Hello, " + in.Name + "!"}, nil
}

func review(_ context.Context, in greeting) (wf.Outcome, greeting, error) {
	if len(in.Text) > 20 {
		return "rejected", greeting{"too long"}, nil
	}
	return "approved", in, nil
}

func demoFunctions() *plugin.Registry {
	raw := func(name string, f func(context.Context, json.RawMessage) (*wf.Result, error)) *wf.Func {
		return wf.RawNode(&wf.NodeDef{Name: name, Effect: wf.EffectRead}, f)
	}
	return &plugin.Registry{Nodes: []*wf.Func{
		wf.Node("greet", greet).Describe("Greets a person").Effect(wf.EffectPure),
		wf.Decision("review", review, "approved", "rejected").Describe("Rejects what is long").Effect(wf.EffectPure),
		raw("echo", func(_ context.Context, in json.RawMessage) (*wf.Result, error) { return &wf.Result{Output: in}, nil }),
		raw("fail", func(context.Context, json.RawMessage) (*wf.Result, error) {
			return nil, &wf.Error{Code: "no_paper", Message: "the printer has no paper", Details: json.RawMessage(`{"tray": 2}`)}
		}),
		raw("panic", func(context.Context, json.RawMessage) (*wf.Result, error) { panic("out of cheese") }),
		raw("lie", func(context.Context, json.RawMessage) (*wf.Result, error) { return &wf.Result{Outcome: "maybe"}, nil }),
		raw("hang", func(ctx context.Context, _ json.RawMessage) (*wf.Result, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}),
		raw("flaky", flaky).Retry(wf.Retry{MaxAttempts: 3}),
	}}
}

// flaky fails at the first attempt of every call.
func flaky(ctx context.Context, _ json.RawMessage) (*wf.Result, error) {
	if call, _ := wf.CallFrom(ctx); call.Attempt < 2 {
		return nil, errors.New("busy")
	}
	return &wf.Result{Output: json.RawMessage(`{"done": true}`)}, nil
}

// contracts are functions of a source that drafts are written with: what they do is never asked for.
func contracts(source string) *plugin.Registry {
	registry := &plugin.Registry{}
	for _, shared := range readContracts() {
		if name, ok := strings.CutPrefix(shared.Name, source+"."); ok {
			def := *shared
			def.Name = name
			registry.Nodes = append(registry.Nodes, wf.RawNode(&def, func(_ context.Context, in json.RawMessage) (*wf.Result, error) { return &wf.Result{Output: in}, nil }))
		}
	}
	return registry
}

var readContracts = sync.OnceValue(func() (defs []*wf.NodeDef) {
	text, err := os.ReadFile("../lifecycle/edit/testdata/contracts.json")
	if err == nil {
		err = json.Unmarshal(text, &defs)
	}
	if err != nil {
		panic(err)
	}
	return defs
})
