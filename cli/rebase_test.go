package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lda.chat/wf"
	"lda.chat/wf/internal/jsonpatch"
	"lda.chat/wf/internal/value"
)

// plansWithFindings are the bad examples of all codes and the test plans of the root package, each as it is, short and canonical.
func plansWithFindings(t *testing.T) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	add := func(name string, text []byte) {
		all[name] = text
		if w, _ := wf.ParseWorkflow(text); w != nil {
			all[name+", short"], all[name+", canonical"] = w.Short(), w.Indented()
		}
	}
	for _, c := range wf.Codes() {
		if strings.HasPrefix(c.Bad, "{") {
			add(string(c.Code), []byte(c.Bad))
		}
	}
	files, err := filepath.Glob("../testdata/*/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no plans: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		add(file, text)
	}
	add("older forms", []byte(olderForms))
	add("conditions", []byte(conditions))
	if all["older forms, short"] == nil || all["conditions, short"] == nil {
		t.Fatal("the plans of this test cannot be read")
	}
	return all
}

const olderForms = `{"name": "p", "node_defs": [{"name": "z.z"}, {"name": "a.b"}], "edges": [{"from": "b", "to": "__end__"}, {"from": "a", "outcome": "ok", "to": "b", "max_visits": 3}],
 "nodes": [{"id": "a", "node": "a.b", "in_map": {"state.x": "left", "state.yy": "right"}, "input_values": {"third": 3, "fourth": {"k": [4]}}, "out_map": {"n": "state.n"}},
  {"id": "b", "node": "z.z", "input": [{"target": "q.r", "text": [{"value": "one"}, {"path": "steps.a.nn", "default": 17}]}, {"target": {"root": "local", "parts": ["s"]}, "list": ["input.s", {"object": {"o": "input.o"}}]}],
   "output": [{"source": "m", "target": "state.m", "if_absent": "keep"}, {"value": "lit", "target": "state.lit"}, {"source": {"text": "T{input.t}"}, "target": {"root": "state", "parts": ["t"]}}]}]}`

const conditions = `{"name": "p", "outcomes": ["ok", "big"], "nodes": [{"id": "a", "type": "condition", "default": "no", "cases": [
  {"when": {"and": [{"exists": {"path": "state.xx"}}, {"op": "not", "arg": {"ge": ["state.nn", 22]}}, {"matches": ["state.mm", "^mmm"]}]}, "outcome": "big"},
  {"when": {"any": {"over": {"list": ["input.ll"]}, "as": "each", "check": {"is": ["item.each.ii", "string"]}}}, "outcome": "b2"},
  {"when": {"op": "or", "args": [{"op": "gt", "left": {"length": "state.len"}, "right": ["input.rr", 7]}, {"not": {"eq": [{"value": "vvv"}, {"path": {"root": "input", "parts": ["pp"]}}]}}]}, "outcome": "b3"}],
  "next": "f", "on": {"big": {"to": "e", "max_visits": 4, "exhausted": "f"}, "b2": "f", "b3": "f"}},
  {"id": "f", "type": "fork", "branches": ["l", {"outcome": "r", "when": {"exists": "input.when"}}], "join": "j", "on": {"l": "j", "r": "j"}}, {"id": "j", "type": "join", "next": "s"},
  {"id": "s", "type": "subgraph", "workflow": "inner", "next": "__end__", "catch": [{"codes": ["*"], "outcome": "bad", "error": "state.err"}], "on": {"bad": "e"}},
  {"id": "e", "type": "end", "outcome": "big", "output": "state.whole"}],
 "workflows": {"inner": {"nodes": [{"id": "w", "type": "set", "output": [{"target": "state.k", "source": "input.kk"}, {"target": "state.l", "object": {"m": "input.mmm"}}], "unset": ["state.uu"], "next": "__end__"}]}}}`

// Every place that is shown is one of the file, and every fix that is offered can be applied to it. A safe one removes its
// finding and brings no error.
func TestFindingsAreAboutTheFile(t *testing.T) {
	t.Parallel()
	offered, lost := 0, map[string]int{}
	for name, text := range plansWithFindings(t) {
		p := parsePlan("p.json", text)
		if p.doc == nil {
			continue
		}
		fixes, meant := 0, map[string]string{} // the workflow that a fix of the validator makes
		if p.workflow != nil {
			found := wf.Validate(p.workflow, nil)
			for _, d := range found {
				fixes += len(d.Fixes)
				for _, fix := range d.Fixes {
					meant[fix.Title+d.Step+d.Message] = patched(t, p.workflow.Canonical(), fix)
				}
			}
			for _, d := range p.diags {
				fixes += len(d.Fixes)
			}
			p.check(found)
		}
		for _, d := range p.diags {
			places := []string{d.Path}
			for _, r := range d.Related {
				places = append(places, r.Path)
			}
			for _, place := range places {
				if _, _, ok := p.doc.Position(place); !ok {
					t.Errorf("%s: the file has no %s: %v", name, place, d)
				}
			}
			for _, fix := range d.Fixes {
				fixes--
				offered++
				checkFix(t, name, text, d, fix)
				if want := meant[fix.Title+d.Step+d.Message]; want != "" && patched(t, text, fix) != want {
					t.Errorf("%s: the fix %q of %v makes another plan of the text than of the canonical form: %s", name, fix.Title, d, fix.Patch)
				}
			}
		}
		if p.workflow != nil && fixes > 0 {
			lost[name] = fixes
		}
	}
	if offered < 150 || len(lost) > 0 {
		t.Errorf("%d fixes were offered; these plans have others, too: %v", offered, lost)
	}
}

