package wf

import (
	"fmt"

	"lda.chat/wf/internal/value"
)

// olderFields are fields that are read but no longer written.
var olderFields = []string{"in_map", "input_values", "out_map"}

// stepInput reads a step's input: "input", or the older in_map (graph path → field) and input_values (field → value).
func (o object) stepInput() []InputBinding {
	list := o.inputBindings("input")
	if o.has("input") && (o.has("in_map") || o.has("input_values")) {
		list = append(list, holeInputs()...) // which of them is meant is not known
	}
	if v, at, ok := o.olderMap("in_map", "input"); ok {
		for from, to := range v.Members() {
			list = append(list, o.olderInput(from, to, child(at, from)))
		}
		list = append(list, unreadMap(v)...)
	}
	if v, at, ok := o.olderMap("input_values", "input"); ok {
		for target, literal := range v.Members() {
			place := child(at, target)
			o.checkDepth(literal, place)
			list = append(list, InputBinding{Target: readKey(o.reader, target, place, "the target", o.localPath),
				Operand: Operand{Value: literal.AppendCanonical(nil)}})
		}
		list = append(list, unreadMap(v)...)
	}
	return list
}

// unreadMap stands for the bindings of a map that is none.
func unreadMap(v value.Value) []InputBinding {
	if v.IsAbsent() {
		return holeInputs()
	}
	return nil
}

// olderInput reads a member of in_map. Both directions were in use; the side with a root of the graph is the source.
func (r *reader) olderInput(key string, v value.Value, at string) InputBinding {
	other := r.string(v, at)
	from, to := key, other
	if root, _, ok := cutRoot(key); !ok || root == RootLocal {
		from, to = other, key
	}
	operand := r.operand(value.String(from), at, operandPlace{})
	return InputBinding{Target: r.localPath(value.String(to), at, "the target"), Operand: operand}
}

// stepOutput reads a step's output: "output", or the older out_map (field → state path).
func (o object) stepOutput() []OutputBinding {
	list := o.outputBindings("output", false)
	if v, at, ok := o.olderMap("out_map", "output"); ok {
		for source, target := range v.Members() {
			list = append(list, o.outputMember(v, at, source, target))
		}
	}
	return list
}

// olderMap returns one of the older maps, an absent value if it is no map. It may not stand beside the field that took its place.
func (o object) olderMap(key, now string) (v value.Value, at string, ok bool) {
	v, at, ok = o.get(key)
	switch {
	case !ok:
		return v, at, false
	case o.has(now):
		o.add(Diagnostic{Code: "field_conflict", Path: at, RepairHint: fmt.Sprintf("move its members into %q", now),
			Message: fmt.Sprintf("%q is the older form of %q: a step has one of them", key, now)})
		return v, at, false
	case v.Kind() != value.KindObject:
		o.wrongType(v, at, "a map")
		return value.Value{}, at, true
	}
	return v, at, true
}
