package edit_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle/edit"
)

// editGen makes random edits: of steps that may be there or not, with members that may fit or not.
type editGen struct{ *rand.Rand }

func (g editGen) pick(words ...string) string { return words[g.IntN(len(words))] }

// id is mostly one of few, so that edits meet.
func (g editGen) id() string { return g.pick("a", "b", "c", "d", "each", "both", "met", "a b", "") }

func (g editGen) outcome() string { return g.pick("ok", "done", "none", "yes", "no", "item", "l", "") }

func (g editGen) target() string { return g.pick(g.id(), g.id(), "__end__", "__continue__", "later") }

func (g editGen) place() string {
	return g.pick("text", ".", "a.b", "items[0]", "state.x", "state.x.y", "local.text", `["odd name"]`, "..", "")
}

func (g editGen) path() string {
	return g.pick("input.x", "state.x", "steps.a.text", "steps.b", "item.i", "text", ".", "{x}", `input["a b"]`)
}

func (g editGen) operand() string {
	return g.pick(`5`, `null`, `true`, `{"value": "t"}`, `{"text": "{steps.a.x} {{b}}"}`, `["state.x", 1]`, `{"object": {"k": "steps.b.y"}}`, `{"path": "steps.a", "default": 1}`,
		`{"path": {"root": "steps", "parts": ["a", 0]}}`, quoted(g.path()))
}

func quoted(s string) string { text, _ := json.Marshal(s); return string(text) }

func (g editGen) bindings() string {
	switch g.IntN(5) {
	case 0:
		return quoted(g.path())
	case 1:
		return fmt.Sprintf(`[{"target": %s, "path": %s}, {"target": "b", "value": 1}]`, quoted(g.place()), quoted(g.path()))
	case 2:
		return fmt.Sprintf(`[{"source": %s, "target": %s, "if_absent": "keep"}, {"source": {"value": 1}, "target": "state.y"}]`, quoted(g.place()), quoted(g.place()))
	case 3:
		return fmt.Sprintf(`{%s: %s}`, quoted(g.place()), quoted(g.place()))
	}
	return fmt.Sprintf(`{%s: %s, "zz": %s}`, quoted(g.place()), g.operand(), g.operand())
}

func (g editGen) step() string {
	members := g.pick(`"node": "crm.find"`, `"node": "local.report.read_notes", "next": "b"`, `"type": "set", "output": {"state.x": "steps.a.text"}`, `"type": "join"`,
		`"type": "foreach", "over": "input.x", "as": "i"`, `"type": "fork", "branches": ["l", "r"], "join": "met"`, `"type": "end"`, `"type": "set", "colour": 1`,
		`"type": "interrupt", "kind": "k", "outcomes": ["yes", "no"]`, `"type": "condition", "check": {"gt": ["steps.a.n", 1]}`, `"type": "wait"`, `"type": "foreach"`,
		`"type": "condition", "cases": [{"when": {"any": {"over": "steps.b.l", "as": "x", "check": {"exists": "steps.a"}}}, "outcome": "yes"}], "default": "no"`,
		`"type": "subgraph", "workflow": "n"`, `"type": "fail", "code": "x", "message": {"text": "{steps.c.m}"}`)
	return fmt.Sprintf(`{"id": %s, %s}`, quoted(g.id()), members)
}

func (g editGen) field() string {
	return g.pick(`"string"`, `"integer?"`, `"array append = []"`, `"strin"`, `{"type": "object"}`, `5`)
}

