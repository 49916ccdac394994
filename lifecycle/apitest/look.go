package apitest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
)

func (s *suite) list() {
	done := s.begin(counting, `{"text":"a"}`, "run_a")
	asks := s.begin(asking, "", "run_b")
	fails := s.begin(failing, "", "run_c")
	ids := func(p lifecycle.ListRuns) string {
		list, err := s.api.ListRuns(s.ctx, &p)
		if err != nil {
			s.Fatal(err)
		}
		s.advised(list.Advice)
		var ids []string
		for _, r := range list.Runs {
			ids = append(ids, r.RunID)
		}
		slices.Sort(ids) // those of the same moment come in any order
		return strings.Join(ids, " ")
	}
	for _, c := range []struct {
		p    lifecycle.ListRuns
		want string
	}{
		{lifecycle.ListRuns{}, "run_a run_b run_c"},
		{lifecycle.ListRuns{Status: []wf.RunStatus{wf.StatusCompleted, wf.StatusFailed}}, "run_a run_c"},
		{lifecycle.ListRuns{Waiting: true}, "run_b"},
		{lifecycle.ListRuns{Labels: map[string]string{"wf.workflow": "failing"}}, "run_c"},
		{lifecycle.ListRuns{CreatedBefore: time.Unix(0, 0)}, ""},
		{lifecycle.ListRuns{Deployment: "nightly"}, ""},
	} {
		if got := ids(c.p); got != c.want {
			s.Errorf("%+v lists %q, expected %q", c.p, got, c.want)
		}
	}
	if done.Status != wf.StatusCompleted || asks.Status != wf.StatusInterrupted || fails.Status != wf.StatusFailed {
		s.Error(done.Status, asks.Status, fails.Status)
	}
}

func (s *suite) pages() {
	for i := range 7 {
		s.begin(counting, `{"text":"a"}`, fmt.Sprintf("run_%d", i))
	}
	seen := map[string]int{}
	p := lifecycle.ListRuns{Limit: 3}
	for pages := 1; ; pages++ {
		list, err := s.api.ListRuns(s.ctx, &p)
		if err != nil {
			s.Fatal(err)
		}
		s.advised(list.Advice)
		for _, r := range list.Runs {
			seen[r.RunID]++
		}
		if list.Next == "" {
			if pages != 3 || len(seen) != 7 {
				s.Errorf("%d pages with %v", pages, seen)
			}
			break
		}
		p.Cursor = list.Next
	}
	_, err := s.api.ListRuns(s.ctx, &lifecycle.ListRuns{Cursor: "elsewhere"})
	s.wants(err, lifecycle.BadRequest, "params_invalid")
}

func (s *suite) trace() {
	const plan = `{"name": "loop", "input_schema": {"type": "object", "properties": {"items": {"type": "array", "items": {"type": "string"}}}},
		"nodes": [{"id": "each", "type": "foreach", "over": "input.items", "as": "item", "on": {"item": "count", "done": "__end__"}},
			{"id": "count", "node": "demo.count", "input": {"text": "item.item"}, "next": "__continue__"}]}`
	run := s.begin(plan, `{"items":["a","bb","ccc"]}`, "")
	if run.Status != wf.StatusCompleted {
		s.Fatal(run.Status, run.Error)
	}
	trace := func(p lifecycle.TraceRun) *lifecycle.Trace {
		p.RunID = run.RunID
		t, err := s.api.TraceRun(s.ctx, &p)
		if err != nil {
			s.Fatal(err)
		}
		s.advised(t.Advice)
		return t
	}
	if all := trace(lifecycle.TraceRun{}); len(all.Entries) != all.Total || all.Total < 4 {
		s.Errorf("%d of %d entries", len(all.Entries), all.Total)
	}
	if part := trace(lifecycle.TraceRun{Step: "count", From: 1, Limit: 1}); part.Total != 3 || len(part.Entries) != 1 || part.Entries[0].Frame != "/each[1]" {
		s.Errorf("one of %d: %+v", part.Total, part.Entries)
	}
	if one := trace(lifecycle.TraceRun{Frame: "/each[2]"}); one.Total != 1 || string(one.Entries[0].Input) != `{"text":"ccc"}` {
		s.Errorf("in the frame: %+v", one.Entries)
	}
	if none := trace(lifecycle.TraceRun{Step: "cuont", From: 99}); none.Total != 0 || !strings.Contains(none.Advice.Reason, "count") {
		s.Errorf("of a step that is none: %+v", none)
	}
	_, err := s.api.TraceRun(s.ctx, &lifecycle.TraceRun{RunID: run.RunID, From: -1})
	s.wants(err, lifecycle.BadRequest, "params_invalid")
}

