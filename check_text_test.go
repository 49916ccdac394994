package wf

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestCheckTextFindsAll shows the findings of plans that have mistakes of reading and of what the validator checks, side by
// side: testdata/both/*.json next to *.txt.
func TestCheckTextFindsAll(t *testing.T) {
	t.Parallel()
	eachFile(t, "testdata/both/*.json", func(t *testing.T, file string, text []byte) {
		opts := &ValidateOptions{Doc: filepath.Base(file)}
		w, found := CheckText(text, opts)
		if w != nil {
			t.Error("it reads without an error")
		}
		checkTextFindings(t, text, found)
		var b bytes.Buffer
		for _, d := range found {
			fmt.Fprintln(&b, d)
		}
		golden(t, strings.TrimSuffix(file, "json")+"txt", b.Bytes())
		for range 20 {
			if _, again := CheckText(text, opts); !bytes.Equal(jsonOf(again), jsonOf(found)) {
				t.Fatal("the same text has other findings")
			}
		}
	})
}

// checkTextFindings checks what holds for the findings of any text.
func checkTextFindings(t *testing.T, text []byte, found Diagnostics) {
	t.Helper()
	seen := map[string]bool{}
	for _, d := range found {
		if _, known := LookupCode(d.Code); !known || d.Severity == "" || d.Message == "" || d.RepairHint == "" && d.Code != "too_many_findings" {
			t.Errorf("an incomplete finding: %+v", d)
		}
		if strings.Contains(d.String(), hole) || strings.Contains(d.String(), `\x00`) || strings.Contains(d.String(), fmt.Sprint(holeNumber)) {
			if !bytes.Contains(text, []byte(`\u0000`)) {
				t.Errorf("a finding about what could not be read: %v", d)
			}
		}
		key := string(d.Code) + " " + d.Step + " " + d.Path + " " + d.Message
		if seen[key] && d.Path != "" && !strings.HasPrefix(string(d.Code), "schema_") { // a schema may have one fault twice in a place
			t.Errorf("twice: %v", d)
		}
		seen[key] = true
	}
}

// TestCheckTextOfExamples: every code's examples, bad and good, as text.
func TestCheckTextOfExamples(t *testing.T) {
	t.Parallel()
	for _, info := range slices.Concat(parseCodes, checkCodes) {
		if !strings.HasPrefix(info.Bad, "{") {
			continue
		}
		_, found := CheckText([]byte(info.Bad), nil)
		checkTextFindings(t, []byte(info.Bad), found)
		if !slices.ContainsFunc(found, func(d Diagnostic) bool { return d.Code == info.Code }) {
			t.Errorf("%s: the bad example has %v", info.Code, found)
		}
	}
}

// soundPlan is a plan in which nothing is wrong, with a dozen places for mistakes that do not touch one another.
const soundPlan = `{"name": "p",
  "input_schema": {"type": "object", "properties": {"files": {"type": "array"}, "path": {"type": "string"}}, "additionalProperties": false},
  "state_schema": {"type": "object", "properties": {"text": {"type": "string"}, "count": {"type": "integer", "default": 0}, "all": {"type": "array", "x-reducer": "append"}}, "additionalProperties": false},
  "node_defs": [
    {"name": "local.read", "input_schema": {"type": "object", "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}}, "required": ["path"], "additionalProperties": false},
     "output_schema": {"type": "object", "properties": {"text": {"type": "string"}}, "additionalProperties": false}},
    {"name": "local.review", "outcomes": ["approved", "rejected"]}],
  "limits": {"max_steps": 100},
  "nodes": [
    {"id": "read", "node": "local.read", "input": {"path": "input.path", "limit": 5}, "output": {"text": "state.text"}, "timeout_seconds": 30, "next": "each"},
    {"id": "each", "type": "foreach", "over": "input.files", "as": "file", "mode": "parallel", "max_concurrency": 2, "on": {"item": "keep", "done": "split"}},
    {"id": "keep", "type": "set", "output": {"state.all": "item.file"}, "next": "__continue__"},
    {"id": "split", "type": "fork", "branches": ["a", "b"], "join": "meet", "on": {"a": "left", "b": "right"}},
    {"id": "left", "type": "wait", "seconds": 1, "next": "meet"},
    {"id": "right", "type": "wait", "seconds": 2, "next": "meet"},
    {"id": "meet", "type": "join", "next": "again"},
    {"id": "again", "node": "local.read", "input": {"path": "steps.read.text"}, "retry": {"max_attempts": 3}, "next": "ask"},
    {"id": "ask", "type": "interrupt", "kind": "approval", "outcomes": ["yes", "no"], "on": {"yes": "big", "no": "__end__"}},
    {"id": "big", "type": "condition", "check": {"gt": ["state.count", 5]}, "on": {"true": "review", "false": "stop"}},
    {"id": "review", "node": "local.review", "input": {"text": "state.text"}, "catch": [{"codes": ["timeout"], "outcome": "late"}], "on": {"approved": "__end__", "rejected": "__end__", "late": "stop"}},
    {"id": "stop", "type": "fail", "code": "no_stock"}]}`

