package edit

import (
	"encoding/json"
	"slices"

	"lda.chat/wf/internal/value"
)

// Declaration says what stands in an object's schema. A field is a JSON Schema, or a text: a type ("string", "integer", "string[]",
// "any"), then "?" if it may be missing, then in the state a reducer, then "=" and a default: "integer?", "array append = []".
type Declaration struct {
	Fields   map[string]json.RawMessage `json:"fields,omitempty"`
	Optional []string                   `json:"optional,omitempty"` // fields that may be missing; so may those with a default, and all of the state
	Remove   []string                   `json:"remove,omitempty"`   // fields
	Schema   json.RawMessage            `json:"schema,omitempty"`   // the whole, in the place of what is there; Fields come into it
}

func (d *Declaration) isEmpty() bool {
	return len(d.Fields)+len(d.Remove)+len(d.Optional) == 0 && d.Schema == nil
}

// SetState declares what the workflow remembers.
type SetState struct {
	In      string `json:"in,omitempty"`
	Replace bool   `json:"replace,omitempty"` // what is not named is not declared any more
	Declaration
}

func (e *SetState) edit(s *session) *Error {
	w, err := s.in(e.In)
	if err != nil {
		return err
	}
	return w.declare(w.place("state_schema"), "", &e.Declaration, e.Replace, false)
}

// SetSchema writes a schema, or fields of it: of the workflow; of a step; of a capability's contract; or a definition that such a
// schema shares between its parts.
type SetSchema struct {
	In      string `json:"in,omitempty"`
	Of      string `json:"of"`                // of the workflow: input, state, output; of a step: request, resume, output; of a contract: input, output
	Step    string `json:"step,omitempty"`    // a step's id
	Node    string `json:"node,omitempty"`    // the ref of a capability, whose contract the plan then holds
	Outcome string `json:"outcome,omitempty"` // of an interrupt: the schema of the answers with it alone
	Def     string `json:"def,omitempty"`     // the definition of that name under $defs, not the schema itself
	Replace bool   `json:"replace,omitempty"` // what is not named is not declared any more
	Declaration
}

func (e *SetSchema) edit(s *session) *Error {
	w, err := s.in(e.In)
	if err != nil {
		return err
	}
	at, err := e.place(w)
	if err != nil {
		return err
	}
	if e.Def != "" {
		if w.at(at).IsAbsent() {
			w.add(at, object(member("type", value.String("object"))))
		}
		if at = under(at, "$defs"); w.at(at).IsAbsent() {
			w.add(at, object())
		}
		at = under(at, e.Def)
	}
	return w.declare(at, e.Step, &e.Declaration, e.Replace, e.Of != "state")
}

// place is where the schema stands.
func (e *SetSchema) place(w *scope) (place, *Error) {
	of, known := e.Of+"_schema", []string{"input", "state", "output"}
	holder := w.top
	switch {
	case e.Step != "" && e.Node != "":
		return nil, &Error{Found: "both a step and a node", Expected: "one of them"}
	case e.Step != "":
		i, step, err := w.step(e.Step)
		if err != nil {
			return nil, err
		}
		holder, known = w.place("nodes", i), []string{"output"}
		if !step.Get("kind").IsAbsent() || textOf(step.Get("type")) == "interrupt" {
			known = []string{"request", "resume"}
		}
	case e.Node != "":
		known = []string{"input", "output"}
	}
	if !slices.Contains(known, e.Of) {
		err := unknown("schema", e.Of, known)
		err.Path, err.Step = holder.String(), e.Step
		return nil, err
	}
	switch {
	case e.Outcome != "" && e.Of != "resume":
		return nil, &Error{Path: holder.String(), Step: e.Step, Found: "an outcome for the schema " + quote(e.Of), Expected: `the schema "resume" of an interrupt`}
	case e.Outcome != "":
		if at := under(holder, "resume_schemas"); w.at(at).IsAbsent() {
			w.add(at, object())
		}
		return under(holder, "resume_schemas", e.Outcome), nil
	case e.Node != "":
		for i, def := range w.get("node_defs").Items() {
			if textOf(def.Get("name")) == e.Node {
				return w.place("node_defs", i, of), nil
			}
		}
		def, _, found := w.contract(e.Node)
		if !found {
			def = object(member("name", value.String(e.Node)))
		}
		kept := w.keepNexts(e.Node)
		at := w.append("node_defs", def)
		kept()
		w.note(KindSet, at, "", "the plan holds the contract of %s", quote(e.Node))
		return under(at, of), nil
	}
	return under(holder, of), nil
}
