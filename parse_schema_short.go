package wf

import (
	"regexp"
	"slices"
	"strings"

	"lda.chat/wf/internal/value"
)

// typeNames are other languages' names of JSON's types. "any" is no type: what has it can be anything.
var typeNames = map[string]string{
	"str": "string", "int": "integer", "long": "integer", "float": "number", "double": "number", "decimal": "number", "bool": "boolean",
	"list": "array", "tuple": "array", "dict": "object", "map": "object", "hash": "object", "none": "null", "nil": "null", "any": "",
}

var (
	listType     = regexp.MustCompile(`^(?i:list|array|sequence)[\[<] *([A-Za-z]+) *[\]>]$|^([A-Za-z]+)\[\]$`)
	optionalType = regexp.MustCompile(`^(?i:optional)[\[<] *([A-Za-z]+) *[\]>]$|^([A-Za-z]+) *\| *(?i:null|none)$`)
)

// jsonType is the JSON type that a word stands for: "" for any.
func jsonType(word string) (name string, known bool) {
	if slices.Contains(jsonTypes, word) {
		return word, true
	}
	word = strings.ToLower(word)
	if name, known = typeNames[word]; known {
		return name, true
	}
	return word, slices.Contains(jsonTypes, word)
}

// namedType is the schema that a type's name stands for: str, list[str], Optional[int], string[].
func namedType(text string) (schema value.Value, ok bool) {
	if name, known := jsonType(text); known {
		return typeSchema(name), true
	}
	if m := listType.FindStringSubmatch(text); m != nil {
		if name, known := jsonType(m[1] + m[2]); known {
			return typeSchema("array").With("items", typeSchema(name)), true
		}
	}
	if m := optionalType.FindStringSubmatch(text); m != nil {
		if name, known := jsonType(m[1] + m[2]); known && name != "" {
			return value.Object(value.Member{Key: "type", Value: value.Array(value.String(name), value.String("null"))}), true
		}
	}
	return value.Value{}, false
}

func typeSchema(name string) value.Value {
	if name == "" {
		return value.Object()
	}
	return value.Object(value.Member{Key: "type", Value: value.String(name)})
}

// meantType is what a "type" stands for that is not one of JSON Schema's: "type", and "items" if it says them too.
func meantType(t value.Value) (meant value.Value, ok bool) {
	switch t.Kind() {
	case value.KindString:
		text, _ := t.AsString()
		if slices.Contains(jsonTypes, text) {
			return meant, false
		}
		return namedType(text)
	case value.KindArray:
		names, changed := make([]value.Value, 0, t.Len()), false
		for _, item := range t.Items() {
			text, isText := item.AsString()
			name, known := jsonType(text)
			if !isText || !known || name == "" {
				return meant, false
			}
			names, changed = append(names, value.String(name)), changed || name != text
		}
		return value.Object(value.Member{Key: "type", Value: value.Array(names...)}), changed
	}
	return meant, false
}

// Keywords of JSON Schema, by whether they can stand beside names and types in a schema that is written by these alone.
var (
	besideNames  = []string{"required", "title", "description", "additionalProperties", "type"}
	otherKeyword = regexp.MustCompile(`^(\$.*|x-.*|properties|patternProperties|propertyNames|items|prefixItems|contains|enum|const|default|format|` +
		`pattern|anyOf|oneOf|allOf|not|if|then|else|definitions|dependencies|dependent[A-Z].*|unevaluated[A-Z].*|content[A-Z].*|min[A-Z].*|max[A-Z].*|minimum|maximum|` +
		`exclusiveM.*|multipleOf|uniqueItems|examples?|deprecated|readOnly|writeOnly|nullable|id)$`)
)

// shortPlace says what may stand for a schema in a place, beside a map of names to types.
type shortPlace uint8

const (
	shortMap  shortPlace = iota // nothing else
	shortTop                    // the same, of an object surely: names alone that are keywords too are properties
	shortName                   // a type's name
	shortList                   // a type's name, or a list of one: of an array's elements
)

// shorthand is the schema that a map of names to types stands for.
func shorthand(v value.Value, in shortPlace) (schema value.Value, ok bool) {
	switch v.Kind() {
	case value.KindString:
		text, _ := v.AsString()
		schema, ok = namedType(text)
		return schema, ok && in >= shortName
	case value.KindArray:
		if in >= shortList && v.Len() == 1 {
			if items, ok := shortType(v.Index(0)); ok {
				return typeSchema("array").With("items", items), true
			}
		}
	case value.KindObject:
		return shorthandObject(v, in == shortTop)
	}
	return value.Value{}, false
}

func shorthandObject(v value.Value, isObject bool) (schema value.Value, ok bool) {
	if t := v.Get("type"); !t.IsAbsent() && !value.Equal(t, value.String("object")) {
		return schema, false
	}
	for key, x := range v.Members() {
		if otherKeyword.MatchString(key) && !namesType(key, x) {
			return schema, false
		}
	}
	var properties []value.Member
	schema, isSure := typeSchema("object"), false
	for key, x := range v.Members() {
		meant, short := shortType(x)
		switch isBeside := slices.Contains(besideNames, key); {
		case isBeside && (!short || key == "type" || key == "required"):
			schema = schema.With(key, x)
			continue
		case !short:
			return value.Value{}, false
		default:
			isSure = isSure || !isBeside && !otherKeyword.MatchString(key)
		}
		properties = append(properties, value.Member{Key: key, Value: meant})
	}
	return schema.With("properties", value.Object(properties...)), isSure || isObject && len(properties) > 0 && len(properties) == v.Len()
}

// namesType reports whether a word that is a keyword too can be the name of a property, since a type stands beside it: "id" and
// "items" are what fields are often called. Whether it is one, the other names decide.
func namesType(key string, x value.Value) bool {
	text, isText := x.AsString()
	if _, named := namedType(text); !isText || !named {
		return false
	}
	return !strings.HasPrefix(key, "$") && !strings.HasPrefix(key, "x-")
}

// shortType is what stands for a property's schema beside a name: the type's name, a list of one, names with types again, or a
// schema as it should be.
func shortType(v value.Value) (schema value.Value, ok bool) {
	if schema, ok = shorthand(v, shortList); ok {
		return schema, true
	}
	_, named := meantType(v.Get("type"))
	text, isText := v.Get("type").AsString()
	return v, named || isText && slices.Contains(jsonTypes, text)
}
