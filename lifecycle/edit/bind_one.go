package edit

import (
	"encoding/json"

	"lda.chat/wf"
	"lda.chat/wf/internal/value"
)

// Bind binds one value to one place: to a place of a step's input; to the state, from what the step returns; or, without a step, to a
// place of the workflow's output. Where one side is known by its schema and the field on the other is not declared, that is declared
// by it: the state by what is written, the workflow's output by what it is made of, the workflow's input by what asks for it.
//
// From, Value and Text are three ways to say what; with none of them a Default is added to the binding that is there.
type Bind struct {
	In      string          `json:"in,omitempty"`
	Step    string          `json:"step,omitempty"`
	To      string          `json:"to"`                // a place of the input or output ("." is the whole), or a state path
	From    string          `json:"from,omitempty"`    // a path; to the state, also a place of the step's output
	Value   json.RawMessage `json:"value,omitempty"`   // a literal
	Text    string          `json:"text,omitempty"`    // a template: "Re: {input.subject}"
	Default json.RawMessage `json:"default,omitempty"` // a literal, for when From is absent
	// IfAbsent is what a write to the state does when there is nothing: unset, keep or fail.
	IfAbsent string `json:"if_absent,omitempty"`
}

func (e *Bind) edit(s *session) *Error {
	w, err := s.in(e.In)
	if err != nil {
		return err
	}
	operand, err := e.operand()
	if err != nil {
		return err
	}
	target, parsed := wf.ParsePath(e.To)
	toState := parsed == nil && target.Root == wf.RootState && len(target.Parts) > 0
	if e.Step == "" {
		return e.bindResult(w, operand, toState)
	}
	i, step, err := w.step(e.Step)
	if err != nil {
		return err
	}
	b, err := w.bindings(i, step, toState || kindOf(step) == wf.TypeEnd)
	if err != nil {
		return err
	}
	if e.IfAbsent != "" && !toState {
		return &Error{Path: b.at.String(), Step: e.Step, Found: "if_absent", Expected: "a write to the state", Hint: "what stands in for an absent value is a default"}
	}
	if b.dir == writes {
		return e.bindState(b, step, operand, target)
	}
	if operand, err = e.completed(b, operand); err != nil {
		return err
	}
	given := object(member(e.To, operand))
	if e.IfAbsent != "" {
		given = value.Array(operandObject(operand).With("target", value.String(e.To)).With("if_absent", value.String(e.IfAbsent)))
	}
	if err := b.set(given, false); err != nil {
		return err
	}
	if b.dir == fills && kindOf(step) != wf.TypeEnd {
		w.declareInput(e.From, step, e.To, e.Default != nil)
	}
	return nil
}

// operand is what is bound; absent if the edit says only a default.
func (e *Bind) operand() (value.Value, *Error) {
	count := 0
	for _, given := range []bool{e.From != "", e.Value != nil, e.Text != ""} {
		if given {
			count++
		}
	}
	literal, err := raw(e.Value, "value")
	if err != nil {
		return literal, err
	}
	fallback, err := raw(e.Default, "default")
	if err != nil {
		return fallback, err
	}
	if count > 1 || count == 0 && fallback.IsAbsent() || e.To == "" {
		return literal, &Error{Found: "a binding that is not clear", Expected: "to, and one of from, value and text, or a default"}
	}
	var operand value.Value
	switch {
	case e.Value != nil:
		if operand = literal; literal.Kind() == value.KindString || literal.Kind() == value.KindArray || literal.Kind() == value.KindObject {
			operand = object(member("value", literal))
		}
	case e.Text != "":
		operand = object(member("text", value.String(e.Text)))
	case e.From != "":
		operand = value.String(e.From)
	}
	if !fallback.IsAbsent() && count > 0 {
		operand = operandObject(operand).With("default", fallback)
	}
	return operand, nil
}

// completed is the operand, or the one that is bound already with the default.
func (e *Bind) completed(b *bindings, operand value.Value) (value.Value, *Error) {
	if !operand.IsAbsent() {
		return operand, nil
	}
	fallback, err := raw(e.Default, "default")
	if err != nil {
		return operand, err
	}
	var known []string
	for _, x := range b.read(b.w.at(b.at)) {
		if b.exactly(x.key, e.To) {
			return operandObject(x.v).With("default", fallback), nil
		}
		known = append(known, x.key)
	}
	bad := unknown("binding of", e.To, known)
	bad.Path, bad.Step, bad.Hint = b.at.String(), b.step, "bind it with from, and the default beside it"
	return operand, bad
}

// bindState writes to the state, from the step's output or another operand.
func (e *Bind) bindState(b *bindings, step, operand value.Value, target wf.Path) *Error {
	own, isOwn := e.ownOutput()
	given := object(member(own, value.String(e.To)))
	switch {
	case operand.IsAbsent():
		return &Error{Path: b.at.String(), Step: e.Step, Found: "a default alone", Expected: "from, value or text beside it"}
	case !isOwn || e.IfAbsent != "" || operand.Kind() == value.KindObject:
		source := operand
		if p, ok := localPath(own); ok && isOwn && operand.Kind() == value.KindObject {
			source = operand.With("path", value.String(p.String()))
		} else if isOwn {
			source = value.String(own)
		}
		item := object(member("source", source), member("target", value.String(e.To)))
		if e.IfAbsent != "" {
			item = item.With("if_absent", value.String(e.IfAbsent))
		}
		given = value.Array(item)
	}
	if err := b.set(given, false); err != nil {
		return err
	}
	if p, ok := localPath(own); ok && isOwn {
		b.w.declareFrom(b.w.gives(step), p.Parts, b.w.place("state_schema"), target.Parts, e.To, false)
	}
	return nil
}

// ownOutput is From as a place of the step's own output.
func (e *Bind) ownOutput() (own string, isOwn bool) {
	if e.From == "" {
		return "", false
	}
	p, err := wf.ParsePath(e.From)
	switch {
	case err != nil || p.Root == wf.RootLocal || len(p.Parts) == 0:
		return e.From, true
	case p.Root == wf.RootSteps && p.Parts[0].Name == e.Step:
		return localText(p.Parts[1:]), true
	}
	return "", false
}

// bindResult binds a place of the workflow's output.
func (e *Bind) bindResult(w *scope, operand value.Value, toState bool) *Error {
	b := w.result()
	if toState || e.IfAbsent != "" {
		return &Error{Path: b.at.String(), Found: "a write to the state without a step", Expected: "the step that writes, or a place of the workflow's output"}
	}
	operand, err := e.completed(b, operand)
	if err != nil {
		return err
	}
	if err := b.set(object(member(e.To, operand)), false); err != nil {
		return err
	}
	to, ok := localPath(e.To)
	if source, parts := w.sourceOf(e.From); ok && source != nil {
		w.declareFrom(source, parts, w.place("output_schema"), to.Parts, "output."+e.To, false)
	}
	return nil
}
