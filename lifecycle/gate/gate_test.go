package gate_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"lda.chat/wf"
	"lda.chat/wf/internal/golden"
	"lda.chat/wf/lifecycle/gate"
	"lda.chat/wf/source"
)

// deployed is a case of testdata/deployments.txt.
type deployed struct {
	Bindings    source.Bindings
	DriftPolicy gate.DriftPolicy `json:"drift_policy"`
	Sources     []source.Offer   // beside those that the plan was made with
	Without     []string         // of these
}

const plan = `{"name": "p", "outcomes": ["ok"],
	"nodes": [{"id": "read", "node": "local.report.read", "next": "write"}, {"id": "write", "node": "local.report.write", "next": "send"},
		{"id": "send", "node": "mail.send", "catch": [{"codes": ["transport"], "outcome": "refused"}], "on": {"ok": "log", "refused": "log"}},
		{"id": "log", "node": "wf.std.log", "next": "__end__"}]}`

var sources = []source.Offer{
	{ID: "mail", Contracts: []*wf.NodeDef{{Name: "mail.send", Description: "Sends a mail", Effect: wf.EffectOnce}}},
	{ID: "local.report", Contracts: []*wf.NodeDef{
		{Name: "local.report.read", Effect: wf.EffectRead, InputSchema: wf.Schema(`{"type": "object", "properties": {"path": {"type": "string"}}}`)},
		{Name: "local.report.write", Effect: wf.EffectOnce},
	}},
	{ID: "wf.std", Contracts: []*wf.NodeDef{{Name: "wf.std.log"}}},
}

func contractIn(offers []source.Offer) func(ref string) *wf.NodeDef {
	return func(ref string) *wf.NodeDef {
		for _, o := range offers {
			if def := o.Contract(ref); def != nil {
				return def
			}
		}
		return nil
	}
}

func required(t *testing.T, text string, offers []source.Offer) []gate.Required {
	t.Helper()
	w, found := wf.ParseWorkflow([]byte(text))
	if w == nil {
		t.Fatal(found)
	}
	return gate.Require(w, contractIn(offers))
}

func TestDeployments(t *testing.T) {
	t.Parallel()
	need := required(t, plan, sources)
	golden.Derive(t, "testdata/deployments.txt", func(t *testing.T, stem string, file golden.File) []golden.File {
		var c deployed
		if err := json.Unmarshal([]byte(file.Data), &c); err != nil {
			t.Fatal(err)
		}
		d := &gate.Deployment{ID: "weekly", Artifact: "p@1", Revision: 3, Bindings: c.Bindings, DriftPolicy: c.DriftPolicy}
		offers := append(slices.DeleteFunc(slices.Clone(sources), func(o source.Offer) bool { return slices.Contains(c.Without, o.ID) }), c.Sources...)
		found := gate.Check(d, need, offers)
		checkFixes(t, stem, found, need, offers)
		return []golden.File{{Name: stem + ".txt", Data: findings(found)}}
	})
}

func findings(found wf.Diagnostics) string {
	var b strings.Builder
	for _, d := range found {
		fmt.Fprintln(&b, d)
		for _, f := range d.Fixes {
			fmt.Fprintf(&b, "  %s: %s\n    %s %s\n", f.Applicability, f.Title, f.Call.Method, f.Call.Params)
		}
	}
	return b.String()
}

// checkFixes: a fix that saves the deployment, and has nothing to fill in, removes its finding as an error; a safe one brings no other.
func checkFixes(t *testing.T, name string, found wf.Diagnostics, need []gate.Required, offers []source.Offer) {
	t.Helper()
	for _, d := range found {
		for _, f := range d.Fixes {
			if f.Applicability == wf.FixPlaceholder || f.Call.Method != "deployments.save" {
				continue
			}
			var next gate.Deployment
			if err := json.Unmarshal(f.Call.Params, &next); err != nil {
				t.Fatal(err)
			}
			left := gate.Check(&next, need, offers)
			is := func(o wf.Diagnostic) bool {
				return o.Code == d.Code && o.LogicalRef == d.LogicalRef && o.Message == d.Message && o.Severity == d.Severity
			}
			before, after := slices.DeleteFunc(slices.Clone(found), func(o wf.Diagnostic) bool { return !is(o) }), slices.DeleteFunc(slices.Clone(left), func(o wf.Diagnostic) bool { return !is(o) })
			if len(after) >= len(before) {
				t.Errorf("%s: the fix %q does not remove %v", name, f.Title, d)
			}
			if f.Applicability == wf.FixSafe && len(left) >= len(found) {
				t.Errorf("%s: the safe fix %q of %v leaves %v", name, f.Title, d, left)
			}
		}
	}
}

// Applying safe fixes, one after another, brings a deployment to where only a choice is left.
func TestSafeFixesBind(t *testing.T) {
	t.Parallel()
	need := required(t, plan, sources)
	d := &gate.Deployment{ID: "weekly", Artifact: "p@1", Bindings: source.Bindings{{Logical: "wf.std", Source: "mail"}, {Logical: "zzz", Source: "mail"}}}
	for range 10 {
		found := gate.Check(d, need, sources)
		i := slices.IndexFunc(found, func(d wf.Diagnostic) bool { return len(d.Fixes) > 0 && d.Fixes[0].Applicability == wf.FixSafe })
		if i < 0 {
			break
		}
		next := &gate.Deployment{}
		if err := json.Unmarshal(found[i].Fixes[0].Call.Params, next); err != nil {
			t.Fatal(err)
		}
		d = next
	}
	if found := gate.Check(d, need, sources); found != nil || len(d.Bindings) != 2 {
		t.Errorf("%v is left of %v", found, d.Bindings)
	}
}

// The examples of the table of codes are what they say.
func TestCodeExamples(t *testing.T) {
	t.Parallel()
	const calls = `{"name": "p", "nodes": [{"id": "read", "node": "local.report.read", "next": "__end__"}]}`
	need := required(t, calls, []source.Offer{{ID: "local.report", Contracts: []*wf.NodeDef{{Name: "local.report.read"}}}})
	check := func(text string) wf.Diagnostics {
		var c deployed
		if err := json.Unmarshal([]byte(text), &c); err != nil {
			t.Fatal(err, text)
		}
		found := gate.Check(&gate.Deployment{ID: "weekly", Artifact: "p@1", Bindings: c.Bindings}, need, c.Sources)
		checkFixes(t, text, found, need, c.Sources)
		return found
	}
	for _, code := range []wf.Code{wf.CodePlatformBinding, wf.CodeBindingUnknown, wf.CodeSourceBoundTwice, wf.CodeSourceUnbound, wf.CodeSourceMissing,
		wf.CodeSourceDisabled, wf.CodeSourceUnavailable, wf.CodeCapabilityDrift, wf.CodeCapabilityChanged, wf.CodeDescriptionChanged} {
		info, ok := wf.LookupCode(code)
		if !ok {
			t.Errorf("%s is not in the table", code)
			continue
		}
		if found := check(info.Bad); len(found) != 1 || found[0].Code != code || found[0].Severity != info.Severity {
			t.Errorf("%s: the bad example has %v", code, found)
		}
		if found := check(info.Good); found != nil {
			t.Errorf("%s: the good example has %v", code, found)
		}
	}
}
