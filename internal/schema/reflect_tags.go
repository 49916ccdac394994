package schema

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"lda.chat/wf/internal/value"
)

// fieldTags is what a field's tags say.
type fieldTags struct {
	parts    []string // of the tag jsonschema, for the library
	defaults []string
	nullable bool
	own      []value.Member // our keywords
}

// disguisedDash is a member named "-", which the library would take for one that is left out.
const disguisedDash = "-\x01"

func (fieldTags) key(f field) string {
	if f.name == "-" {
		return disguisedDash
	}
	return f.name
}

// constraining are the parts of the tag jsonschema that ask for more than the type; the value tells where they can stand.
var constraining = []string{
	"minLength", "maxLength", "pattern", "enum", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
	"minItems", "maxItems", "uniqueItems",
}

var describing = []string{"title", "description", "format", "readOnly", "writeOnly", "example", "anchor"}

var restructuring = []string{"type", "oneof_type", "anyof_type", "oneof_ref", "anyof_ref", "oneof_required", "anyof_required"}

// reducers of the standard set may be written without their prefix.
var reducers = []string{"replace", "append", "extend", "merge_object", "deep_merge", "add", "set_union", "max", "min"}

func (w *walker) tags(f field) fieldTags {
	var t fieldTags
	for _, part := range splitTag(f.of.Tag.Get("jsonschema")) {
		key, text, assigned := strings.Cut(part, "=")
		switch {
		case part == "" || part == "-":
			continue
		case part == "nullable":
			t.nullable = true
			continue
		case part == "required":
			w.beyond = w.beyond || f.omitEmpty || f.omitZero || f.optional
		case assigned && key == "default":
			t.defaults = append(t.defaults, text)
			continue
		case assigned && (slices.Contains(constraining, key) || slices.Contains(restructuring, key)):
			w.beyond = true
		case assigned && slices.Contains(describing, key):
		default:
			w.report(CodeTagUnknown, false, "the part %q of the tag jsonschema is not understood; a description is written jsonschema_description:\"…\"", part)
			continue
		}
		t.parts = append(t.parts, part)
	}
	if f.of.Tag.Get("jsonschema_extras") != "" {
		w.beyond = true
	}
	for part := range strings.SplitSeq(f.of.Tag.Get("wf"), ",") {
		switch part = strings.TrimSpace(part); {
		case part == "":
		case part == "secret":
			t.own = append(t.own, value.Member{Key: "x-secret", Value: value.True})
		case part == "notrace":
			t.own = append(t.own, value.Member{Key: "x-trace", Value: value.False})
		case slices.Contains(reducers, part):
			t.own = append(t.own, value.Member{Key: "x-reducer", Value: value.String("wf.std." + part)})
		case strings.Contains(part, "."):
			t.own = append(t.own, value.Member{Key: "x-reducer", Value: value.String(part)})
		default:
			w.report(CodeTagUnknown, true, "the tag wf says %q; expected secret, notrace, a reducer's full name, or one of %s", part, enumerate(reducers, "and"))
		}
	}
	return t
}

// structTag is what the library gets to see.
func (t fieldTags) structTag(f field) reflect.StructTag {
	name := t.key(f)
	if f.omitEmpty || f.omitZero || f.optional {
		name += ",omitempty"
	}
	for i, part := range t.parts {
		t.parts[i] = strings.ReplaceAll(part, ",", `\,`)
	}
	tag := "json:" + strconv.Quote(name) + " jsonschema:" + strconv.Quote(strings.Join(t.parts, ","))
	for _, key := range []string{"jsonschema_description", "jsonschema_extras"} {
		if text := f.of.Tag.Get(key); text != "" {
			tag += " " + key + ":" + strconv.Quote(text)
		}
	}
	return reflect.StructTag(tag)
}

// splitTag splits on commas; one that belongs to the text is written \, in the tag.
func splitTag(tag string) []string {
	var parts []string
	rest := ""
	for part := range strings.SplitSeq(tag, ",") {
		if strings.HasSuffix(part, `\`) {
			rest += part[:len(part)-1] + ","
			continue
		}
		parts = append(parts, rest+part)
		rest = ""
	}
	if rest != "" {
		parts = append(parts, rest)
	}
	return parts
}

// effect reports parts of a tag that say nothing about this type, such as a minimum for a text.
func (w *walker) effect(p value.Value, t fieldTags) {
	for _, part := range t.parts {
		key, _, _ := strings.Cut(part, "=")
		if !slices.Contains(constraining, key) {
			continue
		}
		if p.Get(key).IsAbsent() && p.Get("items").Get(key).IsAbsent() && p.Get("oneOf").IsAbsent() && p.Get("anyOf").IsAbsent() {
			w.report(CodeTagUnknown, false, "the part %q of the tag jsonschema has no effect on this type", part)
		}
	}
}

// defaultOf reads default= as the type asks: a text as it is, several for a list, JSON for all else.
func (w *walker) defaultOf(p value.Value, t fieldTags) value.Value {
	if len(t.defaults) == 0 {
		return value.Value{}
	}
	kind, _ := p.Get("type").AsString()
	read := func(kind, text string) value.Value {
		if kind == "string" {
			return value.String(text)
		}
		v, err := value.Parse([]byte(text))
		if err != nil && kind == "" {
			return value.String(text)
		}
		if err != nil {
			w.report(CodeDefaultInvalid, true, "the default %q is not %s", text, withArticle(kind))
		}
		return v
	}
	if kind == "array" {
		if len(t.defaults) == 1 && strings.HasPrefix(t.defaults[0], "[") {
			return read(kind, t.defaults[0])
		}
		element, _ := p.Get("items").Get("type").AsString()
		items := make([]value.Value, len(t.defaults))
		for i, text := range t.defaults {
			items[i] = read(element, text)
		}
		return value.Array(items...)
	}
	return read(kind, t.defaults[len(t.defaults)-1])
}
