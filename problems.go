package wf

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"lda.chat/wf/internal/codec"
	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

// problems collects what is wrong with something that is built in Go, so that nothing panics and all is reported at once.
type problems struct {
	subject string // begins each message: `function "read_notes"`
	list    Diagnostics
}

func (p *problems) add(code Code, message, hint string) {
	if p.subject != "" {
		message = p.subject + ": " + message
	}
	p.list = append(p.list, Diagnostic{Severity: SeverityError, Code: code, Message: message, RepairHint: hint})
}

// seconds is a duration as plans have it.
func (p *problems) seconds(d time.Duration) float64 {
	if d <= 0 {
		p.add("timer_out_of_range", fmt.Sprintf("the duration is %v", d), "give a duration above zero, such as 30*time.Second")
		return 0
	}
	return d.Seconds()
}

// secondsOrHole is a duration of a step that is being built.
func (p *problems) secondsOrHole(d time.Duration) float64 {
	if seconds := p.seconds(d); seconds != 0 {
		return seconds
	}
	return holeNumber
}

// typeOf gives the codec and schema of a Go type; nil if it has none, which is reported.
func typeOf[T any](p *problems, what string) (codec.Typed[T], *schema.Schema) {
	c, err := codec.Of[T]()
	if err != nil {
		p.add("type_unsupported", fmt.Sprintf("its %s cannot be JSON: %v", what, err), "leave the field out with `json:\"-\"`, or give its type a MarshalJSON method")
		return c, nil
	}
	s, found := schema.For(reflect.TypeFor[T]())
	for _, problem := range found {
		if problem.Fatal {
			p.add("type_unsupported", fmt.Sprintf("the schema of its %s: %s", what, problem.Message), "change the Go type or its tags")
		}
	}
	return c, s
}

// schemaOf is a schema as plans have it.
func schemaOf(s *schema.Schema) Schema {
	if s == nil {
		return nil
	}
	return Schema(s.JSON())
}

// objectOf gives the codec of a Go type that has to be a JSON object, and its schema; a nil map, which is null, is no object.
func objectOf[T any](p *problems, what string) (codec.Typed[T], *schema.Schema) {
	c, s := typeOf[T](p, what)
	if s == nil {
		return c, nil
	}
	v, err := value.Parse(s.JSON())
	if err != nil {
		return c, nil // not for what we wrote ourselves
	}
	switch string(v.Get("type").JSON()) {
	case `"object"`:
		return c, s
	case `["object","null"]`:
		if s, _ = schema.FromValue(v.With("type", value.String("object")), nil); s != nil {
			return c, s
		}
	}
	p.add("schema_not_object", fmt.Sprintf("its %s is not an object", what),
		fmt.Sprintf("make the %s a struct or a map with string keys: it is filled and read member by member", what))
	return c, nil
}

// take adds what others collected.
func (p *problems) take(others ...problems) {
	for _, o := range others {
		p.list = append(p.list, o.list...)
	}
}

// checkOutcomes returns the outcomes without those that are no names or come twice.
func checkOutcomes(p *problems, outcomes []Outcome) []Outcome {
	var kept []Outcome
	for _, o := range outcomes {
		switch {
		case !isName(string(o)):
			p.add("name_invalid", fmt.Sprintf("the outcome %q is not a name", o), `use letters, digits, "_" and "-", at most 128`)
		case slices.Contains(kept, o):
			p.add("name_duplicate", fmt.Sprintf("the outcome %q comes twice", o), "name it once")
		default:
			kept = append(kept, o)
		}
	}
	return kept
}

// isName reports whether s can be a capability's name, a step's id, an outcome.
func isName(s string) bool { return s != "" && len(s) <= maxNameLen && spell(s, "") == s }

// isRef reports whether s has a source's id, a dot and a capability's name.
func isRef(s string) bool {
	dot := strings.LastIndexByte(s, '.')
	return dot > 0 && isDotted(s) && isName(s[dot+1:])
}

// isDotted reports whether s can be a workflow's name.
func isDotted(s string) bool { return s != "" && len(s) <= maxNameLen && spell(s, ".") == s }
