package wf

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	archive "lda.chat/wf/internal/golden"
	"lda.chat/wf/internal/value"
)

// TestApplySafeFixes repairs the plans of testdata/fix/*.txtar: NAME.json becomes NAME.fixed.json, and NAME.txt says what
// was done, and what is left. One that stays as it is has no NAME.fixed.json.
func TestApplySafeFixes(t *testing.T) {
	t.Parallel()
	plans := 0
	archive.Derive(t, "testdata/fix/*.txtar", func(t *testing.T, stem string, file archive.File) (made []archive.File) {
		plans++
		plan := fixed(t, []byte(file.Data))
		if string(plan.Text) != file.Data {
			made = append(made, archive.File{Name: stem + ".fixed.json", Data: string(plan.Text)})
		}
		return append(made, archive.File{Name: stem + ".txt", Data: fixReport(plan)})
	})
	if plans < 60 {
		t.Errorf("%d broken plans, expected 60 at least", plans)
	}
}

func fixReport(plan *FixedPlan) string {
	var b strings.Builder
	for _, a := range plan.Applied {
		fmt.Fprintf(&b, "%s: %s [%s]\n", pointerText(a.Path), a.Title, a.Code)
	}
	for _, d := range plan.Left {
		fmt.Fprintf(&b, "left: %s\n", d.headline())
	}
	return b.String()
}

// fixed repairs a plan and checks what must hold of any: the result is what its text says, nothing safe is left to do, what
// is left has a place, no error came, and a second time nothing changes.
func fixed(t *testing.T, text []byte) *FixedPlan {
	t.Helper()
	given := bytes.Clone(text)
	plan := ApplySafeFixes(text, nil)
	if !bytes.Equal(text, given) {
		t.Errorf("the text that was given changed to %s", text)
	}
	w, left := CheckText(plan.Text, nil)
	if (w == nil) != (plan.Workflow == nil) || w != nil && w.Digest() != plan.Workflow.Digest() {
		t.Errorf("the workflow is not what the text says: %s", plan.Text)
	}
	if fmt.Sprint(left) != fmt.Sprint(plan.Left) {
		t.Errorf("left: %v\nbut the text has: %v", plan.Left, left)
	}
	var doc value.Value
	if d, err := value.ParseDocument(plan.Text); err == nil {
		doc = d.Root
	}
	var canonical value.Value
	if w != nil {
		canonical, _ = value.Parse(w.Canonical())
	}
	for _, d := range plan.Left {
		if doc.IsAbsent() {
			continue // no JSON: it has a line
		}
		if up := parentPointer(d.Path); pointed(doc, up).IsAbsent() && pointed(canonical, up).IsAbsent() {
			t.Errorf("nothing stands above the place of %v", d)
		}
		for _, fix := range d.Fixes {
			if fix.Applicability == FixSafe && len(left) <= maxDiagnostics && !plan.Stopped {
				t.Errorf("the safe fix %q of %v was not applied, in %s", fix.Title, d, plan.Text)
			}
		}
	}
	if len(plan.Applied) == 0 && !bytes.Equal(plan.Text, text) {
		t.Errorf("nothing was applied, but the text changed to %s", plan.Text)
	}
	if again := ApplySafeFixes(plan.Text, nil); !plan.Stopped && (len(again.Applied) > 0 || !bytes.Equal(again.Text, plan.Text)) {
		t.Errorf("a second time %v is applied, which makes\n%s", again.Applied, again.Text)
	}
	if again := ApplySafeFixes(text, nil); !bytes.Equal(again.Text, plan.Text) || !slices.Equal(again.Applied, plan.Applied) {
		t.Errorf("the same text has another result:\n%s\n%s", plan.Text, again.Text)
	}
	return plan
}

// TestCodeExamplesAreFixed: of the bad example of every code, no safe fix is left.
func TestCodeExamplesAreFixed(t *testing.T) {
	t.Parallel()
	applied := 0
	for _, info := range slices.Concat(parseCodes, checkCodes) {
		applied += len(fixed(t, []byte(info.Bad)).Applied)
	}
	if applied < 10 {
		t.Errorf("only %d fixes were applied to all examples", applied)
	}
}

func validated(w *Workflow) Diagnostics { return Validate(w, nil) }

// TestManyMistakes: reading shows a hundred findings only, but all are repaired; or the work is bounded, and it says so.
func TestManyMistakes(t *testing.T) {
	t.Parallel()
	var inputs []string
	for i := range 130 {
		inputs = append(inputs, fmt.Sprintf(`"f%d": "{{input.x%d}}"`, i, i))
	}
	text := `{"name": "many", "node_defs": [{"name": "local.read"}], "nodes": [{"id": "a", "node": "local.read", "next": "__end__", "input": {` +
		strings.Join(inputs, ", ") + `}}]}`
	if plan := ApplySafeFixes([]byte(text), nil); len(plan.Applied) != 130 || len(plan.Left) > 0 || plan.Stopped {
		t.Errorf("%d applied, left %v", len(plan.Applied), plan.Left)
	}
	f := newFixer(validated)
	f.attempts = 7
	if plan := f.run([]byte(text)); len(plan.Applied) != 7 || !plan.Stopped || !plan.Left.HasErrors() {
		t.Errorf("%d applied, left %v", len(plan.Applied), plan.Left)
	}
	f = newFixer(validated)
	f.bytes = 4 * len(text)
	if plan := f.run([]byte(text)); len(plan.Applied) != 1 || !plan.Stopped {
		t.Errorf("%d applied, left %v", len(plan.Applied), plan.Left)
	}
}