func (s *suite) explain() {
	run := s.begin(failing, "", "")
	x, err := s.api.ExplainRun(s.ctx, &lifecycle.ExplainRun{RunID: run.RunID})
	if err != nil {
		s.Fatal(err)
	}
	s.advised(x.Advice)
	if x.Error == nil || x.Error.Code != wf.CodeInputInvalid || x.Place != "/nodes/1" || x.Node != "demo.strict" || x.Meaning == "" ||
		len(x.Violations) != 1 || x.Violations[0].Path != "/text" || string(x.Input) != `{"text":"too long"}` || x.RepairHint == "" {
		s.Errorf("the explanation is %+v", x)
	}
	if len(x.Reads) != 1 || x.Reads[0].Path != "state.text" || x.Reads[0].Changed == nil || x.Reads[0].Changed.Step != "write" || string(x.Reads[0].Changed.Value) != `"too long"` {
		s.Errorf("it has read %+v", x.Reads)
	}
	asks, err := s.api.ExplainRun(s.ctx, &lifecycle.ExplainRun{RunID: s.begin(asking, "", "").RunID})
	if err != nil || len(asks.Interrupts) != 1 || asks.Summary != "The run waits for 1 answer." {
		s.Errorf("of a run that waits: %+v, %v", asks, err)
	}
}

func (s *suite) explainInside() {
	x, err := s.api.ExplainRun(s.ctx, &lifecycle.ExplainRun{RunID: s.begin(failingInside, "", "").RunID})
	if err != nil {
		s.Fatal(err)
	}
	if x.Place != "/workflows/inner/nodes/0" || x.Error.Code != wf.CodeHandlerError || !strings.Contains(x.Summary, "no paper") {
		s.Errorf("the explanation is %+v", x)
	}
}

// types are the events as words.
func types(events []*lifecycle.RunEvent) string {
	var words []string
	for _, e := range events {
		word := e.Type
		if e.Step != nil {
			word = e.Step.Step
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

func (s *suite) watched(p lifecycle.WatchRun) (events []*lifecycle.RunEvent) {
	for e, err := range s.api.WatchRun(s.ctx, &p) {
		if err != nil {
			s.Error(err) // not Fatal: it may be another goroutine than the test's
			return events
		}
		events = append(events, e)
	}
	return events
}

func (s *suite) watch() {
	run := s.begin(asking, "", "")
	events := s.watched(lifecycle.WatchRun{RunID: run.RunID})
	if got := types(events); got != "interrupt stopped" {
		s.Errorf("the events are %q", got)
	}
	s.advised(events[len(events)-1].Run.Advice)
	after := events[len(events)-1].Seq
	over := make(chan []*lifecycle.RunEvent)
	stepping, err := s.api.StartRun(s.ctx, &lifecycle.StartRun{Plan: json.RawMessage(counting), Input: json.RawMessage(`{"text":"hello"}`), StepByStep: true})
	if err != nil {
		s.Fatal(err)
	}
	go func() { over <- s.watched(lifecycle.WatchRun{RunID: stepping.RunID}) }()
	for range 2 {
		if _, err := s.api.StepRun(s.ctx, &lifecycle.StepRun{RunID: stepping.RunID}); err != nil {
			s.Fatal(err)
		}
	}
	if got := types(<-over); got != "one two stopped" {
		s.Errorf("while it goes on, the events are %q", got)
	}
	a := lifecycle.Answer{Outcome: "yes", Payload: json.RawMessage(`{"comment":""}`)}
	if _, err := s.api.ResumeRun(s.ctx, &lifecycle.ResumeRun{RunID: run.RunID, Answers: []lifecycle.Answer{a}, Wait: true}); err != nil {
		s.Fatal(err)
	}
	if got := types(s.watched(lifecycle.WatchRun{RunID: run.RunID, After: after})); got != "ask stopped" {
		s.Errorf("after the answer, the events are %q", got)
	}
}

// Whoever was cut off anywhere goes on there, and has seen everything once.
func (s *suite) watchFromTheMiddle() {
	run := s.begin(counting, `{"text":"hello"}`, "")
	all := s.watched(lifecycle.WatchRun{RunID: run.RunID})
	if got := types(all); got != "one two stopped" {
		s.Fatalf("the events are %q", got)
	}
	for i, want := range []string{"two stopped", "stopped", "stopped"} {
		if got := types(s.watched(lifecycle.WatchRun{RunID: run.RunID, After: all[i].Seq})); got != want {
			s.Errorf("after event %d: %q, expected %q", i, got, want)
		}
	}
	for e, err := range s.api.WatchRun(s.ctx, &lifecycle.WatchRun{RunID: run.RunID}) {
		if err != nil || e.Step.Step != "one" {
			s.Error(e, err)
		}
		break // who has enough may leave
	}
	_, err := s.api.InspectRun(s.ctx, &lifecycle.InspectRun{RunID: run.RunID})
	if err != nil {
		s.Error(err)
	}
}