// patched is the digest of a plan after a fix, "" if it cannot be read then.
func patched(t *testing.T, text []byte, fix wf.Fix) string {
	t.Helper()
	patch, err := jsonpatch.ParseText(fix.Patch)
	if err != nil {
		t.Fatal(err)
	}
	repaired, err := jsonpatch.ApplyText(text, patch, nil, nil)
	if w, _ := wf.ParseWorkflow(repaired); err == nil && w != nil {
		return w.Digest()
	}
	return ""
}

func checkFix(t *testing.T, name string, text []byte, d wf.Diagnostic, fix wf.Fix) {
	t.Helper()
	patch, err := jsonpatch.ParseText(fix.Patch)
	if err != nil {
		t.Fatalf("%s: %v: %s", name, err, fix.Patch)
	}
	if first, _ := value.Parse(fix.Patch); first.Index(0).Get("op").String() != `"test"` {
		t.Errorf("%s: a patch that does not begin with a test: %s", name, fix.Patch)
	}
	repaired, err := jsonpatch.ApplyText(text, patch, nil, nil)
	if err != nil {
		t.Errorf("%s: the fix %q of %v: %v\n%s\n%s", name, fix.Title, d, err, fix.Patch, text)
		return
	}
	if fix.Applicability != wf.FixSafe || d.Code == "too_many_findings" {
		return
	}
	count := func(text []byte) map[string]int {
		p := parsePlan("p.json", text)
		if p.workflow != nil {
			p.check(wf.Validate(p.workflow, nil))
		}
		n := map[string]int{}
		for _, x := range p.diags {
			n[fmt.Sprint(x.Code, x.Step, x.Message)]++
		}
		return n
	}
	before, after := count(text), count(repaired)
	if w, _ := wf.ParseWorkflow(text); w != nil && len(after) > len(before) {
		t.Errorf("%s: the safe fix %q of %v adds findings\n%s\n%s", name, fix.Title, d, fix.Patch, repaired)
	}
	if key := fmt.Sprint(d.Code, d.Step, d.Message); after[key] >= before[key] {
		t.Errorf("%s: the safe fix %q does not remove %v\n%s\n%s", name, fix.Title, d, fix.Patch, repaired)
	}
}

// What the canonical form has at a place, the text has at the place that it is found at: as the value there, or as the key.
func TestTextPlace(t *testing.T) {
	t.Parallel()
	implied := regexp.MustCompile(`/(format|start|type|mode|on_item_error|on_branch_error|outcome|from|root|op|outcomes/0)$|/text/[0-9]+/value$`)
	exact, around := 0, 0
	for name, text := range plansWithFindings(t) {
		w, _ := wf.ParseWorkflow(text)
		if w == nil {
			continue
		}
		written, _ := value.ParseDocument(text)
		canonical, _ := value.Parse(w.Canonical())
		eachLeaf(canonical, nil, func(at jsonpatch.Pointer, leaf value.Value) {
			place := textPlace(written.Root, canonical, at)
			found := place.Find(written.Root)
			if found.IsAbsent() {
				t.Errorf("%s: %s leads to %s, where nothing is", name, at, place)
				return
			}
			said := ""
			if len(place) > 0 {
				said = place[len(place)-1] + " "
			}
			if found.Kind() != value.KindArray && found.Kind() != value.KindObject {
				said += found.String()
			}
			word := strings.TrimPrefix(strings.Trim(leaf.String(), `"`), "wf.std.")
			switch {
			case strings.Contains(said, word), value.Equal(found, leaf):
				exact++
			case implied.MatchString(at.String()):
				around++
			default:
				t.Errorf("%s: %s leads to %s, which is %s, not %s", name, at, place, found, leaf)
			}
		})
	}
	if exact < 3*around {
		t.Errorf("only %d places were found, %d have no value of their own", exact, around)
	}
}

func eachLeaf(v value.Value, at jsonpatch.Pointer, do func(jsonpatch.Pointer, value.Value)) {
	switch v.Kind() {
	case value.KindArray:
		for i, x := range v.Items() {
			eachLeaf(x, append(slices.Clip(at), strconv.Itoa(i)), do)
		}
	case value.KindObject:
		for key, x := range v.Members() {
			eachLeaf(x, append(slices.Clip(at), key), do)
		}
	default:
		do(at, v)
	}
}