// TestFixesThatLie: a fix that calls itself safe is not applied if its finding stays, an error comes, the plan cannot be read
// any more, or the patch does not fit; and two that undo one another come to an end.
func TestFixesThatLie(t *testing.T) {
	t.Parallel()
	const text = `{"name": "p", "description": "a", "nodes": [{"id": "end", "type": "end"}]}`
	describe := func(d string) Fix {
		return Fix{Title: d, Applicability: FixSafe, Patch: []byte(`[{"op": "replace", "path": "/description", "value": "` + d + `"}]`)}
	}
	patched := func(patch string) Fix { return Fix{Applicability: FixSafe, Patch: []byte(patch)} }
	afterB := patched(`[{"op": "test", "path": "/description", "value": "b"}, {"op": "replace", "path": "/description", "value": "c"}]`)
	afterB.Title = "c"
	for name, test := range map[string]struct {
		findings map[string]Diagnostics // by description
		want     string                 // the titles of what was applied
		left     int
	}{
		"the finding stays": {map[string]Diagnostics{"a": {{Code: "c", Fixes: []Fix{describe("b")}}}, "b": {{Code: "c"}}}, "", 1},
		"an error comes":    {map[string]Diagnostics{"a": {{Code: "c", Fixes: []Fix{describe("b")}}}, "b": {{Code: "d", Severity: SeverityError}}}, "", 1},
		"a warning comes":   {map[string]Diagnostics{"a": {{Code: "c", Fixes: []Fix{describe("b")}}}, "b": {{Code: "d", Severity: SeverityWarning}}}, "b", 1},
		"no plan":           {map[string]Diagnostics{"a": {{Code: "c", Fixes: []Fix{patched(`[{"op": "remove", "path": "/nodes"}, {"op": "add", "path": "/x", "value": 1}]`)}}}}, "", 1},
		"no patch":          {map[string]Diagnostics{"a": {{Code: "c", Fixes: []Fix{patched(`{}`), patched(`[`), {Applicability: FixSafe, Call: &FixCall{}}}}}}, "", 1},
		"stale":             {map[string]Diagnostics{"a": {{Code: "c", Fixes: []Fix{patched(`[{"op": "test", "path": "/description", "value": "z"}, {"op": "remove", "path": "/description"}]`)}}}}, "", 1},
		"the second does":   {map[string]Diagnostics{"a": {{Code: "c", Fixes: []Fix{patched(`[]`), describe("b")}}}}, "b", 0},
		"round and round":   {map[string]Diagnostics{"a": {{Code: "c", Fixes: []Fix{describe("b")}}}, "b": {{Code: "d", Fixes: []Fix{describe("a")}}}}, "b", 1},
		"one makes way for another": {map[string]Diagnostics{
			"a": {{Code: "c", Fixes: []Fix{afterB}}, {Code: "d", Fixes: []Fix{describe("b")}}}, "b": {{Code: "c", Fixes: []Fix{afterB}}}}, "b c", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plan := newFixer(func(w *Workflow) Diagnostics { return slices.Clone(test.findings[w.Description]) }).run([]byte(text))
			var titles []string
			for _, a := range plan.Applied {
				titles = append(titles, a.Title)
			}
			if got := strings.Join(titles, " "); got != test.want || len(plan.Left) != test.left || plan.Stopped {
				t.Errorf("applied %q, left %v", got, plan.Left)
			}
		})
	}
}

// TestRuntimeFixes: what a runtime cannot run is said of the repaired plan, and keeps no fix from being applied.
func TestRuntimeFixes(t *testing.T) {
	t.Parallel()
	rt, err := NewRuntime(nil)
	if err != nil {
		t.Fatal(err)
	}
	plan := rt.ApplySafeFixes([]byte(`{"name": "p", "node_defs": [{"name": "x.y"}, {"name": "x.y"}], "nodes": [{"id": "a", "node": "x.y", "timeout": "1m", "next": "__end__"}]}`))
	const want = `{"name": "p", "node_defs": [{"name": "x.y"}], "nodes": [{"id": "a", "node": "x.y", "timeout_seconds": 60, "next": "__end__"}]}`
	if string(plan.Text) != want || len(plan.Applied) != 2 || fmt.Sprint(findings(plan.Left)) != fmt.Sprint(findings(rt.Check(plan.Workflow))) || !plan.Left.HasErrors() {
		t.Errorf("%s\nleft %v", plan.Text, plan.Left)
	}
}

// TestTextWithoutThePlace: a text in which a fix has no place is written anew, in the form that it had.
func TestTextWithoutThePlace(t *testing.T) {
	t.Parallel()
	want := parsed(t, `{"name": "other", "nodes": [{"id": "end", "type": "end"}]}`)
	none := value.Array()
	for text, form := range map[string][]byte{
		`{"name": "p", "nodes": [{"id": "a", "node": "x.y", "next": "__end__"}], "edges": []}`:                             want.Short(),
		`{"name": "p", "nodes": [{"id": "end", "type": "end"}]}`:                                                           want.Short(),
		`{"name": "p", "nodes": [{"id": "a", "node": "x.y"}], "edges": [{"from": "a", "outcome": "ok", "to": "__end__"}]}`: want.Indented(),
	} {
		plan := newFixer(validated).read([]byte(text))
		if got := plan.rewritten(none, value.Null, want); !bytes.Equal(got, form) {
			t.Errorf("%s was written as\n%s\nexpected\n%s", text, got, form)
		}
	}
}

func FuzzApplySafeFixes(f *testing.F) {
	for _, info := range slices.Concat(parseCodes, checkCodes) {
		f.Add([]byte(info.Bad))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) < 1<<12 { // each is read some hundred times
			fixed(t, text)
		}
	})
}