func (g editGen) edit() string {
	in := g.pick("", "", "", "", "n", "n/m")
	op := edit.Ops()[g.IntN(len(edit.Ops()))].Name
	members := []string{`"op": ` + quoted(op)}
	add := func(name, v string) { members = append(members, quoted(name)+": "+v) }
	if in != "" && op != "patch" && op != "fix" {
		add("in", quoted(in))
	}
	switch op {
	case "set-name":
		add("name", quoted(g.pick("p", "a b", "x.y")))
	case "set-workflow":
		switch g.IntN(3) {
		case 0:
			add("nested", quoted(g.pick("n", "m")))
		case 1:
			add("set", g.pick(`{"outcomes": ["ok", "no"]}`, `{"start": "a"}`, `{"edges": []}`, `{"limit": 1}`, `{"nodes": {}}`))
		default:
			add("remove", g.pick(`["start"]`, `["outcomes"]`, `["name"]`))
		}
	case "set-input", "set-output", "set-state", "set-schema":
		if op == "set-schema" {
			add("of", quoted(g.pick("input", "state", "output", "request", "resume")))
		}
		if g.IntN(2) == 0 && op != "set-state" {
			add("step", quoted(g.id()))
			if op != "set-schema" {
				add("bind", g.bindings())
				break
			}
		}
		add("fields", fmt.Sprintf(`{%s: %s}`, quoted(g.pick("x", "y", "odd name")), g.field()))
		if g.IntN(4) == 0 {
			add("remove", `["x"]`)
		}
	case "set-workflow-output":
		add("bind", g.bindings())
	case "add-step":
		add("step", g.step())
		if n := g.IntN(4); n < 2 {
			add([]string{"after", "before"}[n], quoted(g.id()))
		}
	case "set-step":
		add("step", quoted(g.id()))
		if g.IntN(3) == 0 {
			add("replace", g.step())
		} else {
			add("set", g.pick(`{"timeout_seconds": 5}`, `{"desc": "d"}`, `{"join": "met"}`, `{"on": {"ok": "b"}}`, `{"colour": 1}`, `{"next": "c"}`))
		}
	case "remove-step":
		add("step", quoted(g.id()))
	case "rename-step":
		add("step", quoted(g.id()))
		add("to", quoted(g.id()))
	case "branch":
		add("step", quoted(g.id()))
		add("outcome", quoted(g.outcome()))
		add("to", quoted(g.target()))
		switch g.IntN(5) {
		case 0:
			add("max_visits", "3")
		case 1:
			add("remove", "true")
		case 2:
			add("when", `{"exists": "steps.a.x"}`)
		}
	case "handle":
		add("step", quoted(g.id()))
		add("codes", g.pick(`["timeout"]`, `["*"]`, `["timeout", "transport"]`, `[]`))
		add("outcome", quoted(g.pick("late", "broken", "ok")))
		add("to", quoted(g.target()))
	case "bind":
		if g.IntN(4) > 0 {
			add("step", quoted(g.id()))
		}
		add("to", quoted(g.place()))
		add(g.pick("from", "text"), quoted(g.path()))
		if g.IntN(3) == 0 {
			add("default", g.operand())
		}
	case "unbind":
		if g.IntN(2) == 0 {
			add("output", `["zz"]`)
			break
		}
		add("step", quoted(g.id()))
		add(g.pick("input", "output"), "["+quoted(g.pick("zz", "b", g.place()))+"]")
	case "patch":
		add("patch", g.pick(`[{"op": "remove", "path": "/nodes/0"}]`, `[{"op": "add", "path": "/nodes/-", "value": 5}]`, `[{"op": "replace", "path": "/nodes", "value": {}}]`,
			`[{"op": "add", "path": "/edges", "value": [{"from": "a", "outcome": "ok", "to": "b"}]}]`, `[{"op": "add", "path": "/nodes/0/on", "value": [1]}]`, `[{"op": "remove", "path": ""}]`,
			`[{"op": "add", "path": "/workflows", "value": {"n": 3}}]`, `[{"op": "replace", "path": "/nodes", "value": []}]`, `[{"op": "add", "path": "/state_schema", "value": true}]`))
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// Random edits, one after the other: each makes another well-formed document or an error that leaves all as it was; what was made before
// stays; the same edits in one go make the same document.
func TestRandomEdits(t *testing.T) {
	t.Parallel()
	opts := known(t)
	done, refused := map[string]int{}, 0
	for seed := range uint64(600 / sparing(15)) {
		g := editGen{rand.New(rand.NewPCG(seed, 1))}
		doc, err := edit.New("p")
		if err != nil {
			t.Fatal(err)
		}
		first, history := doc, []*edit.Doc{doc}
		texts := []string{string(doc.JSON())}
		var all []edit.Edit
		for range 40 {
			line := g.edit()
			edits, err := edit.Parse([]byte(line))
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			next, report, err := doc.Apply(edits, opts)
			if (err == nil) == (next == nil) || (next == nil) != (report == nil) {
				t.Fatalf("%s: a document and an error, or neither", line)
			}
			if err != nil {
				checkRefused(t, line, err)
				refused++
				continue
			}
			checkMade(t, line, doc, next, edits, opts)
			op := strings.SplitN(line, `"`, 5)[3]
			done[op]++
			doc, all = next, append(all, edits...)
			history, texts = append(history, next), append(texts, string(next.JSON()))
		}
		for i, d := range history {
			if string(d.JSON()) != texts[i] {
				t.Errorf("seed %d: a document changed after edits of it", seed)
			}
		}
		if once, _, err := first.Apply(all, opts); err != nil || string(once.JSON()) != string(doc.JSON()) {
			t.Errorf("seed %d: in one go the edits make another document: %v", seed, err)
		}
	}
	for _, o := range edit.Ops() {
		if done[o.Name] == 0 {
			t.Errorf("%s was never done", o.Name)
		}
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
}

func checkRefused(t *testing.T, line string, err error) {
	t.Helper()
	e, ok := err.(*edit.Error)
	if !ok || e.Found == "" {
		t.Fatalf("%s: an error that says nothing: %v", line, err)
	}
	for _, bad := range []string{"wf.", "edit.", "value.", "%!", "<nil>"} {
		if strings.Contains(strings.ReplaceAll(err.Error(), "wf.std.", ""), bad) {
			t.Errorf("%s: the message has %s: %v", line, bad, err)
		}
	}
}

func checkMade(t *testing.T, line string, before, after *edit.Doc, edits []edit.Edit, opts *edit.Options) {
	t.Helper()
	if !json.Valid(after.JSON()) {
		t.Fatalf("%s makes what is no JSON:\n%s", line, after.JSON())
	}
	text, err := edit.Marshal(edits)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	again, err := edit.Parse(text)
	if err != nil {
		t.Fatalf("%s is written as %s: %v", line, text, err)
	}
	if same, _, err := before.Apply(again, opts); err != nil || string(same.JSON()) != string(after.JSON()) {
		t.Errorf("%s is written as %s, which does something else: %v", line, text, err)
	}
	switch edits[0].(type) {
	case *edit.Patch, *edit.Fix:
		return
	}
	_, had := wf.ParseWorkflow(before.JSON())
	_, has := wf.ParseWorkflow(after.JSON())
	if mistakes(has) > mistakes(had) {
		t.Errorf("%s: has more mistakes than before:\n%v\n%s", line, has, after.JSON())
	}
}

// mistakes counts what cannot be read, but for what is only missing.
func mistakes(found wf.Diagnostics) (n int) {
	for _, d := range found {
		if d.Severity == wf.SeverityError && d.Code != "field_missing" && d.Code != "next_ambiguous" {
			n++
		}
	}
	return n
}
