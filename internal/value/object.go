package value

import (
	"iter"
	"slices"
	"strings"
)

// Member is one member of an object.
type Member struct {
	Key   string
	Value Value
}

// Object makes an object of members in any order. Of several with one key the last counts. Members whose value is absent
// are left out. A key that is not UTF-8 is mended as in [String].
func Object(members ...Member) Value {
	sorted := slices.Clone(members)
	for i := range sorted {
		sorted[i].Key = validText(sorted[i].Key)
	}
	slices.SortStableFunc(sorted, func(a, b Member) int { return strings.Compare(a.Key, b.Key) })
	kept := sorted[:0]
	for i, m := range sorted {
		if m.Value.ref == nil || i+1 < len(sorted) && sorted[i+1].Key == m.Key {
			continue
		}
		kept = append(kept, m)
	}
	if len(kept) == 0 {
		return emptyObject
	}
	shape := &Shape{keys: make([]string, len(kept))}
	v, values := newBlock(shape)
	for i, m := range kept {
		shape.keys[i], values[i] = m.Key, m.Value
	}
	return v
}

// Get gives a member of an object; absent if there is none or v is not an object.
func (v Value) Get(key string) Value {
	r, ok := v.ref.(objectRef)
	if !ok {
		return Value{}
	}
	if i, found := shapeOf(r).find(key); found {
		return valuesOf(r, v.num)[i]
	}
	return Value{}
}

// MemberAt gives the i-th member of an object, in ascending byte order of the keys; absent, with an empty key, if there is
// none or v is not an object.
func (v Value) MemberAt(i int) (key string, val Value) {
	r, ok := v.ref.(objectRef)
	if !ok || uint(i) >= uint(v.num) {
		return "", Value{}
	}
	return shapeOf(r).keys[i], valuesOf(r, v.num)[i]
}

// Members yields an object's members in ascending byte order of the keys, and nothing for another kind.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		r, ok := v.ref.(objectRef)
		if !ok {
			return
		}
		keys := shapeOf(r).keys
		for i, member := range valuesOf(r, v.num) {
			if !yield(keys[i], member) {
				return
			}
		}
	}
}

// With gives the object with one member set, or removed if x is absent. An absent v counts as an empty object; a v of
// another kind is returned as it is. A key that is not UTF-8 is mended as in [String].
func (v Value) With(key string, x Value) Value {
	if v.ref == nil {
		v = emptyObject
	}
	r, ok := v.ref.(objectRef)
	if !ok {
		return v
	}
	key = validText(key)
	shape, old := shapeOf(r), valuesOf(r, v.num)
	i, found := shape.find(key)
	if x.ref == nil && !found {
		return v
	}
	if x.ref == nil && len(old) == 1 {
		return emptyObject
	}
	var next Value
	var values []Value
	switch {
	case x.ref == nil:
		next, values = newBlock(&Shape{keys: slices.Delete(slices.Clone(shape.keys), i, i+1)})
		copy(values, old[:i])
		copy(values[i:], old[i+1:])
	case found:
		next, values = newBlock(shape)
		copy(values, old)
		values[i] = x
	default:
		keys := make([]string, 0, len(old)+1)
		keys = append(append(append(keys, shape.keys[:i]...), key), shape.keys[i:]...)
		next, values = newBlock(&Shape{keys: keys})
		copy(values, old[:i])
		values[i] = x
		copy(values[i+1:], old[i:])
	}
	if m := loadMeasure(r); m != 0 {
		before := Value{}
		if found {
			before = old[i]
		}
		storeMeasure(next.ref.(objectRef), m.replaced(key, before, x))
	}
	return next
}
