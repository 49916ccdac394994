package schema

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"

	generator "github.com/invopop/jsonschema"

	"lda.chat/wf/internal/value"
)

var reflected sync.Map // reflect.Type → reflection

type reflection struct {
	schema   *Schema
	problems []Problem
}

// For is the schema of what encoding/json writes for the values of a Go type: every such value is valid. Structs are closed,
// fields without omitempty or omitzero are required, pointers, slices and maps admit null where a nil one would be written as
// null. A pointer at the top stands for what it points to. The result is kept for each type.
//
// Beside json, these struct tags are read: jsonschema:"minLength=1,enum=a,enum=b,default=a", jsonschema_description:"free text",
// and wf:"append", wf:"secret", wf:"notrace", comma separated, for a state field's reducer and its treatment in traces. A type
// can describe itself with a method JSONSchema as the generator library defines it.
//
// The library reads the tags; the walk over the types is our own, because the library's sees neither pointers nor
// encoding/json's rules for embedded fields, and so misses null, shadowing and the types' own encoders.
func For(t reflect.Type) (*Schema, []Problem) {
	if t == nil {
		return nil, []Problem{{Code: CodeTypeUnsupported, Message: "there is no type", Fatal: true}}
	}
	if kept, ok := reflected.Load(t); ok {
		r := kept.(reflection)
		return r.schema, r.problems
	}
	s, problems := reflectType(t)
	kept, _ := reflected.LoadOrStore(t, reflection{s, problems})
	r := kept.(reflection)
	return r.schema, r.problems
}

func reflectType(t reflect.Type) (s *Schema, problems []Problem) {
	w := &walker{names: map[reflect.Type]string{}, taken: map[string]bool{}, uses: map[string]int{}}
	defer func() {
		if p := recover(); p != nil {
			w.report(CodeTypeUnsupported, true, "the schema of a type could not be made: %v", p)
			s, problems = nil, w.problems
		}
	}()
	document := w.document(t)
	if fatal(w.problems) {
		return nil, w.problems
	}
	s, more := FromValue(document, nil)
	problems = append(w.problems, more...)
	if s == nil {
		return nil, problems
	}
	s.doc.native = !w.beyond
	return s, append(problems, s.badDefaults()...)
}

// badDefaults finds the properties whose default is not valid.
func (s *Schema) badDefaults() []Problem {
	var list []Problem
	for _, p := range s.Properties() {
		if !p.Default.IsAbsent() && !p.Schema.Valid(p.Default) {
			list = append(list, Problem{Pointer: child("", "properties", p.Name, "default"), Code: CodeDefaultInvalid,
				Message: fmt.Sprintf("the default %s: %s", excerpt(p.Default), p.Schema.Check(p.Default)[0])})
		}
	}
	return list
}

// walker walks one type and the types it holds.
type walker struct {
	names    map[reflect.Type]string // of the definitions
	taken    map[string]bool
	queue    []reflect.Type // whose definitions are to be written
	uses     map[string]int // references to each definition
	place    string         // pointer of what is being walked, for problems
	beyond   bool           // something is asked for that the type does not guarantee
	problems []Problem
}

func (w *walker) report(code string, fatal bool, format string, args ...any) {
	w.problems = append(w.problems, Problem{Pointer: w.place, Code: code, Message: fmt.Sprintf(format, args...), Fatal: fatal})
}

// document writes the schema of the type itself at the root, as tool protocols want it, and the others under $defs.
func (w *walker) document(t reflect.Type) value.Value {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	top := encoded(w.position(t, true))
	var defs []value.Member
	for i := 0; i < len(w.queue); i++ {
		d := w.queue[i]
		name := w.names[d]
		w.place = ""
		if i > 0 || d != t {
			w.place = child("", "$defs", name)
		}
		defs = append(defs, value.Member{Key: name, Value: encoded(w.composite(d))})
	}
	if name := w.names[t]; name != "" {
		root := defs[0].Value
		if w.uses[name] == 1 {
			defs = defs[1:]
		}
		if !top.Get(nullMark).IsAbsent() {
			root = root.With(nullMark, value.True)
		}
		top = root
	}
	if len(defs) > 0 {
		top = top.With("$defs", value.Object(defs...))
	}
	return settleNulls(top)
}

// encoded is a schema of the library's as a value.
func encoded(s *generator.Schema) value.Value {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	v, err := value.Parse(text)
	if err != nil {
		panic(err)
	}
	return v
}

// carried is the opposite: an object as a schema of the library's.
func carried(v value.Value) *generator.Schema {
	s := &generator.Schema{Extras: map[string]any{}}
	for key, x := range v.Members() {
		text, isText := x.AsString()
		switch {
		case key == "type" && isText:
			s.Type = text
		case key == "description" && isText:
			s.Description = text
		default:
			s.Extras[key] = json.RawMessage(x.JSON())
		}
	}
	return s
}

func anything() *generator.Schema { return &generator.Schema{} }

// named gives a composite type the name of its definition: letters, digits, "_", "-" and "." only, since it stands in references,
// and unlike any other, since two packages may use one name.
func (w *walker) named(t reflect.Type) string {
	if name, ok := w.names[t]; ok {
		return name
	}
	base := plainName(t.Name())
	name := base
	for i := 2; w.taken[name]; i++ {
		name = fmt.Sprintf("%s_%d", base, i)
	}
	w.taken[name], w.names[t] = true, name
	w.queue = append(w.queue, t)
	return name
}

// plainName turns Page[example.com/shop.User] into Page_User.
func plainName(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("[],* ", r) })
	for i, word := range words {
		if dot := strings.LastIndexAny(word, "./"); dot >= 0 {
			word = word[dot+1:]
		}
		words[i] = strings.Map(func(r rune) rune {
			if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
				return r
			}
			return '_'
		}, word)
	}
	return strings.Join(words, "_")
}
