package schema

import "lda.chat/wf/internal/value"

// atom is a plain statement about a value, of which there is one for every way to break a keyword.
type atom struct {
	kind   atomKind
	name   string
	low    int
	high   int
	number *numberRules
	denied value.Value // multipleOf
	text   *pattern    // pattern or patternProperties
	object *node       // whose properties are meant
	claim  claim       // about the part
}

type atomKind uint8

const (
	isOpaque     atomKind = iota // says something that is not followed up
	isNumber                     // is within number
	isNoMultiple                 // is not a multiple of denied
	isLong                       // is a string of low to high code points
	isUnlike                     // is a string that text does not match
	isSized                      // is an array of low to high elements
	hasElement                   // some element from low to high satisfies claim
	hasOnly                      // all elements satisfy claim
	isRepeating                  // is an array with two equal elements
	isCounted                    // is an object of low to high members
	isPresent                    // has the member name
	isMissing                    // does not have it
	hasMember                    // has the member name, and that satisfies claim
	hasMatching                  // some member with a name like text satisfies claim
	hasOther                     // some member that object does not describe satisfies claim
	hasName                      // the name of some member satisfies claim
)

// negation lists the ways not to satisfy a schema: any of its keywords can be broken.
func (p *prover) negation(n *node) []alternative {
	list, ok := p.negations[n]
	if !ok {
		d := denial{}
		if n.object != nil {
			d.list = make([]alternative, 0, 4+len(n.object.members)+n.object.required)
		}
		d.node(n)
		list = d.list
		p.negations[n] = list
	}
	return list
}

type denial struct{ list []alternative }

func (d *denial) atom(types typeSet, keyword string, a atom) {
	d.list = append(d.list, alternative{types: types, keyword: keyword, name: a.name, atoms: []atom{a}})
}

func (d *denial) claims(keyword string, claims ...claim) {
	d.list = append(d.list, alternative{keyword: keyword, claims: claims})
}

func (d *denial) node(n *node) {
	if n.types != 0 {
		d.list = append(d.list, alternative{types: everyType &^ n.types, keyword: "type"})
		if n.types == everyType {
			d.list = d.list[:0]
		}
	}
	if n.enum != nil {
		d.atom(0, "enum", atom{})
	}
	if !n.constant.IsAbsent() {
		d.atom(0, "const", atom{})
	}
	if n.number != nil {
		d.numbers(n.number)
	}
	if n.str != nil {
		d.strings(n.str)
	}
	if n.array != nil {
		d.arrays(n.array)
	}
	if n.object != nil {
		d.objects(n)
	}
	d.combinations(n)
	if n.unevaluatedItems != nil {
		d.atom(typeArray, "unevaluatedItems", atom{})
	}
	if n.unevaluatedProperties != nil {
		// Whatever counts as evaluated besides: what properties and patternProperties describe does.
		d.atom(typeObject, "unevaluatedProperties", atom{kind: hasOther, object: n, claim: negative(n.unevaluatedProperties)})
	}
	if n.unchecked {
		d.atom(0, "", atom{})
	}
}

func (d *denial) numbers(r *numberRules) {
	const numeric = typeInteger | typeNumber
	if r.min.set() {
		d.atom(numeric, "minimum", atom{kind: isNumber, number: &numberRules{below: r.min}})
	}
	if r.max.set() {
		d.atom(numeric, "maximum", atom{kind: isNumber, number: &numberRules{above: r.max}})
	}
	if r.above.set() {
		d.atom(numeric, "exclusiveMinimum", atom{kind: isNumber, number: &numberRules{max: r.above}})
	}
	if r.below.set() {
		d.atom(numeric, "exclusiveMaximum", atom{kind: isNumber, number: &numberRules{min: r.below}})
	}
	if !r.multipleOf.IsAbsent() {
		d.atom(numeric, "multipleOf", atom{kind: isNoMultiple, denied: r.multipleOf})
	}
}

