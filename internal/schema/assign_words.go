package schema

import (
	"fmt"
	"strconv"
	"strings"

	"lda.chat/wf/internal/value"
)

func itoa(n int) string { return strconv.Itoa(n) }

// sourceTypes is a superset of the types that the claims allow.
func sourceTypes(g *goal) typeSet {
	types := g.types
	for _, c := range g.claims {
		if !c.not {
			types &= possible(c.n, maxHops)
		}
	}
	return types
}

// either writes a set of types for people: "a string or null".
func (s typeSet) either() string {
	if s == everyType {
		return "anything"
	}
	if s&typeNumber != 0 {
		s &^= typeInteger
	}
	names := s.names()
	for i, n := range names {
		names[i] = withArticle(n)
	}
	if len(names) == 0 {
		return "nothing"
	}
	return enumerate(names, "or")
}

// keyword says in words how the source may break one keyword of the target.
func (e *explainer) keyword(g *goal, from []claim, to *node, a *alternative, path string) {
	types := sourceTypes(g)
	silent := types == everyType
	target := to.pointer
	if a.keyword != "" {
		target = child(target, a.keyword)
	}
	if a.name != "" && a.keyword == "properties" {
		target = child(target, a.name)
	}
	say := func(clash bool, format string, args ...any) {
		e.add(from, path, target, clash && !silent, fmt.Sprintf(format, args...))
	}
	wanted := to.raw.Get(a.keyword)
	switch a.keyword {
	case "type":
		if silent {
			say(false, "can be anything; the target takes %s", to.types.either())
			return
		}
		over := types &^ to.types
		if over == typeNumber {
			say(true, "can be a number with a fraction; the target takes %s", to.types.either())
			return
		}
		say(true, "can be %s; the target takes %s", over.either(), to.types.either())
	case "enum", "const":
		e.values(g, to, a.keyword, say)
	case "minimum", "exclusiveMinimum":
		say(true, "can be smaller than the target takes (%s %s)", a.keyword, excerpt(wanted))
	case "maximum", "exclusiveMaximum":
		say(true, "can be larger than the target takes (%s %s)", a.keyword, excerpt(wanted))
	case "minLength", "minItems", "minProperties":
		say(true, "can be shorter than the target takes (%s %s)", a.keyword, excerpt(wanted))
	case "maxLength", "maxItems", "maxProperties":
		say(true, "can be longer than the target takes (%s %s)", a.keyword, excerpt(wanted))
	case "uniqueItems":
		say(true, "can have equal elements; the target takes none")
	case "pattern":
		say(false, "may not match the target's pattern %s", excerpt(wanted))
	case "multipleOf":
		say(false, "may not be a multiple of %s", excerpt(wanted))
	case "required":
		say(true, "can be without %q, which the target requires", a.name)
	case "properties":
		e.part(g, a, say)
	case "prefixItems", "items":
		say(!a.atoms[0].claim.not || a.atoms[0].claim.n.truth == never && boundless(g), "can have elements that the target refuses")
	case "additionalProperties", "unevaluatedProperties", "patternProperties":
		e.others(g, a, say)
	case "not":
		say(false, "may be what the target excludes")
	case "anyOf":
		say(e.clashes(from, a.claims), "may satisfy none of the target's alternatives")
	case "oneOf":
		say(false, "may satisfy none of the target's alternatives, or more than one")
	case "":
		say(false, "may break a keyword of the target that is not checked here")
	default:
		say(false, "may break the target's %s", a.keyword)
	}
}

// values names what the source gives and the target does not list.
func (e *explainer) values(g *goal, to *node, keyword string, say func(bool, string, ...any)) {
	list := to.enum
	if keyword == "const" {
		list = []value.Value{to.constant}
	}
	listed := make([]string, len(list))
	for i, v := range list {
		listed[i] = excerpt(v)
	}
	var over []string
	for _, v := range g.enumeration() {
		if only := (&node{enum: list}); !only.oneOfValues(v) {
			over = append(over, excerpt(v))
		}
	}
	if len(over) > 0 {
		say(true, "can be %s; the target takes %s", enumerate(over, "or"), enumerate(listed, "or"))
		return
	}
	say(true, "can be something else than %s", enumerate(listed, "or"))
}

// part is for a property that the target describes and the source does not.
func (e *explainer) part(g *goal, a *alternative, say func(bool, string, ...any)) {
	m := e.membership(g)
	if len(m.claims(a.name)) == 0 {
		say(false, "does not say what %q is; the target does", a.name)
		return
	}
	if a.atoms[0].claim.n.truth == never {
		say(true, "can have %q, which the target refuses", a.name)
		return
	}
	say(false, "may have a %q that the target refuses", a.name)
}

// others is for members that the target does not name.
func (e *explainer) others(g *goal, a *alternative, say func(bool, string, ...any)) {
	m := e.membership(g)
	var over []string
	for _, name := range m.names() {
		if a.atoms[0].concerns(name) && !m.barred(name) && len(m.claims(name)) > 0 {
			over = append(over, strconv.Quote(name))
		}
	}
	if len(over) > 0 && a.atoms[0].claim.n.truth == never {
		say(true, "can have %s, which the target does not take", enumerate(over, "and"))
		return
	}
	say(false, "can have properties that it does not describe, and the target does not take all (%s)", strings.TrimSpace(a.keyword))
}

// boundless reports whether the source describes elements without an end.
func boundless(g *goal) bool {
	e := g.elements()
	return e.high == unbounded && len(e.rules) > 0
}

// clashes reports whether each alternative, taken alone, would be clashed with.
func (e *explainer) clashes(from, none []claim) bool {
	for _, c := range none {
		if e.empty(append(from[:len(from):len(from)], positive(c.n))) {
			continue
		}
		alone := newExplainer(e.prover)
		alone.schema(from, c.n, "", 4)
		clash := false
		for _, r := range alone.list {
			clash = clash || r.Clash
		}
		if !clash {
			return false
		}
	}
	return true
}
