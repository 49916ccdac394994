package wf

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The functions of these tests are never called: building looks at their types only.

func step[In, Out any](name string) *Func {
	return Node(name, func(context.Context, In) (out Out, err error) { return })
}

func choice[In, Out any](name string, outcomes ...Outcome) *Func {
	return Decision(name, func(context.Context, In) (o Outcome, out Out, err error) { return }, outcomes...)
}

type (
	request struct {
		Path string `json:"path"`
	}
	notes struct {
		Text string `json:"text"`
	}
	report struct {
		Summary string   `json:"summary"`
		Risks   []string `json:"risks,omitempty"`
	}
	verdict struct {
		Comment string `json:"comment,omitempty"`
	}
	docs struct {
		Docs []notes `json:"docs"`
	}
	doc struct {
		Doc notes `json:"doc"`
	}
	nothing  struct{}
	twoTexts struct {
		notes
		Other string `json:"other"`
	}
)

var (
	read    = step[request, notes]("read")
	extract = step[notes, report]("extract")
	review  = choice[report, verdict]("review", "approved", "rejected")
	list    = step[request, docs]("list")
	digest  = step[doc, report]("digest")
	touch   = step[nothing, nothing]("touch")
)

// built builds a workflow and leaves out its schemas and contracts, which other tests look at.
func built(t *testing.T, c Chain) *Workflow {
	t.Helper()
	w, err := c.chain().Build()
	if err != nil {
		for _, d := range DiagnosticsOf(err) {
			t.Error(d)
		}
		t.FailNow()
	}
	again, err := c.chain().Build()
	if err != nil || string(again.Canonical()) != string(w.Canonical()) {
		t.Error("building twice gives two workflows", err)
	}
	w = w.Clone()
	bare(w)
	return w
}

func bare(w *Workflow) {
	w.InputSchema, w.StateSchema, w.OutputSchema, w.NodeDefs = nil, nil, nil, nil
	for _, s := range w.Nodes {
		if question, ok := s.(*InterruptStep); ok {
			question.RequestSchema, question.ResumeSchema = nil, nil
		}
	}
	for _, child := range w.Workflows {
		bare(child)
	}
}

// want compares a workflow with a plan that was written by hand, in the short form.
func want(t *testing.T, w *Workflow, plan string) {
	t.Helper()
	wanted, diags := ParseWorkflow([]byte(plan))
	if wanted == nil {
		t.Fatal(diags)
	}
	if diff := cmp.Diff(strings.Split(string(wanted.Short()), "\n"), strings.Split(string(w.Short()), "\n")); diff != "" {
		t.Errorf("(-by hand +built):\n%s", diff)
	}
	if string(wanted.Canonical()) != string(w.Canonical()) && !t.Failed() {
		t.Errorf("canonical forms differ:\n%s\n%s", wanted.Canonical(), w.Canonical())
	}
}

func TestBuildSequence(t *testing.T) {
	t.Parallel()
	type state struct {
		Summary string   `json:"summary"`
		Risks   []string `json:"risks" wf:"extend"`
	}
	w := built(t, Define[request, state, report]("weekly").
		Describe("The weekly report.").
		Step("read", read).
		Step("extract", extract).Retry(Retry{MaxAttempts: 3}).Timeout(30*time.Second).
		Step("review", review).On("rejected", "read"))
	want(t, w, `{"name": "weekly", "description": "The weekly report.", "nodes": [
		{"id": "read", "node": "local.read", "input": {"path": "input.path"}, "next": "extract"},
		{"id": "extract", "node": "local.extract", "input": {"text": "steps.read.text"},
		 "output": {"risks": "state.risks", "summary": "state.summary"},
		 "retry": {"max_attempts": 3}, "timeout_seconds": 30, "next": "review"},
		{"id": "review", "node": "local.review", "input": {"risks": "state.risks", "summary": "state.summary"},
		 "on": {"approved": "__end__", "rejected": "read"}}]}`)
}