// outside denies that a count is within two limits.
func (d *denial) outside(types typeSet, kind atomKind, low, high int, lower, upper string) {
	if low > 0 {
		d.atom(types, lower, atom{kind: kind, high: low - 1})
	}
	if high != unbounded {
		d.atom(types, upper, atom{kind: kind, low: high + 1, high: unbounded})
	}
}

func (d *denial) strings(r *stringRules) {
	d.outside(typeString, isLong, r.min, r.max, "minLength", "maxLength")
	if r.pattern != nil {
		d.atom(typeString, "pattern", atom{kind: isUnlike, text: &pattern{source: r.pattern.String(), re: r.pattern}})
	}
}

func (d *denial) arrays(r *arrayRules) {
	d.outside(typeArray, isSized, r.min, r.max, "minItems", "maxItems")
	for i, c := range r.prefix {
		d.atom(typeArray, "prefixItems", atom{kind: hasElement, low: i, high: i, claim: negative(c)})
	}
	if r.items != nil {
		d.atom(typeArray, "items", atom{kind: hasElement, low: len(r.prefix), high: unbounded, claim: negative(r.items)})
	}
	if r.unique {
		d.atom(typeArray, "uniqueItems", atom{kind: isRepeating})
	}
	if r.contains == nil {
		return
	}
	switch {
	case r.minContains == 1:
		d.atom(typeArray, "contains", atom{kind: hasOnly, claim: negative(r.contains)})
	case r.minContains > 1:
		d.atom(typeArray, "minContains", atom{})
	}
	if r.maxContains != unbounded {
		many := atom{kind: hasElement, high: unbounded, claim: positive(r.contains)}
		d.list = append(d.list, alternative{types: typeArray, keyword: "maxContains", atoms: []atom{many, {kind: isSized, low: r.maxContains + 1, high: unbounded}}})
	}
}

func (d *denial) objects(n *node) {
	r := n.object
	d.outside(typeObject, isCounted, r.min, r.max, "minProperties", "maxProperties")
	for _, m := range r.members {
		if m.required {
			d.atom(typeObject, "required", atom{kind: isMissing, name: m.name})
		}
		if m.schema != nil && m.schema.truth != always {
			d.atom(typeObject, "properties", atom{kind: hasMember, name: m.name, claim: negative(m.schema)})
		}
	}
	for i := range r.patterns {
		d.atom(typeObject, "patternProperties", atom{kind: hasMatching, text: &r.patterns[i], claim: negative(r.patterns[i].schema)})
	}
	if r.additional != nil && r.additional.truth != always {
		d.atom(typeObject, "additionalProperties", atom{kind: hasOther, object: n, claim: negative(r.additional)})
	}
	if r.names != nil {
		d.atom(typeObject, "propertyNames", atom{kind: hasName, claim: negative(r.names)})
	}
	for _, dep := range r.dependents {
		has := atom{kind: isPresent, name: dep.name}
		if dep.schema != nil {
			d.list = append(d.list, alternative{types: typeObject, keyword: "dependentSchemas", atoms: []atom{has}, claims: []claim{negative(dep.schema)}})
		}
		for _, name := range dep.required {
			d.list = append(d.list, alternative{types: typeObject, keyword: "dependentRequired", name: name, atoms: []atom{has, {kind: isMissing, name: name}}})
		}
	}
}

func (d *denial) combinations(n *node) {
	if n.ref != nil {
		d.claims("$ref", negative(n.ref))
	}
	for _, c := range n.allOf {
		d.claims("allOf", negative(c))
	}
	if n.anyOf != nil {
		none := make([]claim, len(n.anyOf))
		for i, c := range n.anyOf {
			none[i] = negative(c)
		}
		d.claims("anyOf", none...)
	}
	if n.oneOf != nil {
		d.list = append(d.list, notExactlyOne(n.oneOf)...)
	}
	if n.not != nil {
		d.claims("not", positive(n.not))
	}
	if c := n.cond; c != nil {
		if c.then != nil {
			d.claims("then", positive(c.test), negative(c.then))
		}
		if c.otherwise != nil {
			d.claims("else", negative(c.test), negative(c.otherwise))
		}
	}
}
