package main

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lda.chat/wf"
	"lda.chat/wf/examples/approval/letter"
	"lda.chat/wf/source"
	"lda.chat/wf/wftest"
)

const planFile = "workflow.plan.json"

func built(t *testing.T) *wf.Workflow {
	t.Helper()
	w, err := letter.Workflow()
	if err != nil {
		t.Fatal(wf.DiagnosticsOf(err))
	}
	return w
}

// The plan file and the builder say the same, to the byte of the canonical form.
func TestPlanFileIsTheBuiltWorkflow(t *testing.T) {
	w := built(t)
	if os.Getenv("WF_UPDATE") == "1" {
		if err := os.WriteFile(planFile, w.Short(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(w.Canonical()), string(wftest.ReadPlan(t, planFile).Canonical())); diff != "" {
		t.Errorf("canonical bytes (-built +file):\n%s", diff)
	}
}

// host has the functions as the source that the plan file names.
func host(t *testing.T) *wftest.Host {
	t.Helper()
	src, err := letter.Registry().Source(letter.Source)
	if err != nil {
		t.Fatal(err)
	}
	set, err := source.NewSet(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	return wftest.New(t, &wftest.Options{Nodes: set})
}

var topic = letter.Input{Topic: "The office is closed."}

func TestRevisedAndSent(t *testing.T) {
	t.Parallel()
	run := host(t).Start(wftest.ReadPlan(t, planFile), topic)
	run.WantRefused(wf.CodePayloadInvalid, "approve", "rejected", nil) // why?
	run.Answer("approve", "rejected", letter.Feedback{Comment: "Say why."})
	run.Answer("approve", "approved", nil)
	run.WantOutcome("ok")
	run.WantTrace("testdata/revised.trace")
}

// The built workflow, with a stub in the place of a function.
func TestMailServerThatIsDown(t *testing.T) {
	t.Parallel()
	h := wftest.New(t, nil)
	h.Stub("local.letter.send", wftest.Failure("transport", "no route"))
	run := h.Start(built(t), topic)
	run.Answer("approve", "approved", nil)
	run.WantFailure("transport")
	run.WantState(`{"text": "Dear all,\n\nThe office is closed.\n\nKind regards"}`)
}

func TestNotSent(t *testing.T) {
	t.Parallel()
	h := host(t)
	late := h.Start(built(t), topic)
	h.Advance(72 * time.Hour)
	late.WantOutcome("not_sent")
	stubborn := h.Start(built(t), topic)
	for range 4 {
		stubborn.Answer("approve", "rejected", letter.Feedback{Comment: "No."})
	}
	stubborn.WantOutcome("not_sent")
	if n := len(h.Calls("local.letter.send")); n != 0 {
		t.Errorf("%d letters were sent, expected none", n)
	}
}

func TestCommand(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := run(context.Background(), "Topic.", strings.NewReader("\nShorter.\nYES\n"), &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`/approve {"text":"Dear all,\n\nTopic.\n\nKind regards"}`, "payload_invalid", "/approve#2 ", "outcome ok", "Topic.\nShorter.\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if err := run(context.Background(), "Topic.", strings.NewReader(""), &out); err == nil {
		t.Error("no answers, and no error")
	}
}
