package main

import (
	"context"
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lda.chat/wf"
	"lda.chat/wf/examples/report_workflow/report"
	"lda.chat/wf/source"
)

const planFile = "workflow.plan.json"

func built(t *testing.T) *wf.Workflow {
	t.Helper()
	w, err := report.Workflow()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// The plan file and the builder say the same, to the byte of the canonical form.
func TestPlanFileIsTheBuiltWorkflow(t *testing.T) {
	w := built(t)
	if os.Getenv("WF_UPDATE") != "" {
		if err := os.WriteFile(planFile, w.Short(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(planFile)
	if err != nil {
		t.Fatal(err)
	}
	parsed, diags := wf.ParseWorkflow(text)
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(w.Canonical()), string(parsed.Canonical())); diff != "" {
		t.Fatalf("canonical bytes (-built +file):\n%s", diff)
	}
	if w.Digest() != parsed.Digest() {
		t.Fatalf("digests %s and %s", w.Digest(), parsed.Digest())
	}
	if diff := cmp.Diff(string(text), string(parsed.Short())); diff != "" {
		t.Fatalf("the file is not in the short form (-file +written):\n%s", diff)
	}
}

// The plan as data finds its functions in a source, and does what the built workflow does.
func TestPlanFileRuns(t *testing.T) {
	t.Chdir("../..") // where the path in run-input.json begins
	text, err := os.ReadFile("examples/report_workflow/" + planFile)
	if err != nil {
		t.Fatal(err)
	}
	input, err := os.ReadFile("examples/report_workflow/run-input.json")
	if err != nil {
		t.Fatal(err)
	}
	parsed, diags := wf.ParseWorkflow(text)
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	src, err := report.Registry().Source(report.Source)
	if err != nil {
		t.Fatal(err)
	}
	set, err := source.NewSet(context.Background(), src)
	if err != nil {
		t.Fatal(err)
	}
	rt, err := wf.NewRuntime(&wf.RuntimeOptions{Nodes: set})
	if err != nil {
		t.Fatal(err)
	}
	fromFile, err := wf.Run[report.Output](context.Background(), rt, parsed, json.RawMessage(input))
	if err != nil {
		t.Fatal(err)
	}
	alone, err := wf.NewRuntime(nil)
	if err != nil {
		t.Fatal(err)
	}
	fromGo, err := wf.Run[report.Output](context.Background(), alone, built(t), json.RawMessage(input))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(fromFile, fromGo); diff != "" {
		t.Fatalf("outputs (-file +built):\n%s", diff)
	}
	if r := fromFile.Report; r.Title != "Weekly Project Update" || len(r.ActionItems) != 3 {
		t.Fatalf("report %+v", r)
	}
}
