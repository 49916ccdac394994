package cli

import (
	"fmt"
	"slices"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/internal/jsonpatch"
	"lda.chat/wf/internal/value"
)

// jsonFile is a JSON file that is read strictly: what is unknown, missing or of the wrong kind is a finding with its place.
type jsonFile struct {
	name  string
	doc   *value.Document // nil: it is no JSON
	diags wf.Diagnostics
}

func parseFile(name string, data []byte) *jsonFile {
	f := &jsonFile{name: name}
	doc, err := value.ParseDocument(data)
	if err != nil {
		f.add(syntaxFinding(err))
		return f
	}
	f.doc = doc
	return f
}

// add keeps a finding and fills in where it is.
func (f *jsonFile) add(d wf.Diagnostic) {
	d.Doc = f.name
	if d.Severity == "" {
		d.Severity = wf.SeverityError
	}
	if f.doc != nil {
		d.Line, d.Column, _ = f.doc.Position(d.Path)
	}
	f.diags = append(f.diags, d)
}

// jsonObject is an object of the file. It is not ok if the file has something else there, or something is wrong in it.
type jsonObject struct {
	file *jsonFile
	at   string
	what string // "a source"
	v    value.Value
	ok   bool
}

// object reads the object at a place, which must not have other members than the fields.
func (f *jsonFile) object(at, what string, fields ...string) *jsonObject {
	o := &jsonObject{file: f, at: at, what: what}
	if f.doc == nil {
		return o
	}
	place, _ := jsonpatch.ParsePointer(at)
	o.v = place.Find(f.doc.Root)
	if o.ok = o.v.Kind() == value.KindObject; !o.ok {
		f.add(wf.Diagnostic{Code: "wrong_type", Path: at, Message: fmt.Sprintf("%s is an object, but %s stands here", what, kindName(o.v))})
		return o
	}
	for key := range o.v.Members() {
		if !slices.Contains(fields, key) {
			hint := nearest(key, fields)
			if hint == "" {
				hint = "the fields are " + listed(fields)
			}
			o.wrong("unknown_field", "/"+escape(key), fmt.Sprintf("%s has no field %q", what, key), hint)
		}
	}
	return o
}

func (o *jsonObject) wrong(code wf.Code, below, message, hint string) {
	o.ok = false
	o.file.add(wf.Diagnostic{Code: code, Path: o.at + below, Message: message, RepairHint: hint})
}

// member reads a member; absent if it is not there or of another kind.
func (o *jsonObject) member(key string, kind value.Kind, required bool) value.Value {
	v := o.v.Get(key)
	switch {
	case v.Kind() == kind:
		return v
	case !v.IsAbsent():
		o.wrong("wrong_type", "/"+key, fmt.Sprintf("%q is %s, but must be %s", key, kindName(v), article(kind)), "")
	case required && o.v.Kind() == value.KindObject:
		o.wrong("missing_field", "", fmt.Sprintf("%s needs %q", o.what, key), "")
	}
	return value.Value{}
}

func (o *jsonObject) text(key string, required bool) string {
	s, _ := o.member(key, value.KindString, required).AsString()
	return s
}

func (o *jsonObject) list(key string, required bool) []value.Value {
	v := o.member(key, value.KindArray, required)
	items := make([]value.Value, 0, v.Len())
	for _, x := range v.Items() {
		items = append(items, x)
	}
	return items
}

// word reads a required text that must be one of the known ones.
func (o *jsonObject) word(key string, known []string) string {
	v := o.member(key, value.KindString, true)
	s, ok := v.AsString()
	if ok && !slices.Contains(known, s) {
		hint := nearest(s, known)
		if hint == "" {
			hint = "it can be " + listed(known)
		}
		o.wrong("unknown_word", "/"+key, fmt.Sprintf("%q cannot be %q", key, s), hint)
	}
	return s
}

func kindName(v value.Value) string { return article(v.Kind()) }

// article names a kind of JSON value in a sentence.
func article(k value.Kind) string {
	switch k {
	case value.KindNull:
		return "null"
	case value.KindArray, value.KindObject:
		return "an " + k.String()
	}
	return "a " + k.String()
}

// escape writes a key as the token of a JSON Pointer.
func escape(key string) string { return escapes.Replace(key) }

var escapes = strings.NewReplacer("~", "~0", "/", "~1")