func TestBuildExplicitBindings(t *testing.T) {
	t.Parallel()
	type state struct {
		Draft string `json:"draft"`
		Seen  bool   `json:"seen"`
	}
	type opts struct {
		Text  string `json:"text"`
		Title string `json:"title,omitempty"`
		Style struct {
			Tone string `json:"tone"`
		} `json:"style"`
		Path string `json:"path"`
	}
	w := built(t, Define[request, state, report]("w").
		Step("read", read).OutIfAbsent("text", "state.draft", AbsentKeep).OutValue("state.seen", true).
		Step("write", step[opts, report]("write")).
		InOr("text", "state.draft", "nothing").
		InText("title", "About {input.path}").
		InValue("style.tone", "dry").
		Step("whole", step[doc, nothing]("whole")).In("doc.text", "state.draft").
		Output("summary", "steps.write.summary").
		OutputValue("risks", []string{}))
	want(t, w, `{"name": "w", "nodes": [
		{"id": "read", "node": "local.read", "input": {"path": "input.path"},
		 "output": [{"source": {"path": {"root": "local", "parts": ["text"]}}, "target": "state.draft", "if_absent": "keep"}, {"source": {"value": true}, "target": "state.seen"}], "next": "write"},
		{"id": "write", "node": "local.write", "next": "whole", "input": {
			"path": "input.path", "style.tone": {"value": "dry"},
			"text": {"path": "state.draft", "default": "nothing"}, "title": {"text": "About {input.path}"}}},
		{"id": "whole", "node": "local.whole", "input": {"doc.text": "state.draft"}, "next": "__end__"}],
		"output": {"risks": {"value": []}, "summary": "steps.write.summary"}}`)
}

func TestBuildOutputByName(t *testing.T) {
	t.Parallel()
	type out struct {
		Path    string `json:"path"`
		Summary string `json:"summary"`
		Comment string `json:"comment,omitempty"`
	}
	type state struct {
		Comment string `json:"comment"`
	}
	w := built(t, Define[request, state, out]("w").
		Step("read", read).
		Step("extract", extract).
		Step("review", review).On("rejected", "read"))
	want(t, w, `{"name": "w", "nodes": [
		{"id": "read", "node": "local.read", "input": {"path": "input.path"}, "next": "extract"},
		{"id": "extract", "node": "local.extract", "input": {"text": "steps.read.text"}, "next": "review"},
		{"id": "review", "node": "local.review", "input": {"risks": "steps.extract.risks", "summary": "steps.extract.summary"},
		 "output": {"comment": "state.comment"}, "on": {"approved": "__end__", "rejected": "read"}}],
		"output": {"comment": "state.comment", "path": "input.path", "summary": "steps.extract.summary"}}`)
}

