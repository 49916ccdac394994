package main

import (
	"context"
	"fmt"
	"strings"

	"lda.chat/wf"
)

// The same work on the engine, with checks and trace on.

type topicIn struct {
	Topic string `json:"topic"`
}
type sectionsOut struct {
	Sections []string `json:"sections"`
}
type draftOut struct {
	Draft string `json:"draft"`
}
type polishIn struct {
	Draft string `json:"draft"`
	Tone  string `json:"tone"`
}
type polishOut struct {
	Report string `json:"report"`
	Words  int    `json:"words"`
}
type counter struct {
	Counter int `json:"counter"`
}

func funcs() nodes {
	list := []*wf.Func{
		wf.Node("outline", func(_ context.Context, in topicIn) (sectionsOut, error) { return sectionsOut{outline(in.Topic)}, nil }),
		wf.Node("draft", func(_ context.Context, in sectionsOut) (draftOut, error) { return draftOut{draft(in.Sections)}, nil }),
		wf.Node("polish", func(_ context.Context, in polishIn) (polishOut, error) {
			report, words := polish(in.Draft, in.Tone)
			return polishOut{report, words}, nil
		}),
		wf.Node("count", func(_ context.Context, in counter) (counter, error) { return counter{in.Counter + 1}, nil }),
		wf.Decision("again", func(_ context.Context, in loopIn) (wf.Outcome, counter, error) {
			if in.Counter+1 < in.Limit {
				return "again", counter{in.Counter + 1}, nil
			}
			return "enough", counter{in.Counter + 1}, nil
		}, "again", "enough"),
		wf.Decision("route", func(_ context.Context, in loopIn) (wf.Outcome, struct{}, error) {
			if in.Counter >= in.Limit {
				return "enough", struct{}{}, nil
			}
			return routes[(in.Counter*7+3)%10], struct{}{}, nil
		}, append([]wf.Outcome{"enough"}, routes...)...),
	}
	for i := range routes {
		list = append(list, wf.Node(string(routes[i]), func(_ context.Context, in routeIn) (routeOut, error) {
			return routeOut{in.Count + 1, in.Counter + 1}, nil
		}))
	}
	out := nodes{}
	for _, f := range list {
		f = f.OfSource("b")
		out[f.Contract().Name] = f
	}
	return out
}

type loopIn struct {
	Counter int `json:"counter"`
	Limit   int `json:"limit"`
}
type routeIn struct {
	Count   int `json:"count"`
	Counter int `json:"counter"`
}
type routeOut struct {
	Count   int `json:"count"`
	Counter int `json:"counter"`
}

var routes = []wf.Outcome{"r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9"}

type nodes map[string]*wf.Func

func (n nodes) Node(ref string) (*wf.Func, bool) { f, ok := n[ref]; return f, ok }
func (n nodes) Refs() []string                   { return nil }

func plan(text string) *wf.Workflow {
	w, diags := wf.ParseWorkflow([]byte(text))
	if err := diags.Err(); err != nil {
		panic(err)
	}
	return w
}

// work is something to measure: run does units of it.
type work struct {
	run   func()
	units int
}

// engine runs a plan, compiled once, with checks and trace on.
func engine(w *wf.Workflow, input any, units int) work {
	rt, err := wf.NewRuntime(&wf.RuntimeOptions{Nodes: funcs()})
	if err != nil {
		panic(err)
	}
	run := func() {
		r, err := rt.Run(context.Background(), w, input)
		if err != nil {
			panic(err)
		}
		if r.Status() != wf.StatusCompleted {
			panic(r.Err())
		}
	}
	return work{run, units}
}

const reportPlan = `{"name": "report",
  "input_schema": {"type": "object", "required": ["topic", "tone"], "properties": {"topic": {"type": "string"}, "tone": {"type": "string"}}},
  "state_schema": {"type": "object", "properties": {"report": {"type": "string"}, "words": {"type": "integer"}}},
  "output_schema": {"type": "object", "required": ["report", "words"], "properties": {"report": {"type": "string"}, "words": {"type": "integer"}}},
  "nodes": [
    {"id": "outline", "node": "b.outline", "input": {"topic": "input.topic"}, "next": "draft"},
    {"id": "draft", "node": "b.draft", "input": {"sections": "steps.outline.sections"}, "next": "polish"},
    {"id": "polish", "node": "b.polish", "input": {"draft": "steps.draft.draft", "tone": "input.tone"},
     "output": {"report": "state.report", "words": "state.words"}, "next": "__end__"}]}`

