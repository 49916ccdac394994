package wf

import (
	"fmt"
	"strings"

	"lda.chat/wf/internal/value"
)

// inputBindings reads a field that fills something from operands: a list of bindings, a map from local paths to
// operands, or one path for the whole value.
func (o object) inputBindings(key string) []InputBinding {
	v, at, ok := o.get(key)
	if !ok {
		return nil
	}
	var list []InputBinding
	switch v.Kind() {
	case value.KindString:
		list = o.wholeInput(v, at)
	case value.KindArray:
		for i, item := range v.Items() {
			list = append(list, o.inputBinding(item, element(at, i)))
		}
	case value.KindObject:
		for target, source := range v.Members() {
			place := child(at, target)
			target, source = o.straightInput(v, at, target, source)
			list = append(list, InputBinding{
				Target:  readKey(o.reader, target, place, "the target", o.localPath),
				Operand: o.operand(source, place, operandPlace{}),
			})
		}
	default:
		o.wrongType(v, at, "a map from fields to operands, or a list of bindings")
		list = holeInputs()
	}
	return list
}

// inputBinding reads {"target": local path, <operand>}.
func (r *reader) inputBinding(v value.Value, at string) InputBinding {
	o, ok := r.object(v, at, "an input binding", append([]string{"target"}, append(operandKinds, "default")...))
	b := holeInputs()[0]
	if !ok {
		return b
	}
	if target, targetAt, ok := o.need("target", `add where the value goes, for example "target": "text"`); ok {
		b.Target = r.localPath(target, targetAt, "the target")
	}
	b.Operand = o.operandFields(operandPlace{})
	return b
}

// wholeInput reads a path that fills the whole.
func (r *reader) wholeInput(v value.Value, at string) []InputBinding {
	s, _ := v.AsString()
	_, wrapped := unwrapPath(s)
	if !isRooted(s) && !wrapped {
		d := Diagnostic{Code: "not_a_path", Path: at, RepairHint: `write a map from fields to operands: {"text": "state.text"}`,
			Message: fmt.Sprintf("a text here is a path to the whole value, and %s has no root; a path begins with %s", quoteShort(s), rootList())}
		for _, candidate := range r.scope.candidates(s) {
			d.Fixes = append(d.Fixes, r.replace(v, at, candidate, FixUnsafe))
		}
		r.add(d)
		return holeInputs()
	}
	path, _ := r.pathText(v, s, at, false)
	return []InputBinding{{Target: Path{Root: RootLocal}, Operand: Operand{Path: &path}}}
}

// straightInput reports a member of an input map that has its source on the left, and turns it round.
func (r *reader) straightInput(m value.Value, at, key string, v value.Value) (string, value.Value) {
	target, isText := v.AsString()
	root, rest, rooted := cutRoot(key)
	if !rooted || rest == "" || root == RootLocal || !isText || isRooted(target) && !strings.HasPrefix(target, string(RootLocal)) {
		return key, v
	}
	_, targetErr := parseLocalPath(target)
	if _, err := ParsePath(key); err != nil || targetErr != nil {
		return key, v
	}
	r.reversed(m, at, key, target, fmt.Sprintf("an input map reads target: source, so %s is filled from %s", quoteShort(key), quoteShort(target)))
	return target, value.String(key)
}

// reversed reports a member of a map whose two sides were exchanged.
func (r *reader) reversed(m value.Value, at, key, other, message string) {
	o := object{reader: r, v: m, at: at}
	trust := FixSafe
	if o.has(other) {
		trust = FixUnsafe
	}
	r.add(Diagnostic{Code: "binding_reversed", Path: child(at, key), Message: message,
		RepairHint: fmt.Sprintf("write %s: %s", quoteShort(other), quoteShort(key)),
		Fixes:      []Fix{o.exchange(key, other, value.String(key), trust)}})
}