// mistakesOfText are changes of soundPlan, each in a place of its own, with the code that is then found. A plan with one of
// the first cannot be read.
var mistakesOfText = []struct {
	code     Code
	old, new string
}{
	{"field_unknown", `"timeout_seconds": 30`, `"tmeout_seconds": 30`},
	{"type_wrong", `"max_concurrency": 2`, `"max_concurrency": "two"`},
	{"word_unknown", `"mode": "parallel"`, `"mode": "paralell"`},
	{"not_a_path", `"text": "state.text"}, "catch"`, `"text": "some words"}, "catch"`},
	{"operator_alias", `{"gt": [`, `{">": [`},
	{"max_retries", `"max_attempts": 3`, `"max_retries": 2`},
	{"out_of_range", `"max_steps": 100`, `"max_steps": 0`},
	{"duration_text", `"seconds": 1,`, `"seconds": "1 h",`},
	{"field_missing", `"kind": "approval", `, ``},
	{"path_root", `{"text": "state.text"}, "timeout`, `{"text": "notes"}, "timeout`},
	{"step_type_unknown", `"type": "wait", "seconds": 2`, `"type": "sleep", "seconds": 2`},
	{"name_invalid", `"code": "no_stock"`, `"code": "no stock"`},

	{"node_unknown", `"id": "again", "node": "local.read"`, `"id": "again", "node": "local.reed"`},
	{"input_field_unknown", `"input.path", "limit"`, `"input.pth", "limit"`},
	{"literal_invalid", `"limit": 5`, `"limit": {"value": "five"}`},
	{"item_unknown", `item.file`, `item.fil`},
	{"join_unknown", `"join": "meet"`, `"join": "met"`},
	{"step_ref_unknown", `steps.read.text`, `steps.raed.text`},
	{"outcome_unwired", `"yes": "big", "no": "__end__"`, `"yes": "big"`},
	{"state_field_unknown", `state.count`, `state.conut`},
	{"failure_unknown", `"timeout"`, `"time_out"`},
	{"edge_to_unknown", `"late": "stop"`, `"late": "stpo"`},
	{"reducer_unknown", `"x-reducer": "append"`, `"x-reducer": "apend"`},
	{"outcome_unknown", `"rejected": "__end__", "late"`, `"rejected": "__end__", "maybe": "__end__", "late"`},
}

const readable = 12 // mistakesOfText from here on can be read

// withMistakes makes several mistakes in soundPlan, and names what is found.
func withMistakes(t *testing.T, which ...int) []string {
	t.Helper()
	text := soundPlan
	for _, i := range which {
		m := mistakesOfText[i]
		if strings.Count(text, m.old) != 1 {
			t.Fatalf("%s: %q stands there %d times", m.code, m.old, strings.Count(text, m.old))
		}
		text = strings.Replace(text, m.old, m.new, 1)
	}
	w, found := CheckText([]byte(text), nil)
	if (w == nil) != slices.ContainsFunc(which, func(i int) bool { return i < readable }) {
		t.Errorf("mistakes %v: the plan was read: %v", which, w != nil)
	}
	checkTextFindings(t, []byte(text), found)
	var list []string
	for _, d := range found {
		list = append(list, string(d.Code)+" "+d.Step+": "+d.Message)
	}
	return list
}

// TestMistakesDoNotHideOneAnother: of several mistakes together each is found, and nothing that none of them has alone.
func TestMistakesDoNotHideOneAnother(t *testing.T) {
	t.Parallel()
	if found := withMistakes(t); len(found) > 0 {
		t.Fatalf("the sound plan: %v", found)
	}
	alone := make([][]string, len(mistakesOfText))
	for i, m := range mistakesOfText {
		alone[i] = withMistakes(t, i)
		if !slices.ContainsFunc(alone[i], func(f string) bool { return strings.HasPrefix(f, string(m.code)+" ") }) {
			t.Fatalf("%s: found %v", m.code, alone[i])
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		which := []int{random.IntN(readable)}
		for len(which) < 2+random.IntN(3) {
			if i := readable + random.IntN(len(mistakesOfText)-readable); !slices.Contains(which, i) {
				which = append(which, i)
			}
		}
		var want []string
		for _, i := range which {
			want = append(want, alone[i]...)
		}
		got := withMistakes(t, which...)
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(slices.Compact(want), got) {
			t.Fatalf("mistakes %v\ngot  %s\nwant %s", which, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		}
	}
}

// TestCheckTextIsReadable: a text without a mistake of reading has the findings of the validator, with their fixes.
func TestCheckTextIsReadable(t *testing.T) {
	t.Parallel()
	text := strings.Replace(soundPlan, "state.count", "state.conut", 1)
	w, found := CheckText([]byte(text), nil)
	if w == nil || len(found) != 1 || len(found[0].Fixes) == 0 {
		t.Fatalf("found %+v", found)
	}
	if want, _ := json.Marshal(Validate(w, nil)[0].Fixes); !bytes.Equal(jsonOf(found[0].Fixes), want) {
		t.Errorf("fixes %s", jsonOf(found[0].Fixes))
	}
}