func TestBuildControl(t *testing.T) {
	t.Parallel()
	type in struct {
		N    int      `json:"n"`
		Tags []string `json:"tags"`
		Due  string   `json:"due"`
	}
	type state struct {
		N     int    `json:"n"`
		Kind  string `json:"kind"`
		Error any    `json:"error"`
	}
	w := built(t, Define[in, state, state]("w").
		If("big", Gt("state.n", 10)).Then("route").
		Set("small").OutValue("state.kind", "small").OutText("state.error", "n is {state.n}").Goto(ToEnd).
		Switch("route").
		Case(And(Contains("input.tags", "red"), Ne("state.n", At("input.n"))), "red").
		Case(Ge(Length("input.tags"), 3), "red").
		Case(Exists("state.kind"), "nap").
		Default("gave_up").
		Set("red").OutOr("input.n", "state.n", 0).Unset("state.kind").
		Wait("nap", 1500*time.Millisecond).
		WaitUntil("later", "input.due").
		Step("touch", touch).
		Loop("ok", "big", 3, "judge").
		CatchInto("sorry", "state.error", "timeout", "transport").
		Catch(ToEnd).
		Step("judge", choice[nothing, nothing]("judge", "sorry", "fine")).On("sorry", ToEnd).Catch("sorry", "timeout").
		End("gave_up", "too_much").Return("n", "state.n").ReturnValue("kind", "none").ReturnValue("error", nil).
		Fail("sorry", "acme.sorry").Message("broken: {state.error}"))
	want(t, w, `{"name": "w", "outcomes": ["ok", "too_much"], "nodes": [
		{"id": "big", "type": "condition", "check": {"gt": ["state.n", 10]}, "on": {"true": "route", "false": "small"}},
		{"id": "small", "type": "set", "next": "__end__",
		 "output": {"state.kind": {"value": "small"}, "state.error": {"text": "n is {state.n}"}}},
		{"id": "route", "type": "condition", "default": "default", "cases": [
			{"when": {"and": [{"contains": ["input.tags", {"value": "red"}]}, {"ne": ["state.n", "input.n"]}]}, "outcome": "red"},
			{"when": {"ge": [{"length": "input.tags"}, 3]}, "outcome": "red"},
			{"when": {"exists": "state.kind"}, "outcome": "nap"}],
		 "on": {"red": "red", "nap": "nap", "default": "gave_up"}},
		{"id": "red", "type": "set", "output": {"state.n": {"path": "input.n", "default": 0}}, "unset": ["state.kind"], "next": "nap"},
		{"id": "nap", "type": "wait", "seconds": 1.5, "next": "later"},
		{"id": "later", "type": "wait", "until": "input.due", "next": "touch"},
		{"id": "touch", "node": "local.touch",
		 "on": {"ok": {"to": "big", "max_visits": 3, "exhausted": "judge"}, "sorry": "sorry", "end": "__end__"},
		 "catch": [{"codes": ["timeout", "transport"], "outcome": "sorry", "error": "state.error"}, {"codes": ["*"], "outcome": "end"}]},
		{"id": "judge", "node": "local.judge", "on": {"sorry": "__end__", "fine": "__end__", "caught_sorry": "sorry"},
		 "catch": [{"codes": ["timeout"], "outcome": "caught_sorry"}]},
		{"id": "gave_up", "type": "end", "outcome": "too_much", "output": {"error": null, "kind": {"value": "none"}, "n": "state.n"}},
		{"id": "sorry", "type": "fail", "code": "acme.sorry", "message": {"text": "broken: {state.error}"}}]}`)
}

func TestBuildForeach(t *testing.T) {
	t.Parallel()
	type state struct {
		Risks  []string `json:"risks" wf:"extend"`
		Failed int      `json:"failed"`
		All    any      `json:"all"`
	}
	body := Body().
		Step("digest", digest).
		If("empty", Eq("steps.digest.summary", "")).Then(ToDiscard).Else("review").
		Step("review", review).Loop("rejected", "digest", 2, ToContinue)
	w := built(t, Define[request, state, state]("w").
		Step("list", list).
		Foreach("each", "steps.list.docs", "doc", body).
		Parallel(4).OnError(Collect).Complete(3).Unmet("few").Timeout(time.Minute, ToEnd).Retry(Retry{MaxAttempts: 2}).
		Result("steps.digest.summary").Out("failed", "state.failed").Out("results", "state.all").
		Catch("few", "not_an_array").
		Step("touch", touch).
		Foreach("none", "state.risks", "risk", Body()).
		End("few", "too_few"))
	want(t, w, `{"name": "w", "outcomes": ["ok", "too_few"], "nodes": [
		{"id": "list", "node": "local.list", "input": {"path": "input.path"}, "next": "each"},
		{"id": "each", "type": "foreach", "over": "steps.list.docs", "as": "doc", "result": "steps.digest.summary",
		 "mode": "parallel", "max_concurrency": 4, "on_item_error": "collect", "complete": 3, "timeout_seconds": 60, "retry": {"max_attempts": 2},
		 "output": {"failed": "state.failed", "results": "state.all"}, "catch": [{"codes": ["not_an_array"], "outcome": "few"}],
		 "on": {"item": "digest", "done": "touch", "unmet": "few", "timed_out": "__end__", "few": "few"}},
		{"id": "digest", "node": "local.digest", "input": {"doc": "item.doc"}, "output": {"risks": "state.risks"}, "next": "empty"},
		{"id": "empty", "type": "condition", "check": {"eq": ["steps.digest.summary", {"value": ""}]}, "on": {"true": "__discard__", "false": "review"}},
		{"id": "review", "node": "local.review", "input": {"risks": "state.risks", "summary": "steps.digest.summary"},
		 "on": {"approved": "__continue__", "rejected": {"to": "digest", "max_visits": 2, "exhausted": "__continue__"}}},
		{"id": "touch", "node": "local.touch", "next": "none"},
		{"id": "none", "type": "foreach", "over": "state.risks", "as": "risk", "on": {"item": "__continue__", "done": "__end__"}},
		{"id": "few", "type": "end", "outcome": "too_few"}]}`)
}

