package schema

import "lda.chat/wf/internal/value"

// schema reads one schema position, and everything below it.
func (g *gate) schema(v value.Value, pointer string, home *resource) *node {
	n := &node{pointer: pointer, raw: v, home: home}
	if len(g.order) >= g.limits.Nodes {
		g.stop(pointer, "more than %d schemas in one document", g.limits.Nodes)
	}
	if g.full {
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

// place is a JSON Pointer from the node on. All that are made count together: a long name over many parts makes many long ones.
func (r *reader) place(tokens ...string) string {
	if r.full {
		return r.n.pointer
	}
	pointer := child(r.n.pointer, tokens...)
	if r.places += len(pointer); r.places > maxPlaces*r.limits.Bytes {
		r.stop(r.n.pointer, "the names on the way to its parts are too long for so many parts")
	}
	return pointer
}

// definitions are positions that references may land on; they apply to nothing by themselves.
func (r *reader) definitions(keyword string) {
	list := r.table(keyword)
	r.defs += len(list)
	if r.defs > r.limits.Defs && !r.full {
		r.stop(r.place(keyword), "more than %d definitions in one document", r.limits.Defs)
	}
}

func (r *reader) reference() bool {
	for _, keyword := range []string{"$dynamicRef", "$recursiveRef"} {
		if r.has(keyword) {
			r.refuse(r.place(keyword), CodeRefDynamic, "where a %s leads depends on the way to it, and such references are not followed; write a $ref", keyword)
		}
	}
	if r.has("$vocabulary") {
		r.warn(r.place("$vocabulary"), CodeKeywordUnsupported, "$vocabulary is ignored; the standard vocabularies apply")
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
				r.refuse(r.place("type"), CodeInvalid, "%s is not a type; the types are null, boolean, integer, number, string, array and object", excerpt(e))
				break
			}
			n.types |= t
		}
		if len(list) == 0 {
			r.refuse(r.place("type"), CodeInvalid, "names no type")
		}
		n.types = n.types.closed()
	}
	if v := r.get("enum"); !v.IsAbsent() {
		if v.Kind() != value.KindArray || v.Len() == 0 {
			r.refuse(r.place("enum"), CodeInvalid, "is %s; expected an array with at least one value", found(v))
			return
		}
		n.enum = make([]value.Value, 0, v.Len())
		texts := 0
		for _, e := range v.Items() {
			n.enum = append(n.enum, e)
			if e.Kind() == value.KindString {
				texts++
			}
		}
		if texts > 8 && texts == len(n.enum) {
			n.literals = make(map[string]bool, texts)
			for _, e := range n.enum {
				s, _ := e.AsString()
				n.literals[s] = true
			}
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
			r.refuse(r.place("multipleOf"), CodeInvalid, "is %s; expected a number above 0", excerpt(v))
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
		rules.pattern, rules.states = r.compile(source, "pattern")
	}
	if rules.min > 0 || rules.max != unbounded || rules.pattern != nil {
		r.n.str = &rules
	}
}
