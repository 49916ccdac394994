package edit

import (
	"lda.chat/wf"
	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

// sourceOf is the schema that a path leads into, and how it goes on there; nil if nothing is known of it.
func (w *scope) sourceOf(path string) (*schema.Schema, []wf.Part) {
	p, err := wf.ParsePath(path)
	if err != nil {
		return nil, nil
	}
	switch p.Root {
	case wf.RootInput:
		return schemaOf(w.get("input_schema")), p.Parts
	case wf.RootState:
		return schemaOf(w.get("state_schema")), p.Parts
	case wf.RootSteps:
		if len(p.Parts) > 0 {
			_, step := w.find(p.Parts[0].Name)
			return w.gives(step), p.Parts[1:]
		}
	}
	return nil, nil
}

// declareInput declares a field of the workflow's input that a step is bound to, by what the step asks for. It is required if the step
// that every run begins with must have it.
func (w *scope) declareInput(from string, step value.Value, to string, hasDefault bool) {
	p, err := wf.ParsePath(from)
	place, ok := localPath(to)
	asked := w.takes(step)
	if err != nil || !ok || p.Root != wf.RootInput || asked == nil {
		return
	}
	_, presence := asked.Lookup(valuePath(place.Parts))
	start, _ := w.start()
	w.declareFrom(asked, place.Parts, w.place("input_schema"), p.Parts, from, presence == schema.Always && start == idOf(step) && !hasDefault)
}

func valuePath(parts []wf.Part) (path value.Path) {
	for _, part := range parts {
		path = append(path, value.Part{Key: part.Name, Index: part.Index, IsIndex: part.IsIndex})
	}
	return path
}

// declareFrom declares a field of one of the workflow's schemas by what is known of the other side of a binding. What is declared
// already stays; what cannot be declared is reported with the reason.
func (w *scope) declareFrom(known *schema.Schema, parts []wf.Part, at place, field []wf.Part, name string, required bool) {
	if known == nil || len(field) == 0 || field[0].IsIndex {
		return
	}
	own, kind := w.at(at), at[len(at)-1]
	if !own.Get("properties").Get(field[0].Name).IsAbsent() {
		return
	}
	found, _ := known.Lookup(valuePath(parts))
	switch {
	case found == nil || found.Value().Kind() == value.KindObject && found.Value().Len() == 0:
		return
	case len(field) > 1:
		w.note(KindKept, at, "", "%s is not declared: only fields at the top are", name)
		return
	case kind == "state_schema" && !w.get("input_schema", "properties", field[0].Name).IsAbsent():
		w.note(KindKept, at, "", "%s is not declared: the input has a field of that name, and would fill it at the start", name)
		return
	}
	closed := own.Get("additionalProperties") // a field that is declared is no additional one
	if closed.Kind() != value.KindBool {
		closed = value.Value{}
	} else {
		own = own.With("additionalProperties", value.Value{})
	}
	declared, ok := schema.AddProperty(own, field[0].Name, found, required)
	if !ok {
		w.note(KindKept, at, "", "%s is not declared: the schema there says more than a list of fields", name)
		return
	}
	w.become(at, declared.With("additionalProperties", closed))
	word := "declared"
	if required {
		word = "declared and required"
	}
	w.note(KindProjected, under(at, "properties", field[0].Name), "", "%s is %s, as %s", name, word, shorten(declared.Get("properties").Get(field[0].Name).String()))
}
