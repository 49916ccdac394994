package schema

import (
	"fmt"
	"strconv"

	"lda.chat/wf/internal/value"
)

// describe says how a value fails a keyword of a node: usually in one violation, one for each name where names are missing.
// The Pointer of a violation is relative to the value.
func (f *flattener) describe(keyword string, n *node, v value.Value) []Violation {
	one := func(format string, args ...any) []Violation {
		return []Violation{{Message: fmt.Sprintf(format, args...), Expected: n.raw.Get(keyword), Actual: v}}
	}
	length := func(what, expected string) []Violation {
		size := v.Len()
		if s, ok := v.AsString(); ok {
			size = len([]rune(s))
		}
		return one("has %s; expected %s %s", plural(size, what), expected, excerpt(n.raw.Get(keyword)))
	}
	switch keyword {
	case "":
		return one("is %s; nothing is allowed here", found(v))
	case "type":
		return one("is %s; expected %s", found(v), alternatives(n.types))
	case "enum":
		var names []string
		for _, e := range n.enum[:min(len(n.enum), mostNames+1)] {
			names = append(names, excerpt(e))
		}
		return one("is %s; expected %s", excerpt(v), enumerate(names, "or"))
	case "const":
		return one("is %s; expected %s", excerpt(v), excerpt(n.constant))
	case "minimum":
		return one("is %s; expected at least %s", excerpt(v), excerpt(n.raw.Get(keyword)))
	case "maximum":
		return one("is %s; expected at most %s", excerpt(v), excerpt(n.raw.Get(keyword)))
	case "exclusiveMinimum":
		return one("is %s; expected more than %s", excerpt(v), excerpt(n.raw.Get(keyword)))
	case "exclusiveMaximum":
		return one("is %s; expected less than %s", excerpt(v), excerpt(n.raw.Get(keyword)))
	case "multipleOf":
		return one("is %s; expected a multiple of %s", excerpt(v), excerpt(n.raw.Get(keyword)))
	case "minLength":
		return length("character", "at least")
	case "maxLength":
		return length("character", "at most")
	case "pattern":
		return one("is %s; expected a match of the pattern %s", excerpt(v), cutText(n.str.pattern.String(), maxExcerpt))
	case "minItems":
		return length("element", "at least")
	case "maxItems":
		return length("element", "at most")
	case "uniqueItems":
		return one("has equal elements; expected each to be different")
	case "contains", "minContains", "maxContains":
		return f.contained(n, v)
	case "minProperties":
		return properties(n, v, keyword, "at least")
	case "maxProperties":
		return properties(n, v, keyword, "at most")
	case "required":
		return missing(n, v)
	case "dependentRequired":
		return missingDependents(n, v)
	case "additionalProperties", "unevaluatedProperties", "properties", "patternProperties":
		return unexpected(keyword, n, v)
	case "propertyNames":
		return one("is not an allowed name of a property")
	case "unevaluatedItems":
		return one("has elements that nothing in the schema allows")
	case "anyOf":
		return none(v, n.anyOf)
	case "oneOf":
		matches := 0
		for _, c := range n.oneOf {
			if f.doc.schema(c).Valid(v) {
				matches++
			}
		}
		if matches > 1 {
			return []Violation{{Message: fmt.Sprintf("fits %d of %d alternatives; expected exactly one", matches, len(n.oneOf)), Actual: v}}
		}
		return none(v, n.oneOf)
	case "not":
		return one("is what the schema excludes")
	}
	return one("does not satisfy %s", keyword)
}

// none says that no alternative fits: which types would, if the type is what is wrong.
func none(v value.Value, branches []*node) []Violation {
	var types typeSet
	for _, b := range branches {
		t := possible(b, 8)
		if t == everyType {
			types = 0
			break
		}
		types |= t
	}
	if types != 0 && !types.admits(v) {
		return []Violation{{Message: fmt.Sprintf("is %s; expected %s", found(v), alternatives(types)), Actual: v}}
	}
	return []Violation{{Message: fmt.Sprintf("fits none of %d alternatives", len(branches)), Actual: v}}
}

// alternatives writes a set of types as prose, without the integers that numbers include.
func alternatives(s typeSet) string {
	if s&typeNumber != 0 {
		s &^= typeInteger
	}
	names := s.names()
	for i, name := range names {
		names[i] = withArticle(name)
	}
	return enumerate(names, "or")
}

func properties(n *node, v value.Value, keyword, expected string) []Violation {
	limit := n.raw.Get(keyword)
	count := strconv.Itoa(v.Len()) + " properties"
	if v.Len() == 1 {
		count = "1 property"
	}
	return []Violation{{Message: fmt.Sprintf("has %s; expected %s %s", count, expected, excerpt(limit)), Expected: limit, Actual: v}}
}

func missing(n *node, v value.Value) []Violation {
	var list []Violation
	for _, m := range n.object.members {
		if m.required && len(list) < maxViolations && v.Get(m.name).IsAbsent() {
			list = append(list, lacks(m.name, v, ""))
		}
	}
	return list
}

func missingDependents(n *node, v value.Value) []Violation {
	var list []Violation
	for _, d := range n.object.dependents {
		if v.Get(d.name).IsAbsent() {
			continue
		}
		for _, name := range d.required {
			if v.Get(name).IsAbsent() {
				list = append(list, lacks(name, v, fmt.Sprintf(", which %q calls for", cutText(d.name, maxExcerpt))))
			}
		}
	}
	return list
}

func lacks(name string, v value.Value, why string) Violation {
	return Violation{Message: fmt.Sprintf("lacks the property %q%s", cutText(name, maxExcerpt), why), Expected: value.String(name), Actual: v}
}

// unexpected tells of members that may not be there; v holds them.
func unexpected(keyword string, n *node, v value.Value) []Violation {
	hint := ""
	if keyword == "additionalProperties" && len(n.object.patterns) == 0 {
		var names []string
		for _, m := range n.object.members {
			if len(names) > mostNames {
				break
			}
			if m.schema != nil && m.schema.truth != never {
				names = append(names, m.name)
			}
		}
		hint = "; no property is"
		if len(names) > 0 {
			hint = "; the properties are " + enumerate(names, "and")
		}
	}
	var list []Violation
	for name, x := range v.Members() {
		list = append(list, Violation{Pointer: child("", name), Message: "is not allowed" + hint, Actual: x})
	}
	return list
}

func (f *flattener) contained(n *node, v value.Value) []Violation {
	count, a := 0, n.array
	for _, x := range v.Items() {
		if f.doc.schema(a.contains).Valid(x) {
			count++
		}
	}
	expected := fmt.Sprintf("at least %d", a.minContains)
	if count > a.maxContains {
		expected = fmt.Sprintf("at most %d", a.maxContains)
	}
	return []Violation{{Message: fmt.Sprintf("has %s of the kind it must contain; expected %s", plural(count, "element"), expected), Expected: a.contains.raw, Actual: v}}
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
