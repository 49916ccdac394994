package schema

import (
	"errors"
	"fmt"

	"lda.chat/wf/internal/value"
)

// gate reads one document. It is used once.
type gate struct {
	limits    Limits
	dialect   dialect
	nodes     map[string]*node // every schema position, by pointer
	order     []*node          // the same, in reading order
	resources map[string]*resource
	defs      int
	places    int  // bytes of the pointers made
	states    int  // of the patterns compiled
	full      bool // a limit was met: nothing more is read or reported
	problems  []Problem
}

func (g *gate) report(p Problem) {
	if g.full {
		return
	}
	if len(g.problems) < maxProblems {
		g.problems = append(g.problems, p)
	} else if p.Fatal && !fatal(g.problems) {
		g.problems[maxProblems-1] = p
	}
}

func (g *gate) refuse(pointer, code, format string, args ...any) {
	g.report(Problem{Pointer: pointer, Code: code, Message: fmt.Sprintf(format, args...), Fatal: true})
}

// stop refuses a document that is over a limit, and ends the reading of it.
func (g *gate) stop(pointer, format string, args ...any) {
	g.refuse(pointer, CodeTooLarge, format, args...)
	g.full = true
}

func (g *gate) warn(pointer, code, format string, args ...any) {
	g.report(Problem{Pointer: pointer, Code: code, Message: fmt.Sprintf(format, args...)})
}

// Parse lets a schema in from its JSON text. It returns nil only if one of the problems is Fatal. It opens no file and
// no connection, and what it returns can be checked against any value without panicking or running away.
func Parse(raw []byte, o *Options) (*Schema, []Problem) {
	limits := o.limits()
	if len(raw) > limits.Bytes {
		return nil, tooLarge("", "the schema has %d bytes; at most %d are allowed", len(raw), limits.Bytes)
	}
	v, err := value.ParseLimits(raw, limits.text())
	if err != nil {
		p := Problem{Code: CodeInvalid, Message: err.Error(), Fatal: true}
		var syntax *value.SyntaxError
		if errors.As(err, &syntax) {
			p.Pointer = syntax.Pointer
			if syntax.Kind == "too_deep" || syntax.Kind == "too_large" {
				p.Code = CodeTooLarge
			}
		}
		return nil, []Problem{p}
	}
	return admit(v, limits)
}

// FromValue lets a schema in that is already a JSON value. It is otherwise like [Parse].
func FromValue(v value.Value, o *Options) (*Schema, []Problem) {
	limits := o.limits()
	if v.IsAbsent() {
		return nil, []Problem{{Code: CodeInvalid, Message: "there is no schema", Fatal: true}}
	}
	if n := value.Size(v); n > limits.Bytes {
		return nil, tooLarge("", "the schema has %d bytes; at most %d are allowed", n, limits.Bytes)
	}
	return admit(v, limits)
}

func tooLarge(pointer, format string, args ...any) []Problem {
	return []Problem{{Pointer: pointer, Code: CodeTooLarge, Message: fmt.Sprintf(format, args...), Fatal: true}}
}

func admit(v value.Value, limits Limits) (*Schema, []Problem) {
	g := &gate{limits: limits, dialect: draft2020, nodes: map[string]*node{}, resources: map[string]*resource{}}
	if p := g.measure(v, 0); p != nil {
		return nil, []Problem{*p}
	}
	g.declare(v)
	root := g.schema(v, "", nil)
	if fatal(g.problems) {
		return nil, g.problems
	}
	g.link()
	if fatal(g.problems) || !g.finite() {
		return nil, g.problems
	}
	g.loosen()
	g.mark()
	d := &document{root: root, raw: v, positions: g.nodes, declared: v.Get("$schema"), dialect: g.dialect}
	return d.schema(root), g.problems
}

// measure holds the limits that concern the document as JSON: depth and the length of numbers. It returns what is over one, with
// its place from v on.
func (g *gate) measure(v value.Value, depth int) *Problem {
	switch v.Kind() {
	case value.KindNumber:
		if n := len(v.NumberText()); n > g.limits.NumberLen {
			return &tooLarge("", "a number has %d characters; at most %d are allowed", n, g.limits.NumberLen)[0]
		}
	case value.KindArray, value.KindObject:
		if depth >= g.limits.Depth {
			return &tooLarge("", "nested more than %d deep", g.limits.Depth)[0]
		}
		for i, e := range v.Items() {
			if p := g.measure(e, depth+1); p != nil {
				p.Pointer = at("", i) + p.Pointer
				return p
			}
		}
		for k, e := range v.Members() {
			if p := g.measure(e, depth+1); p != nil {
				p.Pointer = child("", k) + p.Pointer
				return p
			}
		}
	}
	return nil
}

// declare settles the dialect.
func (g *gate) declare(v value.Value) {
	declared := v.Get("$schema")
	if declared.IsAbsent() {
		return
	}
	uri, ok := declared.AsString()
	if !ok {
		g.refuse("/$schema", CodeInvalid, "is %s; expected a string", found(declared))
		return
	}
	d, known := dialectOf(uri)
	if !known {
		g.warn("/$schema", CodeDialectUnknown, "%q is not a dialect known here; the schema is read as 2020-12", cutText(uri, maxAddress))
	}
	g.dialect = d
}
