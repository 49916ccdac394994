// Package plans has workflows that other systems run, as plans, and a test of each: it is valid without a warning, and runs
// with stubs in the place of its capabilities.
package plans

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/wftest"
)

// Every plan in this folder is valid, without a warning.
func TestPlansAreValid(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.plan.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no plans", err)
	}
	for _, file := range files {
		w := wftest.ReadPlan(t, file)
		if want := w.Name + ".plan.json"; file != want {
			t.Errorf("%s has the plan %s", file, w.Name)
		}
		for _, d := range wf.Validate(w, nil) {
			t.Errorf("%s: %v", file, d)
		}
	}
}

type object = map[string]any

func TestNewsMonitor(t *testing.T) {
	t.Parallel()
	h := wftest.New(t, nil)
	h.Stub("feeds.read", wftest.Func(func(_ context.Context, in map[string]string) (object, error) {
		if in["url"] == "broken" {
			return nil, &wf.Error{Code: "provider_error", Message: "no feed"}
		}
		return object{"items": []object{{"link": in["url"] + "/1", "title": "Cats"}, {"link": in["url"] + "/2", "title": "Go"}}}, nil
	}))
	h.Stub("sheet.unseen", wftest.Func(func(_ context.Context, in struct{ Items []object }) (object, error) {
		return object{"items": in.Items[1:]}, nil // the first was seen
	}))
	h.Stub("llm.classify", wftest.Decision(func(_ context.Context, in map[string]string) (wf.Outcome, object, error) {
		if in["title"] == "Go" {
			return "relevant", object{}, nil
		}
		return "irrelevant", object{}, nil
	}))
	h.Stub("http.fetch", wftest.Failure("transport", "no route"), wftest.Output(object{"text": "page"}))
	h.Stub("llm.summarise", wftest.Output(object{"text": "short"}))
	h.Stub("chat.post")
	h.Stub("sheet.append")
	run := h.Run(wftest.ReadPlan(t, "news_monitor.plan.json"), object{"feeds": []string{"a", "broken", "b"}})
	run.WantOutcome("ok")
	run.WantOutput(object{"posted": []string{"a/2", "b/2"}, "unread": 1})
	relevant := map[string]bool{}
	for _, c := range h.Calls("sheet.append") {
		relevant[string(c.Input)] = true
	}
	if len(relevant) != 3 || !relevant[`{"link":"b/1","relevant":false}`] {
		t.Errorf("the sheet got %v", relevant)
	}
	if n := len(h.Calls("http.fetch")); n != 3 {
		t.Errorf("%d fetches, expected 3: one is repeated", n)
	}
	// Nothing new just ends it.
	h.Stub("sheet.unseen", wftest.Output(object{"items": []any{}}))
	h.Run(wftest.ReadPlan(t, "news_monitor.plan.json"), object{"feeds": []string{}}).WantOutput(object{"posted": []any{}, "unread": 0})
}

func TestMailReply(t *testing.T) {
	t.Parallel()
	h := wftest.New(t, nil)
	h.Stub("llm.summarise", wftest.Output(object{"text": "wants an offer"}))
	h.Stub("llm.draft_reply", wftest.Output(object{"text": "No."}), wftest.Output(object{"text": "Here it is."}))
	h.Stub("mail.send")
	w, input := wftest.ReadPlan(t, "mail_reply.plan.json"), object{"mail": "Hello", "from": "ada@example.com"}
	run := h.Start(w, input)
	run.WantRefused(wf.CodePayloadInvalid, "approve", "rejected", object{})
	run.WantRefused(wf.CodeUndeclaredOutcome, "approve", "late", nil)
	run.Answer("approve", "rejected", object{"feedback": "be kind"})
	run.Answer("approve", "approved", nil)
	run.WantOutput(object{"draft": "Here it is."})
	if got := string(h.Calls("llm.draft_reply")[1].Input); got != `{"draft":"No.","feedback":"be kind","summary":"wants an offer"}` {
		t.Errorf("the second draft is made of %s", got)
	}
	late := h.Start(w, input)
	h.Advance(72 * time.Hour)
	late.WantOutcome("gave_up")
	stubborn := h.Start(w, input)
	for range 6 {
		stubborn.Answer("approve", "rejected", object{"feedback": "no"})
	}
	stubborn.WantOutcome("gave_up")
	if n := len(h.Calls("mail.send")); n != 1 {
		t.Errorf("%d mails were sent, expected 1", n)
	}
}

func TestThreeApprovals(t *testing.T) {
	t.Parallel()
	h := wftest.New(t, nil)
	w := wftest.ReadPlan(t, "three_approvals.plan.json")
	run := h.Start(w, object{"amount": 5000})
	if open := run.Handle().Interrupts(); len(open) != 3 {
		t.Fatalf("%d interrupts are open, expected 3", len(open))
	}
	run.Answer("ask_management", "approved", nil)
	run.Answer("ask_legal", "approved", nil)
	run.WantStatus(wf.StatusInterrupted)
	run.Answer("ask_finance", "approved", nil)
	run.WantOutput(object{"by": []string{"legal", "finance", "management"}})
	refused := h.Start(w, object{"amount": 5000})
	refused.Answer("ask_legal", "approved", nil)
	refused.Answer("ask_finance", "rejected", nil)
	refused.WantOutcome("rejected")
	refused.WantOutput(object{"by": []any{}, "reason": "finance says no"})
	refused.WantRefused(wf.CodeRunEnded, "/ask:management/ask_management", "approved", nil)
}

