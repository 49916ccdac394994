package edit

import (
	"slices"
	"strings"

	"lda.chat/wf/internal/suggest"
	"lda.chat/wf/internal/value"
)

// field is what an edit says of a property.
type field struct {
	schema   value.Value
	optional bool
}

// readField reads a field: a schema, or its text.
func readField(v value.Value) (field, *Error) {
	text, isText := v.AsString()
	switch {
	case !isText && v.Kind() != value.KindObject && v.Kind() != value.KindBool:
		return field{}, &Error{Found: "the field " + describe(v), Expected: `a schema, or its type as a text, for example "string" or "integer?"`}
	case !isText:
		return field{schema: v}, nil
	}
	var f field
	head, fallback, hasDefault := strings.Cut(text, "=")
	words := strings.Fields(head)
	if len(words) == 0 || len(words) > 2 {
		return f, &Error{Found: "the field " + quote(text), Expected: `a type, "?" if it may be missing, in the state a reducer, and "=" with a default: "array append = []"`}
	}
	name := words[0]
	name, f.optional = strings.CutSuffix(name, "?")
	inner, isList := strings.CutSuffix(name, "[]")
	if !slices.Contains(typeNames, inner) {
		return f, unknownType(inner)
	}
	f.schema = typed(inner)
	if isList {
		f.schema = typed("array")
		if inner != "any" {
			f.schema = f.schema.With("items", typed(inner))
		}
	}
	if len(words) == 2 {
		f.schema = f.schema.With("x-reducer", value.String(words[1]))
	}
	if hasDefault {
		v, err := value.Parse([]byte(fallback))
		if err != nil {
			return f, &Error{Found: "the default " + quote(strings.TrimSpace(fallback)), Expected: `JSON: a text stands in quotes, ""`}
		}
		f.schema = f.schema.With("default", v)
	}
	return f, nil
}

func typed(name string) value.Value {
	if name == "any" {
		return object()
	}
	return object(member("type", value.String(name)))
}

// unknownType is the error of a word that is no type.
func unknownType(word string) *Error {
	e := &Error{Found: "the type " + quote(word), Expected: "one of " + list(typeNames)}
	e.Near, _ = suggest.Nearest(word, typeNames)
	return e
}

var typeNames = []string{"string", "integer", "number", "boolean", "object", "array", "null", "any"}