func TestBuildFork(t *testing.T) {
	t.Parallel()
	type out struct {
		Summary string `json:"summary"`
		Comment string `json:"comment"`
	}
	type state struct {
		Errors any `json:"errors"`
	}
	w := built(t, Define[request, state, out]("w").
		Step("read", read).
		Fork("split",
			Branch("short", Body().Step("extract", extract)),
			Branch("legal", Body().Step("check", step[notes, verdict]("check"))).When(Exists("input.path")),
			Branch("rest", Body()),
		).OnError(Collect).Out("errors", "state.errors").Complete(2).Unmet(ToEnd).Timeout(time.Second, "touch").Catch("touch", "timeout").
		Step("review", choice[report, nothing]("review", "yes", "no")).On("no", ToEnd).
		Step("touch", touch).Goto(ToEnd))
	want(t, w, `{"name": "w", "nodes": [
		{"id": "read", "node": "local.read", "input": {"path": "input.path"}, "next": "split"},
		{"id": "split", "type": "fork", "join": "split_join", "on_branch_error": "collect", "complete": 2, "timeout_seconds": 1,
		 "branches": [{"outcome": "short"}, {"outcome": "legal", "when": {"exists": "input.path"}}, {"outcome": "rest"}],
		 "output": {"errors": "state.errors"}, "catch": [{"codes": ["timeout"], "outcome": "touch"}],
		 "on": {"short": "extract", "legal": "check", "rest": "split_join"}},
		{"id": "extract", "node": "local.extract", "input": {"text": "steps.read.text"}, "next": "split_join"},
		{"id": "check", "node": "local.check", "input": {"text": "steps.read.text"}, "next": "split_join"},
		{"id": "split_join", "type": "join", "on": {"done": "review", "unmet": "__end__", "timed_out": "touch", "touch": "touch"}},
		{"id": "review", "node": "local.review", "input": {"risks": "steps.extract.risks", "summary": "steps.extract.summary"},
		 "on": {"yes": "touch", "no": "__end__"}},
		{"id": "touch", "node": "local.touch", "next": "__end__"}],
		"output": {"comment": "steps.check.comment", "summary": "steps.extract.summary"}}`)
}