func TestQuorum(t *testing.T) {
	t.Parallel()
	answer := func(text string) wftest.Answer { return wftest.Output(object{"text": text}) }
	down := wftest.Failure("provider_error", "down")
	for name, c := range map[string]struct {
		a, b, c wftest.Answer
		outcome wf.Outcome
		output  object
	}{
		"a slow one is not waited for": {answer("a").After(time.Hour), answer("b").After(2 * time.Second), answer("c").After(time.Second), "ok",
			object{"answers": []string{"b", "c"}, "succeeded": 2, "failed": 0}},
		"one may fail": {answer("a"), down, answer("c"), "ok", object{"answers": []string{"a", "c"}, "succeeded": 2, "failed": 1}},
		"two may not":  {answer("a"), down, down, "no_quorum", object{"answers": []string{"a"}, "succeeded": 1, "failed": 2}},
		"too late":     {answer("a"), wftest.Never(), answer("c").After(61 * time.Second), "too_late", object{"answers": []string{"a"}, "succeeded": 1, "failed": 0}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := wftest.New(t, nil)
			h.Stub("services.a", c.a)
			h.Stub("services.b", c.b)
			h.Stub("services.c", c.c)
			run := h.Run(wftest.ReadPlan(t, "quorum.plan.json"), object{"question": "?"})
			run.WantOutcome(c.outcome)
			run.WantOutput(c.output)
		})
	}
}

func TestRepoViews(t *testing.T) {
	t.Parallel()
	h := wftest.New(t, nil)
	count := wftest.Func(func(ctx context.Context, in map[string]string) (object, error) {
		if call, _ := wf.CallFrom(ctx); in["repo"] == "r3" && call.Attempt < 6 || in["repo"] == "r5" {
			return nil, &wf.Error{Code: "transport", Message: "no route"}
		}
		return object{"count": len(in["repo"])}, nil
	})
	h.Stub("hub.views", count)
	h.Stub("table.put")
	var repos []string
	for i := range 12 {
		repos = append(repos, fmt.Sprint("r", i))
	}
	run := h.Run(wftest.ReadPlan(t, "repo_views.plan.json"), object{"repos": repos})
	run.WantOutcome("ok")
	if n := len(h.Calls("hub.views")); n != 10+6+6 {
		t.Errorf("%d calls, expected 22: two repositories are tried six times", n)
	}
	if puts := h.Calls("table.put"); len(puts) != 11 || string(puts[0].Input) != `{"count":2,"key":"Repos-r0"}` {
		t.Errorf("%d rows, the first is %s", len(puts), puts[0].Input)
	}
	var out struct {
		Views  []object `json:"views"`
		Errors []object `json:"errors"`
	}
	if err := run.Handle().Output(&out); err != nil {
		t.Fatal(err)
	}
	if len(out.Views) != 11 || len(out.Errors) != 1 || out.Errors[0]["item"] != "r5" {
		t.Errorf("the output is %v", out)
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	h := wftest.New(t, nil)
	h.Stub("storage.list", wftest.Output(object{"names": []string{"a", "b"}, "token": "2"}), wftest.Output(object{"names": []string{"c"}, "token": "3"}),
		wftest.Output(object{"names": []string{}}))
	h.Run(wftest.ReadPlan(t, "pages.plan.json"), nil).WantOutput(object{"names": []string{"a", "b", "c"}})
	var inputs []string
	for _, c := range h.Calls() {
		inputs = append(inputs, string(c.Input))
	}
	if got := strings.Join(inputs, " "); got != `{} {"token":"2"} {"token":"3"}` {
		t.Errorf("the pages were asked for with %s", got)
	}
	h.Stub("storage.list", wftest.Output(object{"names": []string{"a"}, "token": "1"}))
	h.Run(wftest.ReadPlan(t, "pages.plan.json"), nil).WantFailure("storage.endless")
}

func TestSupportCase(t *testing.T) {
	t.Parallel()
	h := wftest.New(t, nil)
	describe := func(severity string) wftest.Answer {
		return wftest.Output(object{"cases": []object{{"subject": "It is down", "severity": severity}}})
	}
	h.Stub("support.describe", describe("urgent"), describe("low"), wftest.Output(object{"cases": []object{}}))
	h.Stub("chat.post")
	w, input := wftest.ReadPlan(t, "support_case.plan.json"), object{"case": "C-7"}
	h.Run(w, input).WantOutcome("ok")
	h.Run(w, input).WantOutcome("nothing_to_tell")
	h.Run(w, input).WantFailure(wf.CodeConditionMissing)
	if posts := h.Calls("chat.post"); len(posts) != 1 || string(posts[0].Input) != `{"text":"Case C-7 is urgent: It is down"}` {
		t.Errorf("the chat got %v", posts)
	}
}

func TestBatchImport(t *testing.T) {
	t.Parallel()
	h := wftest.New(t, nil)
	h.Stub("storage.batches", wftest.Output(object{"batches": [][]int{{1, 2, 3}, {4, 5}, {6}}}))
	h.Stub("table.write", wftest.Func(func(_ context.Context, in struct{ Items []int }) (object, error) {
		if in.Items[0] == 6 {
			return object{"written": 0, "unprocessed": in.Items}, nil // never
		}
		return object{"written": 1, "unprocessed": in.Items[1:]}, nil // one at a time
	}))
	run := h.Run(wftest.ReadPlan(t, "batch_import.plan.json"), object{"file": "all.json"})
	run.WantOutput(object{"written": 5, "errors": []object{
		{"index": 2, "item": []int{6}, "code": "table.unprocessed", "message": "0 are written, the others are not"}}})
	if n := len(h.Calls("table.write")); n != 3+2+6 {
		t.Errorf("%d writes, expected 11", n)
	}
	if info := run.Handle().Info(); info.UpdatedAt.Sub(info.StartedAt) != 25*time.Second {
		t.Errorf("it took %v, expected five pauses of 5 s side by side with the others", info.UpdatedAt.Sub(info.StartedAt))
	}
}
