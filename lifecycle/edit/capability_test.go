package edit_test

import (
	"strings"
	"testing"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle/edit"
)

// Whatever a capability is like, the plan that begins with it is valid and can be edited; what it requires is bound and asked for, and
// what is optional is reported.
func TestFromCapability(t *testing.T) {
	t.Parallel()
	defs := []*wf.NodeDef{
		{Name: "a.nothing"},
		{Name: "a.outcomes", Outcomes: []wf.Outcome{"call", "yes", "call_end"}},
		{Name: "a.any", InputSchema: wf.Schema(`true`), OutputSchema: wf.Schema(`{"type": "array"}`)},
		{Name: "a.odd", InputSchema: wf.Schema(`{"type": "object", "required": ["odd name", "a.b", "[0]", "local", "."], "properties": {"odd name": {"type": "string"}, "a.b": {}, "local": true, "x": {}}}`)},
		{Name: "a.defs", InputSchema: wf.Schema(`{"$defs": {"T": {"type": "object", "properties": {"t": {"$ref": "#/$defs/T"}}}}, "type": "object", "required": ["t"], "properties": {"t": {"$ref": "#/$defs/T"}}}`),
			OutputSchema: wf.Schema(`{"type": "object"}`)},
		{Name: "a.unreadable", InputSchema: wf.Schema(`{"type": "text"}`)},
	}
	for _, name := range []string{"crm.find", "mail.send", "local.report.read_notes", "local.report.render_markdown_report"} {
		def, _ := known(t).Nodes(name)
		defs = append(defs, def)
	}
	for _, def := range defs {
		opts := &edit.Options{Nodes: func(ref string) (*wf.NodeDef, bool) { return def, ref == def.Name }}
		doc, report, err := edit.FromCapability(def, "")
		if err != nil {
			t.Errorf("%s: %v", def.Name, err)
			continue
		}
		w, found := doc.Check(opts)
		if found.HasErrors() && def.Name != "a.unreadable" {
			t.Errorf("%s: %v\n%s", def.Name, found, doc.JSON())
		}
		if w != nil && len(w.Outcomes) != max(1, len(def.Outcomes)) {
			t.Errorf("%s: the workflow ends in %v", def.Name, w.Outcomes)
		}
		if _, _, err := doc.Apply([]edit.Edit{&edit.RenameStep{Step: "call", To: "first"}}, opts); err != nil {
			t.Errorf("%s: %v", def.Name, err)
		}
		told := story(report, nil)
		if strings.Count(told, "optional and not bound") != strings.Count(string(def.InputSchema), `"x": {}`)+strings.Count(string(def.InputSchema), `subject`)+strings.Count(string(def.InputSchema), "encoding") {
			t.Errorf("%s: what is optional is not reported:\n%s", def.Name, told)
		}
	}
	if doc, _, err := edit.FromCapability(defs[0], "9lives"); err != nil || !strings.Contains(string(doc.JSON()), `"steps[\"9lives\"]"`) {
		t.Errorf("a step whose id begins with a digit: %v", err)
	}
	if _, _, err := edit.FromCapability(nil, ""); err == nil {
		t.Error("a plan was made of nothing")
	}
	if _, _, err := edit.FromCapability(&wf.NodeDef{Name: "a.b"}, "odd id"); err == nil {
		t.Error("a step has an odd id")
	}
}

// Texts that are no document are refused, and so are names that no workflow has.
func TestNoDocument(t *testing.T) {
	t.Parallel()
	for _, text := range []string{``, `[]`, `"x"`, `{"a": 1, "a": 2}`, `{} {}`, `{"a": 1e999}`} {
		if _, err := edit.FromPlan([]byte(text)); err == nil {
			t.Errorf("%s is a document", text)
		}
	}
	for _, name := range []string{"", "a b", "ä", "a/b", strings.Repeat("x", 129), "\xff"} {
		if _, err := edit.New(name); err == nil {
			t.Errorf("%q is a name", name)
		}
	}
	doc, err := edit.New("p")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []edit.Edit{nil, (*edit.Branch)(nil)} {
		if _, _, err := doc.Apply([]edit.Edit{e}, nil); err == nil {
			t.Error("an edit that is nil was done")
		}
		if _, err := edit.Marshal([]edit.Edit{e}); err == nil {
			t.Error("an edit that is nil was written")
		}
	}
}

// A document does not share what its users hold.
func TestDocumentsAreImmutable(t *testing.T) {
	t.Parallel()
	text := []byte(`{"name": "p", "nodes": []}`)
	doc, err := edit.FromPlan(text)
	if err != nil {
		t.Fatal(err)
	}
	want := string(text)
	clear(text)
	clear(doc.JSON())
	if got := string(doc.JSON()); got != want {
		t.Errorf("it is %q", got)
	}
}

// A saved workflow is run where a capability would be called.
func TestFromSavedWorkflow(t *testing.T) {
	t.Parallel()
	def := &wf.NodeDef{Name: "weekly.report@2", Outcomes: []wf.Outcome{"ok", "none"}, InputSchema: wf.Schema(`{"type": "object", "required": ["topic"], "properties": {"topic": {"type": "string"}}}`)}
	doc, report, err := edit.FromCapability(def, "")
	if err != nil {
		t.Fatal(err)
	}
	w, found := wf.ParseWorkflow(doc.JSON())
	if found.HasErrors() || w.Name != "weekly.report" || len(w.Nodes) != 2 || report.Open != nil {
		t.Fatalf("%v, %v, %v\n%s", found, w, report, doc.JSON())
	}
	step, ok := w.Nodes[0].(*wf.SubgraphStep)
	if !ok || step.Workflow != "weekly.report@2" || len(step.Input) != 1 || !strings.Contains(string(w.InputSchema), "topic") {
		t.Errorf("the step is %+v\n%s", w.Nodes[0], doc.JSON())
	}
	if told := story(report, nil); !strings.Contains(told, `the step runs "weekly.report@2"`) {
		t.Error(told)
	}
	doc, _, err = doc.Apply([]edit.Edit{&edit.AddStep{Step: []byte(`{"id": "first", "workflow": "weekly.report@2"}`), Before: "call"}}, &edit.Options{
		Workflows: func(ref string) ([]byte, bool) {
			return []byte(`{"name": "r", "outcomes": ["done"], "nodes": [{"id": "end", "type": "end", "outcome": "done"}]}`), ref == def.Name
		}})
	if err != nil || !strings.Contains(string(doc.JSON()), `"done": "call"`) && !strings.Contains(string(doc.JSON()), `"next": "call"`) {
		t.Errorf("a step without its type is not led on: %v\n%s", err, doc.JSON())
	}
}