func engineReport() work { return report(reportPlan) }

// unchecked is the same plan without schemas: what is left are the checks that typed functions make of their inputs.
func unchecked() work {
	return report(`{"name": "report", "output": {"report": "state.report", "words": "state.words"}, ` + reportPlan[strings.Index(reportPlan, `"nodes"`):])
}

func report(text string) work {
	return engine(plan(text), struct {
		Topic string `json:"topic"`
		Tone  string `json:"tone"`
	}{"solar storage", "formal"}, 1)
}

func engineLoop(n int) work {
	return engine(plan(fmt.Sprintf(`{"name": "loop", "limits": {"max_steps": 100000000},
			"state_schema": {"type": "object", "properties": {"counter": {"type": "integer", "default": 0}}},
			"nodes": [{"id": "again", "node": "b.again", "input": {"counter": "state.counter", "limit": %d}, "output": {"counter": "state.counter"},
			           "on": {"again": "again", "enough": "__end__"}}]}`, n)), nil, n)
}

func chainPlan(n int) string {
	var b strings.Builder
	b.WriteString(`{"name": "chain", "limits": {"max_steps": 100000000},
		"state_schema": {"type": "object", "properties": {"counter": {"type": "integer", "default": 0}}}, "nodes": [`)
	for i := range n {
		next := fmt.Sprint("s", i+1)
		if i == n-1 {
			next = "__end__"
		}
		fmt.Fprintf(&b, `{"id": "s%d", "node": "b.count", "input": {"counter": "state.counter"}, "output": {"counter": "state.counter"}, "next": %q},`, i, next)
	}
	return strings.TrimSuffix(b.String(), ",") + `]}`
}

func engineChain(n int) work { return engine(plan(chainPlan(n)), nil, n) }

// compiling is validating and compiling a chain that has been read.
func compiling(n int) work {
	w := plan(chainPlan(n))
	rt, err := wf.NewRuntime(&wf.RuntimeOptions{Nodes: funcs()})
	if err != nil {
		panic(err)
	}
	return work{func() {
		if diags := rt.Check(w); diags.HasErrors() {
			panic(diags.Err())
		}
	}, 1}
}

func engineRouting(n int) work {
	var text strings.Builder
	fmt.Fprintf(&text, `{"name": "routing", "limits": {"max_steps": 100000000}, "state_schema": {"type": "object", "properties": {"counter": {"type": "integer", "default": 0}`)
	for _, r := range routes {
		fmt.Fprintf(&text, `, %q: {"type": "integer", "default": 0}`, r)
	}
	fmt.Fprintf(&text, `}}, "nodes": [{"id": "route", "node": "b.route", "input": {"counter": "state.counter", "limit": %d}, "on": {"enough": "__end__"`, n)
	for _, r := range routes {
		fmt.Fprintf(&text, `, %q: %q`, r, r)
	}
	text.WriteString(`}}`)
	for _, r := range routes {
		fmt.Fprintf(&text, `, {"id": %q, "node": "b.%s", "input": {"counter": "state.counter", "count": "state.%s"},
				"output": {"counter": "state.counter", "count": "state.%s"}, "next": "route"}`, r, r, r, r)
	}
	text.WriteString(`]}`)
	return engine(plan(text.String()), nil, n)
}

// engineForeach is a foreach over n items, 16 side by side, whose results come together in item order.
func engineForeach(n int) work {
	items := make([]int, n)
	for i := range items {
		items[i] = i
	}
	return engine(plan(`{"name": "each", "limits": {"max_steps": 100000000},
		"input_schema": {"type": "object", "required": ["items"], "properties": {"items": {"type": "array", "items": {"type": "integer"}}}},
		"state_schema": {"type": "object", "properties": {"out": {"type": "array", "x-reducer": "append"}}},
		"nodes": [{"id": "each", "type": "foreach", "over": "input.items", "as": "it", "mode": "parallel", "max_concurrency": 16,
		           "on": {"item": "count", "done": "__end__"}},
		          {"id": "count", "node": "b.count", "input": {"counter": "item.it"}, "output": {"counter": "state.out"}, "next": "__continue__"}]}`),
		struct {
			Items []int `json:"items"`
		}{items}, n)
}
