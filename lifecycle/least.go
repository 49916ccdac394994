package lifecycle

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

// LeastOf makes the smallest value of a schema's shape, as an example of what can be given, and lists the places in it, as JSON
// Pointers, where nobody but the caller knows what belongs there. What the schema settles is known: a constant, a default, an
// example, a choice of one. Without such places the schema takes the value as it is. Where no value was found it is {}, and all of
// it is to be filled in.
func LeastOf(s wf.Schema) (v json.RawMessage, fill []string) {
	return mended(s, value.Value{})
}

// mended makes of a value one of a schema's shape: what fits stays, what does not or is missing is as in [LeastOf].
func mended(s wf.Schema, given value.Value) (v json.RawMessage, fill []string) {
	empty := json.RawMessage(`{}`)
	l := &least{}
	parsed, problems := schema.Parse(s, nil)
	doc, err := value.Parse(s)
	if len(s) == 0 || len(problems) > 0 || err != nil {
		if given.IsAbsent() {
			return empty, nil
		}
		l.secrets(given, "")
		return given.JSON(), l.fill
	}
	l.doc = doc
	made := l.mend(doc, given, "", 0)
	switch {
	case made.IsAbsent():
		return empty, []string{""}
	case len(l.fill) == 0 && !parsed.Valid(made):
		return made.JSON(), []string{""}
	}
	return made.JSON(), l.fill
}

// least makes small values of the schemas of a document.
type least struct {
	doc  value.Value
	fill []string
}

// mostNested bounds how deep an example goes.
const mostNested = 8

// unknown stands where a text is to be filled in.
var unknown = value.String("…")

// guess is a value that is to be replaced by somebody who knows.
func (l *least) guess(v value.Value, at string) value.Value {
	if !slices.Contains(l.fill, at) {
		l.fill = append(l.fill, at)
	}
	return v
}

func (l *least) of(s value.Value, at string, depth int) value.Value {
	if depth > mostNested {
		return value.Value{}
	}
	if ref, ok := s.Get("$ref").AsString(); ok {
		return l.of(l.definition(ref), at, depth+1)
	}
	for _, key := range []string{"const", "default"} {
		if v := s.Get(key); !v.IsAbsent() {
			return v
		}
	}
	if v := s.Get("examples").Index(0); !v.IsAbsent() {
		return v
	}
	if all := s.Get("enum"); all.Len() == 1 {
		return all.Index(0)
	} else if all.Len() > 1 {
		return l.guess(all.Index(0), at)
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		if all := s.Get(key); all.Len() > 0 {
			known := len(l.fill)
			v := l.of(all.Index(0), at, depth+1)
			if all.Len() > 1 && len(l.fill) == known {
				l.guess(v, at)
			}
			return v
		}
	}
	kind, ok := s.Get("type").AsString()
	if first := s.Get("type").Index(0); !first.IsAbsent() {
		kind, ok = first.AsString()
	}
	switch {
	case ok && kind != "object":
		return l.scalar(kind, s, at, depth)
	case !ok && s.Get("properties").IsAbsent() && depth > 0:
		return l.guess(unknown, at)
	}
	return l.members(s, value.Object(), at, depth)
}

// members adds to an object what is required.
func (l *least) members(s, object value.Value, at string, depth int) value.Value {
	for _, name := range s.Get("required").Items() {
		key, _ := name.AsString()
		if !object.Get(key).IsAbsent() {
			continue
		}
		below := at + "/" + escape(key)
		v := unknown
		if p := s.Get("properties").Get(key); !p.IsAbsent() {
			v = l.of(p, below, depth+1)
		} else {
			l.guess(v, below)
		}
		if v.IsAbsent() {
			return v
		}
		object = object.With(key, v)
	}
	return object
}

// definition finds what a reference into the same document names.
func (l *least) definition(ref string) value.Value {
	for _, defs := range []string{"$defs", "definitions"} {
		if name, ok := strings.CutPrefix(ref, "#/"+defs+"/"); ok {
			return l.doc.Get(defs).Get(name)
		}
	}
	if ref == "#" {
		return l.doc
	}
	return value.Value{}
}

func (l *least) scalar(kind string, s value.Value, at string, depth int) value.Value {
	switch kind {
	case "string":
		return l.guess(unknown, at)
	case "boolean":
		return l.guess(value.Bool(false), at)
	case "null":
		return value.Null
	case "array":
		n, _ := s.Get("minItems").AsInt()
		var items []value.Value
		for i := range min(n, mostNested) {
			v := l.of(s.Get("items"), at+"/"+strconv.FormatInt(i, 10), depth+1)
			if v.IsAbsent() {
				return v
			}
			items = append(items, v)
		}
		if len(items) == 0 {
			l.guess(value.Value{}, at)
		}
		return value.Array(items...)
	case "integer", "number":
		if low := s.Get("minimum"); !low.IsAbsent() {
			return l.guess(low, at)
		}
		return l.guess(value.Int(0), at)
	}
	return value.Value{}
}

// mend keeps of a value what a schema takes.
func (l *least) mend(s, v value.Value, at string, depth int) value.Value {
	if ref, ok := s.Get("$ref").AsString(); ok && depth <= mostNested {
		return l.mend(l.definition(ref), v, at, depth+1)
	}
	properties, items := s.Get("properties"), s.Get("items")
	switch {
	case v.IsAbsent(), isMasked(v), depth > mostNested:
		return l.of(s, at, depth)
	case v.Kind() == value.KindObject && (!properties.IsAbsent() || !s.Get("required").IsAbsent()):
		kept, open := value.Object(), s.Get("additionalProperties")
		isClosed := value.Equal(open, value.Bool(false))
		for name, x := range v.Members() {
			below := at + "/" + escape(name)
			switch p := properties.Get(name); {
			case !p.IsAbsent():
				x = l.mend(p, x, below, depth+1)
			case isClosed:
				l.guess(x, below) // nothing of this name is taken: to take it away is for whoever gave it
			}
			kept = kept.With(name, x)
		}
		return l.members(s, kept, at, depth)
	case v.Kind() == value.KindArray && items.Kind() == value.KindObject:
		kept := make([]value.Value, 0, v.Len())
		for i, x := range v.Items() {
			kept = append(kept, l.mend(items, x, at+"/"+strconv.Itoa(i), depth+1))
		}
		return value.Array(kept...)
	case !l.valid(s, v):
		made := l.of(s, at, depth)
		return l.guess(made, at)
	}
	l.secrets(v, at)
	return v
}

func (l *least) valid(s, v value.Value) bool {
	for _, defs := range []string{"$defs", "definitions"} {
		if d := l.doc.Get(defs); !d.IsAbsent() && s.Kind() == value.KindObject {
			s = s.With(defs, d)
		}
	}
	parsed, problems := schema.Parse(s.JSON(), nil)
	return len(problems) > 0 || parsed.Valid(v)
}

// masked stands in what is told of a run where a secret is not.
const masked = "[secret]"

func isMasked(v value.Value) bool {
	text, ok := v.AsString()
	return ok && strings.Contains(text, masked)
}

// secrets lists the places in a value that are not told.
func (l *least) secrets(v value.Value, at string) {
	if isMasked(v) {
		l.guess(v, at)
	}
	for name, x := range v.Members() {
		l.secrets(x, at+"/"+escape(name))
	}
	for i, x := range v.Items() {
		l.secrets(x, at+"/"+strconv.Itoa(i))
	}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// timeWord writes a time for a command; "" is none.
func timeWord(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}
