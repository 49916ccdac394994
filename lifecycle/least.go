package lifecycle

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

// LeastOf makes the smallest value that a schema takes, as an example of what can be answered; {} where none was found.
func LeastOf(s wf.Schema) json.RawMessage {
	empty := json.RawMessage(`{}`)
	if len(s) == 0 {
		return empty
	}
	parsed, problems := schema.Parse(s, nil)
	doc, err := value.Parse(s)
	if len(problems) > 0 || err != nil {
		return empty
	}
	if v := (least{doc}).of(doc, 0); !v.IsAbsent() && parsed.Valid(v) {
		return v.JSON()
	}
	return empty
}

// least makes small values of the schemas of a document.
type least struct{ doc value.Value }

// mostNested bounds how deep an example goes.
const mostNested = 8

func (l least) of(s value.Value, depth int) value.Value {
	if depth > mostNested {
		return value.Value{}
	}
	if ref, ok := s.Get("$ref").AsString(); ok {
		return l.of(l.definition(ref), depth+1)
	}
	for _, key := range []string{"const", "default"} {
		if v := s.Get(key); !v.IsAbsent() {
			return v
		}
	}
	for _, key := range []string{"enum", "examples"} {
		if v := s.Get(key).Index(0); !v.IsAbsent() {
			return v
		}
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		if v := s.Get(key).Index(0); !v.IsAbsent() {
			return l.of(v, depth+1)
		}
	}
	kind, ok := s.Get("type").AsString()
	if first := s.Get("type").Index(0); !first.IsAbsent() {
		kind, ok = first.AsString()
	}
	switch {
	case ok && kind != "object":
		return scalar(kind, s)
	case !ok && s.Get("properties").IsAbsent() && depth > 0:
		return value.String("…")
	}
	var members []value.Member
	properties := s.Get("properties")
	for _, name := range s.Get("required").Items() {
		key, _ := name.AsString()
		v := value.String("…")
		if p := properties.Get(key); !p.IsAbsent() {
			v = l.of(p, depth+1)
		}
		if v.IsAbsent() {
			return v
		}
		members = append(members, value.Member{Key: key, Value: v})
	}
	return value.Object(members...)
}

// definition finds what a reference into the same document names.
func (l least) definition(ref string) value.Value {
	const defs = "#/$defs/"
	if len(ref) > len(defs) && ref[:len(defs)] == defs {
		return l.doc.Get("$defs").Get(ref[len(defs):])
	}
	return value.Value{}
}

func scalar(kind string, s value.Value) value.Value {
	switch kind {
	case "string":
		return value.String("…")
	case "boolean":
		return value.Bool(false)
	case "null":
		return value.Null
	case "array":
		return value.Array()
	case "integer", "number":
		if low := s.Get("minimum"); !low.IsAbsent() {
			return low
		}
		return value.Int(0)
	}
	return value.Value{}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// timeWord writes a time for a command; "" is none.
func timeWord(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}
