package edit

import "encoding/json"

// SetInput has two uses. With a step it binds what the step is given: of an interrupt its request. Without one it declares what the
// workflow is given.
type SetInput struct {
	In      string          `json:"in,omitempty"`
	Step    string          `json:"step,omitempty"`
	Bind    json.RawMessage `json:"bind,omitempty"`    // of a step: {place: operand}, a path for the whole, or a list
	Replace bool            `json:"replace,omitempty"` // what is not named is not bound, or not declared, any more
	Declaration
}

func (e *SetInput) edit(s *session) *Error {
	return setData(s, e.In, e.Step, e.Bind, e.Replace, &e.Declaration, false)
}

// SetOutput has two uses. With a step it binds what the step returns to the state: of an interrupt the answer; of a set step, places of
// the state to operands; of an end, the workflow's output. Without one it declares what the workflow returns.
type SetOutput struct {
	In      string          `json:"in,omitempty"`
	Step    string          `json:"step,omitempty"`
	Bind    json.RawMessage `json:"bind,omitempty"`    // of a step: {place: state path}, a state path for the whole, or a list
	Replace bool            `json:"replace,omitempty"` // what is not named is not bound, or not declared, any more
	Declaration
}

func (e *SetOutput) edit(s *session) *Error {
	return setData(s, e.In, e.Step, e.Bind, e.Replace, &e.Declaration, true)
}

// setData binds a side of a step, or declares one of the workflow.
func setData(s *session, in, step string, bind json.RawMessage, replace bool, fields *Declaration, output bool) *Error {
	w, err := s.in(in)
	if err != nil {
		return err
	}
	side, schema := "what it is given", "input_schema"
	if output {
		side, schema = "what it returns", "output_schema"
	}
	if step == "" {
		if bind != nil {
			return &Error{Found: "bindings without a step", Expected: "a step, or fields that declare " + side, Hint: "what the workflow returns is bound with set-workflow-output"}
		}
		return w.declare(w.place(schema), "", fields, replace, schema != "state_schema")
	}
	i, found, err := w.step(step)
	if err != nil {
		return err
	}
	if !fields.isEmpty() {
		return &Error{Path: w.place("nodes", i).String(), Step: step, Found: "fields for a step", Expected: "bindings of the step", Hint: "a step's schemas are written with set-schema"}
	}
	b, err := w.bindings(i, found, output)
	if err != nil {
		return err
	}
	given, err := raw(bind, "bind")
	if err != nil {
		return err
	}
	return b.set(given, replace)
}

// SetWorkflowOutput binds what the workflow returns.
type SetWorkflowOutput struct {
	In      string          `json:"in,omitempty"`
	Bind    json.RawMessage `json:"bind"`              // {place: operand}, a path for the whole, or a list
	Replace bool            `json:"replace,omitempty"` // what is not named is not bound any more
}

func (e *SetWorkflowOutput) edit(s *session) *Error {
	w, err := s.in(e.In)
	if err != nil {
		return err
	}
	given, err := raw(e.Bind, "bind")
	if err != nil {
		return err
	}
	return w.result().set(given, e.Replace)
}

// result are the bindings of the workflow's output.
func (w *scope) result() *bindings { return &bindings{w, w.place("output"), "", "the output", fills} }

// Unbind removes bindings: of a step's input and output, or without a step of the workflow's output.
type Unbind struct {
	In     string   `json:"in,omitempty"`
	Step   string   `json:"step,omitempty"`
	Input  []string `json:"input,omitempty"`  // places; "." is the whole
	Output []string `json:"output,omitempty"` // places of the step's output, or the state paths that are written
}

func (e *Unbind) edit(s *session) *Error {
	w, err := s.in(e.In)
	if err != nil {
		return err
	}
	if len(e.Input)+len(e.Output) == 0 {
		return &Error{Found: "no places", Expected: "places of the input or the output that are not to be bound any more"}
	}
	if e.Step == "" {
		if len(e.Input) > 0 {
			return &Error{Found: "an input without a step", Expected: "the step"}
		}
		return unsetAll(w.result(), e.Output)
	}
	i, step, err := w.step(e.Step)
	if err != nil {
		return err
	}
	for _, side := range []struct {
		places []string
		output bool
	}{{e.Input, false}, {e.Output, true}} {
		if len(side.places) == 0 {
			continue
		}
		b, err := w.bindings(i, step, side.output)
		if err != nil {
			return err
		}
		if err := unsetAll(b, side.places); err != nil {
			return err
		}
	}
	return nil
}

func unsetAll(b *bindings, places []string) *Error {
	for _, key := range places {
		if err := b.unset(key); err != nil {
			return err
		}
	}
	return nil
}
