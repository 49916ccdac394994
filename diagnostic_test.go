package wf

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDiagnosticsSort(t *testing.T) {
	t.Parallel()
	want := Diagnostics{
		{Severity: SeverityError, Path: "", Code: "a"},
		{Severity: SeverityError, Path: "/edges/2", Code: "a"},
		{Severity: SeverityError, Path: "/nodes/2", Code: "a"},
		{Severity: SeverityError, Path: "/nodes/2", Code: "b"},
		{Severity: SeverityError, Path: "/nodes/2", Code: "b", Message: "z"},
		{Severity: SeverityError, Path: "/nodes/2/input/0", Code: "a"},
		{Severity: SeverityError, Path: "/nodes/10", Code: "a"},
		{Severity: SeverityError, Path: "/nodes/10000000000000000000000", Code: "a"},
		{Severity: SeverityError, Path: "/nodes/01", Code: "a"},
		{Severity: SeverityError, Path: "/nodes/x", Code: "a"},
		{Severity: SeverityError, Path: "/nodes/x", Code: "a", Step: "s"},
		{Severity: SeverityError, Doc: "d", Path: "", Code: "a"},
		{Severity: SeverityWarning, Path: "", Code: "a"},
		{Severity: SeverityInfo, Path: "", Code: "a"},
	}
	for seed := range uint64(20) {
		got := slices.Clone(want)
		r := rand.New(rand.NewPCG(seed, 1))
		r.Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
		got.Sort()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
	}
}

func TestDiagnosticsErr(t *testing.T) {
	t.Parallel()
	warning := Diagnostic{Severity: SeverityWarning, Code: "step_unreachable", Path: "/nodes/1", Message: "w"}
	first := Diagnostic{Severity: SeverityError, Code: "node_unknown", Doc: "plan.json", Path: "/nodes/0/node", Step: "a", Message: "there is no capability \"x\""}
	if err := (Diagnostics{warning}).Err(); err != nil {
		t.Errorf("a warning is no error: %v", err)
	}
	ds := Diagnostics{warning, first, first, first}
	err := fmt.Errorf("saving: %w", ds.Err())
	want := `saving: plan.json /nodes/0/node: error: step "a": there is no capability "x" [node_unknown] (and 2 more errors)`
	if err.Error() != want {
		t.Errorf("got  %s\nwant %s", err, want)
	}
	if diff := cmp.Diff(ds, DiagnosticsOf(err)); diff != "" {
		t.Error(diff)
	}
	if ds.Errors() != 3 || !ds.HasErrors() || DiagnosticsOf(errors.New("x")) != nil || DiagnosticsOf(nil) != nil {
		t.Error("counting errors, or errors without findings")
	}
}

func TestDiagnosticString(t *testing.T) {
	t.Parallel()
	d := Diagnostic{
		Severity: SeverityError, Code: "json_syntax", Doc: "plan.json", Line: 3, Column: 7, Message: "a comma is missing", RepairHint: "add it",
		Related: []Related{{Path: "/nodes", Message: "the list begins here"}, {Doc: "other.json", Path: "", Message: "the same"}},
	}
	want := "plan.json:3:7 (whole document): error: a comma is missing [json_syntax]\n" +
		"  see /nodes: the list begins here\n  see other.json (whole document): the same\n  hint: add it"
	if diff := cmp.Diff(want, d.String()); diff != "" {
		t.Error(diff)
	}
	d.Doc = ""
	if got := d.headline(); got != "3:7 (whole document): error: a comma is missing [json_syntax]" {
		t.Error(got)
	}
}
