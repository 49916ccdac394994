package schema

import (
	"regexp"

	"lda.chat/wf/internal/value"
)

// schema reads one schema position, and everything below it.
func (g *gate) schema(v value.Value, pointer string, home *resource) *node {
	n := &node{pointer: pointer, raw: v, home: home}
	if len(g.order) >= g.limits.Nodes {
		if !g.full {
			g.full = true
			g.refuse(pointer, CodeTooLarge, "more than %d schemas in one document", g.limits.Nodes)
		}
		return n
	}
	g.nodes[pointer] = n
	g.order = append(g.order, n)
	switch v.Kind() {
	case value.KindBool:
		n.truth = never
		if b, _ := v.AsBool(); b {
			n.truth = always
		}
	case value.KindObject:
	default:
		g.refuse(pointer, CodeInvalid, "a schema is an object or a boolean; found %s", found(v))
		return n
	}
	r := &reader{gate: g, n: n}
	r.identity()
	if n.truth != ordinary {
		return n
	}
	r.definitions("$defs")
	r.definitions("definitions")
	if r.reference() && g.dialect.refAlone() {
		return n
	}
	r.values()
	r.numbers()
	r.strings()
	r.arrays()
	r.objects()
	r.combinations()
	return n
}

// reader reads the keywords of one node.
type reader struct {
	*gate
	n *node
}

// definitions are positions that references may land on; they apply to nothing by themselves.
func (r *reader) definitions(keyword string) {
	list := r.table(keyword)
	r.defs += len(list)
	if r.defs > r.limits.Defs && !r.full {
		r.full = true
		r.refuse(child(r.n.pointer, keyword), CodeTooLarge, "more than %d definitions in one document", r.limits.Defs)
	}
}

func (r *reader) reference() bool {
	for _, keyword := range []string{"$dynamicRef", "$recursiveRef"} {
		if r.has(keyword) {
			r.n.unchecked = true
			r.warn(child(r.n.pointer, keyword), CodeKeywordUnsupported, "%s is not evaluated; what it refers to is not checked", keyword)
		}
	}
	if r.has("$vocabulary") {
		r.warn(child(r.n.pointer, "$vocabulary"), CodeKeywordUnsupported, "$vocabulary is ignored; the standard vocabularies apply")
	}
	text, ok := r.text("$ref")
	if ok {
		r.n.refText = text
	}
	return ok
}

func (r *reader) values() {
	n := r.n
	if v := r.get("type"); !v.IsAbsent() {
		list := []value.Value{v}
		if v.Kind() == value.KindArray {
			list = list[:0]
			for _, e := range v.Items() {
				list = append(list, e)
			}
		}
		for _, e := range list {
			name, _ := e.AsString()
			t, ok := typeNamed(name)
			if !ok {
				r.refuse(child(n.pointer, "type"), CodeInvalid, "%s is not a type; the types are null, boolean, integer, number, string, array and object", excerpt(e))
			}
			n.types |= t
		}
		if len(list) == 0 {
			r.refuse(child(n.pointer, "type"), CodeInvalid, "names no type")
		}
		n.types = n.types.closed()
	}
	if v := r.get("enum"); !v.IsAbsent() {
		if v.Kind() != value.KindArray || v.Len() == 0 {
			r.refuse(child(n.pointer, "enum"), CodeInvalid, "is %s; expected an array with at least one value", found(v))
			return
		}
		literals := make(map[string]bool, v.Len())
		for _, e := range v.Items() {
			n.enum = append(n.enum, e)
			if s, ok := e.AsString(); ok {
				literals[s] = true
			}
		}
		if len(n.enum) > 8 && len(literals) == len(n.enum) {
			n.literals = literals
		}
	}
	n.constant = r.get("const")
}

func (r *reader) numbers() {
	var rules numberRules
	set := false
	limit := func(keyword string, to *bound) {
		if v, ok := r.numeral(keyword); ok {
			*to, set = newBound(v), true
		}
	}
	if r.dialect == draft4 {
		// There the exclusive keywords are flags that sharpen the others.
		low, high := &rules.min, &rules.max
		if r.flag("exclusiveMinimum") {
			low = &rules.above
		}
		if r.flag("exclusiveMaximum") {
			high = &rules.below
		}
		limit("minimum", low)
		limit("maximum", high)
	} else {
		limit("minimum", &rules.min)
		limit("maximum", &rules.max)
		limit("exclusiveMinimum", &rules.above)
		limit("exclusiveMaximum", &rules.below)
	}
	if v, ok := r.numeral("multipleOf"); ok {
		if c, _ := value.Compare(v, value.Int(0)); c <= 0 {
			r.refuse(child(r.n.pointer, "multipleOf"), CodeInvalid, "is %s; expected a number above 0", excerpt(v))
		}
		rules.multipleOf, set = v, true
	}
	if set {
		r.n.number = &rules
	}
}

func (r *reader) strings() {
	rules := stringRules{min: r.count("minLength", 0), max: r.count("maxLength", unbounded)}
	if source, ok := r.text("pattern"); ok {
		rules.pattern = r.compile(source, child(r.n.pointer, "pattern"))
	}
	if rules.min > 0 || rules.max != unbounded || rules.pattern != nil {
		r.n.str = &rules
	}
}

// compile returns nil for a pattern that is not checked.
func (r *reader) compile(source, pointer string) *regexp.Regexp {
	if len(source) > r.limits.PatternLen {
		r.refuse(pointer, CodeTooLarge, "the pattern has %d bytes; at most %d are allowed", len(source), r.limits.PatternLen)
		return nil
	}
	re, err := regexp.Compile(source)
	if err != nil {
		r.n.unchecked = true
		r.warn(pointer, CodePatternUnsupported, "%s is not a pattern that can be checked here (RE2: no look-around, no back-reference); it is ignored", excerpt(value.String(source)))
		return nil
	}
	return re
}