func TestBuildAsk(t *testing.T) {
	t.Parallel()
	type answer struct {
		Comment string `json:"comment"`
		Budget  int    `json:"budget,omitempty"`
	}
	type state struct {
		Budget int `json:"budget"`
	}
	w := built(t, Define[request, state, verdict]("w").
		Step("read", read).
		Step("extract", extract).
		Step("approve", Ask[report, answer]("approval", "approved", "rejected").
			Describe("May this go out?").
			AnswerSchema("rejected", Schema(`{"required":["comment"]}`)).
			Timeout(48*time.Hour, "late")).
		On("rejected", "extract").On("late", ToEnd))
	want(t, w, `{"name": "w", "nodes": [
		{"id": "read", "node": "local.read", "input": {"path": "input.path"}, "next": "extract"},
		{"id": "extract", "node": "local.extract", "input": {"text": "steps.read.text"}, "next": "approve"},
		{"id": "approve", "type": "interrupt", "kind": "approval", "desc": "May this go out?",
		 "request": {"risks": "steps.extract.risks", "summary": "steps.extract.summary"}, "resume": {"budget": "state.budget"},
		 "resume_schemas": {"rejected": {"required": ["comment"]}},
		 "outcomes": ["approved", "rejected"], "timeout_seconds": 172800, "timeout_outcome": "late",
		 "on": {"approved": "__end__", "rejected": "extract", "late": "__end__"}}],
		"output": {"comment": "steps.approve.comment"}}`)
}

func TestBuildSubgraph(t *testing.T) {
	t.Parallel()
	child, err := Define[notes, nothing, report]("extraction").Step("extract", extract).
		Step("review", choice[report, nothing]("review", "yes", "no")).On("no", "bad").End("bad", "poor").Build()
	if err != nil {
		t.Fatal(err)
	}
	w := built(t, Define[request, report, report]("w").
		Step("read", read).
		Step("child", child).Retry(Retry{MaxAttempts: 2}).Loop("poor", "child", 2, ToEnd).
		Step("again", child).In("text", "state.summary").On("poor", ToEnd))
	want(t, w, `{"name": "w", "nodes": [
		{"id": "read", "node": "local.read", "input": {"path": "input.path"}, "next": "child"},
		{"id": "child", "type": "subgraph", "workflow": "extraction", "input": {"text": "steps.read.text"},
		 "output": {"risks": "state.risks", "summary": "state.summary"}, "retry": {"max_attempts": 2},
		 "on": {"ok": "again", "poor": {"to": "child", "max_visits": 2, "exhausted": "__end__"}}},
		{"id": "again", "type": "subgraph", "workflow": "extraction", "input": {"text": "state.summary"},
		 "output": {"risks": "state.risks", "summary": "state.summary"}, "on": {"ok": "__end__", "poor": "__end__"}}],
		"workflows": {"extraction": {"name": "extraction", "outcomes": ["ok", "poor"],
		 "output": {"risks": "steps.extract.risks", "summary": "steps.extract.summary"}, "nodes": [
		 {"id": "extract", "node": "local.extract", "input": {"text": "input.text"}, "next": "review"},
		 {"id": "review", "node": "local.review", "input": {"risks": "steps.extract.risks", "summary": "steps.extract.summary"},
		  "on": {"yes": "__end__", "no": "bad"}},
		 {"id": "bad", "type": "end", "outcome": "poor"}]}}}`)
	if w.funcs["local.read"] != read || w.Workflows["extraction"].funcs["local.extract"] != extract {
		t.Error("the functions are lost")
	}
}

func TestBuildCapabilities(t *testing.T) {
	t.Parallel()
	w, err := Define[request, nothing, report]("w").
		Step("fetch", Ref("mcp.drive.read_file")).In("path", "input.path").
		Step("sort", Ref("mcp.mail.sort", "work", "spam")).On("spam", ToEnd).
		Step("extract", CapabilityOf[notes, report]("llm.extract")).In("text", "steps.fetch.content").Narrow(Schema(`{"required":["risks"]}`)).
		Build()
	if err != nil {
		t.Fatal(DiagnosticsOf(err))
	}
	var refs []string
	for _, def := range w.NodeDefs {
		refs = append(refs, def.Name)
	}
	if !slices.Equal(refs, []string{"llm.extract", "mcp.mail.sort"}) {
		t.Errorf("node_defs of %v", refs)
	}
	if got := string(w.Nodes[2].(*NodeStep).OutputSchema); got != `{"required":["risks"]}` {
		t.Errorf("the output is narrowed to %s", got)
	}
	if len(w.funcs) != 0 {
		t.Errorf("functions %v", w.funcs)
	}
}
