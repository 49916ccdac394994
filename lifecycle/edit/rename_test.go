package edit_test

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle/edit"
)

// To rename a step makes the plan that one gets by renaming it in the plan's structure: some steps of all plans of the repository, and
// of the workflows in them, short and canonical.
func TestRenameIsStructural(t *testing.T) {
	t.Parallel()
	every, renamed, nested := sparing(12), 0, 0
	for _, p := range plans(t) {
		name, w := p.name, p.w
		for i, doc := range p.forms {
			for in, inner := range within(w) {
				for n, s := range inner.Nodes {
					if twice(inner, s.StepID()) || in == "" && (n+i+len(name))%every > 0 {
						continue
					}
					checkRename(t, name, doc, w, in, s.StepID(), i == 0)
					renamed++
					if in != "" {
						nested++
					}
				}
			}
		}
	}
	if renamed < 1500/every || nested < 20 {
		t.Errorf("only %d steps were renamed, %d of workflows in others", renamed, nested)
	}
}

// within are a plan and the workflows in it, by the names that edits have for them.
func within(w *wf.Workflow) map[string]*wf.Workflow {
	all := map[string]*wf.Workflow{"": w}
	for key, nested := range w.Workflows {
		for below, inner := range within(nested) {
			all[strings.TrimSuffix(key+"/"+below, "/")] = inner
		}
	}
	return all
}

func checkRename(t *testing.T, name string, doc *edit.Doc, w *wf.Workflow, in, id string, validate bool) {
	t.Helper()
	const to = "renamed-step"
	next, _, err := doc.Apply([]edit.Edit{&edit.RenameStep{In: in, Step: id, To: to}}, nil)
	if err != nil {
		t.Errorf("%s: %s: %v", name, id, err)
		return
	}
	got, found := wf.ParseWorkflow(next.JSON())
	if got == nil {
		t.Errorf("%s: %s: %v", name, id, found)
		return
	}
	want := w.Clone()
	rename(within(want)[in], id, to)
	if got.Digest() != want.Digest() {
		t.Errorf("%s: %s: the plan is\n%s\nexpected\n%s", name, id, got.Indented(), want.Indented())
	}
	if validate {
		if before, after := findings(w, id, to), findings(got, id, to); before != after {
			t.Errorf("%s: %s: found before\n%s\nafter\n%s", name, id, before, after)
		}
	}
	back, _, err := next.Apply([]edit.Edit{&edit.RenameStep{In: in, Step: to, To: id}}, nil)
	if err != nil {
		t.Errorf("%s: %s: back again: %v", name, id, err)
	} else if again, _ := wf.ParseWorkflow(back.JSON()); again == nil || again.Digest() != w.Digest() {
		t.Errorf("%s: %s: and back again it is\n%s", name, id, back.JSON())
	}
}

func twice(w *wf.Workflow, id string) bool {
	n := 0
	for _, s := range w.Nodes {
		if s.StepID() == id {
			n++
		}
	}
	return n > 1
}

// findings are what the validator says, with the step's name taken out. Which steps nothing leads to is left out: where an edge is
// missing, names tell the validator which steps it would have led to.
func findings(w *wf.Workflow, names ...string) string {
	found := wf.Validate(w, nil)
	var lines []string
	for _, d := range found {
		if d.Code == "step_unreachable" {
			continue
		}
		d.RepairHint, d.Fixes = "", nil
		text := d.String()
		for _, name := range names {
			text = regexp.MustCompile(`\b`+regexp.QuoteMeta(name)+`\b`).ReplaceAllString(text, "STEP")
		}
		lines = append(lines, text)
	}
	return strings.Join(lines, "\n")
}

// rename renames a step in the structure of a plan, without a look at how it is written.
func rename(w *wf.Workflow, from, to string) {
	for i := range w.Edges {
		for _, s := range []*string{&w.Edges[i].From, &w.Edges[i].To, &w.Edges[i].Exhausted} {
			if *s == from {
				*s = to
			}
		}
	}
	if w.Start == from {
		w.Start = to
	}
	for _, s := range w.Nodes {
		if fork, ok := s.(*wf.ForkStep); ok && fork.Join == from {
			fork.Join = to
		}
		if id := reflect.ValueOf(s).Elem().FieldByName("ID"); id.String() == from {
			id.SetString(to)
		}
	}
	renamePaths(reflect.ValueOf(&w.Nodes), from, to)
	renamePaths(reflect.ValueOf(&w.Output), from, to)
}

func renamePaths(v reflect.Value, from, to string) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			renamePaths(v.Elem(), from, to)
		}
	case reflect.Slice:
		for i := range v.Len() {
			renamePaths(v.Index(i), from, to)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			x := reflect.New(v.Type().Elem()).Elem()
			x.Set(v.MapIndex(key))
			renamePaths(x, from, to)
			v.SetMapIndex(key, x)
		}
	case reflect.Struct:
		if p, ok := v.Addr().Interface().(*wf.Path); ok {
			if p.Root == wf.RootSteps && len(p.Parts) > 0 && p.Parts[0].Name == from {
				p.Parts[0].Name = to
			}
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				renamePaths(v.Field(i), from, to)
			}
		}
	}
}