// outputBindings reads a field that writes to the state: a list of bindings, a map from local paths to state paths,
// or one state path for the whole value. A set step has no value of its own: its map goes from state paths to
// operands.
func (o object) outputBindings(key string, isSet bool) []OutputBinding {
	v, at, ok := o.get(key)
	if !ok {
		return nil
	}
	var list []OutputBinding
	switch {
	case v.Kind() == value.KindArray:
		for i, item := range v.Items() {
			list = append(list, o.outputBinding(item, element(at, i), isSet))
		}
	case v.Kind() == value.KindObject && isSet:
		for target, source := range v.Members() {
			place := child(at, target)
			operand := o.operand(source, place, operandPlace{})
			list = append(list, newOutputBinding(operand, readKey(o.reader, target, place, "the target", o.statePath), ""))
		}
	case v.Kind() == value.KindObject:
		for source, target := range v.Members() {
			list = append(list, o.outputMember(v, at, source, target))
		}
	case v.Kind() == value.KindString && !isSet:
		list = []OutputBinding{{Source: &Path{Root: RootLocal}, Target: o.statePath(v, at, "the target")}}
	case isSet:
		o.wrongType(v, at, "a map from state paths to operands, or a list of bindings")
		list = holeOutputs()
	default:
		o.wrongType(v, at, "a map from fields to state paths, or a list of bindings")
		list = holeOutputs()
	}
	return list
}

// outputMember reads a member of an output map, source: target. One that has its target on the left is reported and
// turned round.
func (r *reader) outputMember(m value.Value, at, source string, v value.Value) OutputBinding {
	place := child(at, source)
	target, isText := v.AsString()
	targetRoot, _, _ := cutRoot(target)
	_, keyErr := ParsePath(source)
	_, targetErr := parseLocalPath(target)
	if root, rest, _ := cutRoot(source); isText && root == RootState && rest != "" && targetRoot != RootState && keyErr == nil && targetErr == nil {
		r.reversed(m, at, source, target, fmt.Sprintf("an output map reads source: target, so %s is written to %s", quoteShort(source), quoteShort(target)))
		source, v = target, value.String(source)
	}
	from := readKey(r, source, place, "the source", r.localPath)
	return OutputBinding{Source: &from, Target: r.statePath(v, place, "the target")}
}

// outputBinding reads {"source": local path or operand, "target": state path, "if_absent": …}. An operand's fields
// may also stand beside the target.
func (r *reader) outputBinding(v value.Value, at string, isSet bool) OutputBinding {
	known := append([]string{"source", "target", "if_absent"}, append(operandKinds, "default")...)
	o, ok := r.object(v, at, "an output binding", known)
	if !ok {
		return holeOutputs()[0]
	}
	target := holePath()
	if v, at, ok := o.need("target", `add where the value goes, for example "target": "state.text"`); ok {
		target = r.statePath(v, at, "the target")
	}
	absent := ""
	if v, at, ok := o.get("if_absent"); ok {
		absent = r.word(v, at, "if_absent", []string{AbsentUnset, AbsentKeep, AbsentFail})
	}
	source, sourceAt, ok := o.get("source")
	if !ok {
		return newOutputBinding(o.operandFields(operandPlace{}), target, absent)
	}
	for _, kind := range append(operandKinds, "default") {
		if o.has(kind) {
			source = value.String(hole) // which of the two is meant is not known
			o.add(Diagnostic{Code: "operand_kind", Path: child(at, kind), RepairHint: "keep one of them",
				Message: fmt.Sprintf("the binding has a source already; %q is another", kind)})
		}
	}
	if s, _ := source.AsString(); isHole(s) {
		return OutputBinding{Operand: new(holeOperand()), Target: target, IfAbsent: absent}
	}
	if s, isText := source.AsString(); source.Kind() == value.KindObject && !source.Get("root").IsAbsent() || isText && !isSet && !isRooted(s) {
		from := r.localPath(source, sourceAt, "the source")
		return OutputBinding{Source: &from, Target: target, IfAbsent: absent}
	}
	return newOutputBinding(r.operand(source, sourceAt, operandPlace{}), target, absent)
}

// newOutputBinding makes a binding; a plain path below local is its source.
func newOutputBinding(operand Operand, target Path, absent string) OutputBinding {
	if operand.Path != nil && operand.Path.Root == RootLocal && operand.Default == nil {
		return OutputBinding{Source: operand.Path, Target: target, IfAbsent: absent}
	}
	return OutputBinding{Operand: &operand, Target: target, IfAbsent: absent}
}
