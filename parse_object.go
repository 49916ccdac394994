package wf

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lda.chat/wf/internal/value"
)

// object is a JSON object that is being read: its fields are taken one by one.
type object struct {
	*reader
	v     value.Value
	at    string
	what  string                // for messages: "an edge"
	meant map[string]meantField // fields under another name, reported, and read as if they had the right one
}

// meantField is a field as it stands in the text.
type meantField struct {
	v  value.Value
	at string
}

// object takes a value for an object with some of the given fields and reports all others.
func (r *reader) object(v value.Value, at, what string, fields []string) (object, bool) {
	o := object{r, v, at, what, map[string]meantField{}}
	if v.Kind() != value.KindObject {
		r.wrongType(v, at, what+" as an object")
		return o, false
	}
	for key := range v.Members() {
		if !slices.Contains(fields, key) {
			o.unknown(key, fields)
		}
	}
	return o, true
}

// unknown reports a field that the object does not have. If it was probably meant as another one that is not there, it
// is read as that one, so that what is wrong inside is reported too and nothing is said to be missing.
func (o object) unknown(key string, fields []string) {
	at := child(o.at, key)
	if o.isLocked { // suggestions cost something, and nobody would see them
		o.errors++
		return
	}
	if o.answerFields(key) || o.bodyField(key, at) {
		return
	}
	if d, ok := o.knownMistake(key, at); ok {
		o.add(d)
		return
	}
	d := Diagnostic{Code: "field_unknown", Path: at,
		Message:    fmt.Sprintf("%s has no field %s; its fields are %s", o.what, quoteShort(key), strings.Join(current(fields), ", ")),
		RepairHint: "remove the field"}
	if near, ok := nearestName(key, fields); ok {
		d.RepairHint = "did you mean " + strconv.Quote(near) + "?"
		if !o.has(near) {
			d.Fixes = []Fix{o.rename(key, near, FixUnsafe)}
			o.mean(near, o.v.Get(key), at)
		}
	}
	o.add(d)
}

// mean has a field read from the place where it was meant.
func (o object) mean(field string, v value.Value, at string) {
	o.meant[field] = meantField{v, at}
	o.places.field(child(o.at, field), at)
}

// current leaves out the fields that are read but no longer written.
func current(fields []string) []string {
	return slices.DeleteFunc(slices.Clone(fields), func(f string) bool { return slices.Contains(olderFields, f) })
}

// has reports whether the object has a field.
func (o object) has(key string) bool {
	_, _, ok := o.get(key)
	return ok
}

// get returns a field and its place; of a field that is not there, the object's.
func (o object) get(key string) (v value.Value, at string, ok bool) {
	if v = o.v.Get(key); !v.IsAbsent() {
		return v, child(o.at, key), true
	}
	if m, ok := o.meant[key]; ok {
		return m.v, m.at, true
	}
	return v, o.at, false
}

// missing reports a field that the object must have.
func (o object) missing(key, hint string) {
	o.add(Diagnostic{Code: "field_missing", Path: o.at, RepairHint: hint,
		Message: fmt.Sprintf("%s needs the field %q", o.what, key)})
}

// need is get for a field that must be there.
func (o object) need(key, hint string) (v value.Value, at string, ok bool) {
	if v, at, ok = o.get(key); !ok {
		o.missing(key, hint)
	}
	return v, at, ok
}

// items goes through the elements of a field that is an array.
func (o object) items(key, expected string) (items []value.Value, at string) {
	v, at, ok := o.get(key)
	if !ok {
		return nil, at
	}
	if v.Kind() != value.KindArray {
		o.wrongType(v, at, expected)
		return nil, at
	}
	for _, item := range v.Items() {
		items = append(items, item)
	}
	return items, at
}

// text reads a field that is free text.
func (o object) text(key string) string {
	v, at, ok := o.get(key)
	if !ok {
		return ""
	}
	return o.string(v, at)
}

// string reads a text.
func (r *reader) string(v value.Value, at string) string {
	s, ok := v.AsString()
	if !ok {
		r.wrongType(v, at, "a string")
		return hole
	}
	return s
}

// choice reads a field that is one of a few words; the first of them is the default.
func (o object) choice(key string, words ...string) string {
	v, at, ok := o.get(key)
	if !ok {
		return words[0]
	}
	return o.word(v, at, key, words)
}

// word reads a text that is one of a few; another is a hole.
func (r *reader) word(v value.Value, at, what string, words []string) string {
	s, ok := v.AsString()
	if ok && slices.Contains(words, s) {
		return s
	}
	if r.isHole(v) {
		return hole
	}
	if !ok {
		r.wrongType(v, at, "one of "+listText(words))
		return hole
	}
	d := Diagnostic{Code: "word_unknown", Path: at, Expected: jsonOf(words), Actual: jsonOf(s),
		Message:    fmt.Sprintf("%s is not a value of %q; it is one of %s", quoteShort(s), what, listText(words)),
		RepairHint: "write one of " + listText(words)}
	if near, found := nearestName(s, words); found {
		d.RepairHint = "did you mean " + strconv.Quote(near) + "?"
		d.Fixes = []Fix{r.replace(v, at, near, FixUnsafe)}
	}
	r.add(d)
	return hole
}
