package schema

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"lda.chat/wf/internal/value"
)

// TestAssignableRandom looks for values that prove a verdict wrong. WF_PAIRS sets how many pairs of schemas are tried; the
// verdicts of both directions count as one pair.
func TestAssignableRandom(t *testing.T) {
	t.Parallel()
	pairs := numberOf(t, "WF_PAIRS", 2_000)
	const parts = 4
	tallies := make([]tally, parts)
	t.Run("pairs", func(t *testing.T) {
		for seed := range uint64(parts) {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				m := &maker{rand.New(rand.NewPCG(seed, uint64(pairs)))}
				for range pairs / parts {
					m.pair(t, &tallies[seed])
				}
			})
		}
	})
	var all tally
	for _, one := range tallies {
		all.add(one)
	}
	t.Logf("%v; of %d without a counterexample found, %d are proved; of %d never seen to meet, %d are proved", all.verdicts, all.fits, all.proved, all.apart, all.disjoint)
	if all.verdicts[Yes] < pairs/10 || all.verdicts[Disjoint] < pairs/20 || all.values < pairs {
		t.Errorf("too one-sided to mean anything: %v, %d values that count", all.verdicts, all.values)
	}
}

type tally struct {
	verdicts                              [4]int
	values, fits, proved, apart, disjoint int
}

func (t *tally) add(o tally) {
	for i, n := range o.verdicts {
		t.verdicts[i] += n
	}
	t.values += o.values
	t.fits += o.fits
	t.proved += o.proved
	t.apart += o.apart
	t.disjoint += o.disjoint
}

// pair makes two schemas up, asks about them both ways, and tries values.
func (m *maker) pair(t *testing.T, count *tally) {
	defs := value.Object(value.Member{Key: "a", Value: m.schema(1)}, value.Member{Key: "b", Value: m.recursive()})
	if m.IntN(2) == 0 {
		defs = defs.With("b", m.linked())
	}
	rawA := m.schema(1 + m.IntN(3))
	rawB := m.altered(rawA)
	otherDefs := defs
	if m.IntN(3) == 0 {
		otherDefs = defs.With("a", m.altered(defs.Get("a"))).With("b", m.altered(defs.Get("b")).With("type", defs.Get("b").Get("type")))
	}
	document := func(raw, defs value.Value) *Schema {
		s, problems := FromValue(value.Object(value.Member{Key: "$defs", Value: defs}, value.Member{Key: "allOf", Value: value.Array(raw)}), nil)
		if s == nil && problems[0].Code != CodeRefCycle { // an alteration can make one
			t.Fatalf("%s: %v", raw, problems)
		}
		return s
	}
	a, b := document(rawA, defs), document(rawB, otherDefs)
	if a == nil || b == nil {
		return
	}
	if m.IntN(2) == 0 { // a schema put together
		a, b = a.doc.schema(conjunction([]*node{a.node, a.doc.positions["/$defs/a"]})), b.doc.schema(union([]*node{b.node, b.doc.positions["/$defs/a"]}))
	}
	oracleA, oracleB := compileOracle(t, a.Value()), compileOracle(t, b.Value())
	there, why := Assignable(a, b)
	back, _ := Assignable(b, a)
	count.verdicts[there]++
	count.verdicts[back]++
	if (there == Yes) == (len(why) > 0) {
		t.Fatalf("%v with reasons %v", there, why)
	}
	if apart := Apart(a, b); (apart != nil) != (there == Disjoint) || there == Disjoint && !slices.Equal(apart, why) {
		t.Fatalf("%v %v, but apart: %v\n%s\n%s", there, why, apart, a.Value(), b.Value())
	}
	direction := Direction(m.IntN(2))
	change := Compare(a, b, direction)
	if same := Compare(a, mustParse(t, string(a.JSON())), direction); same.Kind != Identical {
		t.Fatalf("%v compared to itself: %+v", a.Value(), same)
	}
	fit := [...]Verdict{there, back}[direction]
	if (change.Kind == Identical) != (len(change.Differences) == 0) || change.Kind == Compatible && fit != Yes || change.Kind == Breaking && fit == Yes {
		t.Fatalf("%+v but %v\n%s\n%s", change, fit, a.Value(), b.Value())
	}
	onlyA, onlyB, both := false, false, false
	for i := range 45 {
		v := m.instance(3)
		switch i % 3 {
		case 0:
			v = m.fitting(a.node, 4)
		case 1:
			v = m.fitting(b.node, 4)
		}
		inA, inB := a.Valid(v), b.Valid(v)
		if (oracleA.Validate(v.ToAny()) == nil) != inA || (oracleB.Validate(v.ToAny()) == nil) != inB {
			t.Fatalf("the oracle disagrees on %s\n%s\n%s", v, a.Value(), b.Value())
		}
		if !inA && !inB {
			continue
		}
		count.values++
		onlyA, onlyB, both = onlyA || inA && !inB, onlyB || inB && !inA, both || inA && inB
		if there == Yes && inA && !inB || back == Yes && inB && !inA || inA && inB && (there == Disjoint || back == Disjoint) {
			t.Fatalf("%v, and back %v; but %s\nis %v in %s\nand %v in %s", there, back, v, inA, a.Value(), inB, b.Value())
		}
	}
	if refused := [...]bool{onlyA, onlyB}[direction]; change.Kind == Compatible && refused {
		t.Fatalf("%+v\n%s\n%s", change, a.Value(), b.Value())
	}
	if change.Kind == Identical && (onlyA || onlyB) || !change.Widens && onlyB {
		t.Fatalf("%+v\n%s\n%s", change, a.Value(), b.Value())
	}
	count.tell(there, onlyA, both)
	count.tell(back, onlyB, both)
}

func (t *tally) tell(v Verdict, counter, both bool) {
	if !counter && both {
		t.fits++
		if v == Yes {
			t.proved++
		}
	}
	if counter && !both {
		t.apart++
		if v == Disjoint {
			t.disjoint++
		}
	}
}

// linked is a definition that refers to itself in several ways.
func (m *maker) linked() value.Value {
	self := parsedValue(`{"$ref":"#/$defs/b"}`)
	deep := parsedValue(`{"type":["object","null"],"properties":{"a":{"$ref":"#/$defs/b"}}}`)
	properties := value.Object(value.Member{Key: "a", Value: self}, value.Member{Key: "b", Value: deep}, value.Member{Key: "c", Value: m.schema(1)})
	v := parsedValue(`{"type":["object","null","integer"]}`).With("properties", properties)
	if m.IntN(3) == 0 {
		v = v.With("required", value.Array(value.String(m.name())))
	}
	if m.IntN(3) == 0 {
		v = v.With("additionalProperties", m.schema(0))
	}
	return v
}

func parsedValue(text string) value.Value {
	v, err := value.Parse([]byte(text))
	if err != nil {
		panic(err)
	}
	return v
}

// altered changes a schema here and there.
func (m *maker) altered(v value.Value) value.Value {
	if m.IntN(10) == 0 {
		return m.schema(1)
	}
	if v.Kind() != value.KindObject {
		return v
	}
	var members []value.Member
	for key, x := range v.Members() {
		switch n := m.IntN(8); {
		case n == 0:
			continue
		case n < 4:
			x = m.alteredKeyword(key, x)
		}
		members = append(members, value.Member{Key: key, Value: x})
	}
	if more := m.schema(0); m.IntN(6) == 0 && more.Kind() == value.KindObject {
		for key, x := range more.Members() {
			members = append(members, value.Member{Key: key, Value: x})
		}
	}
	return value.Object(members...)
}

func (m *maker) alteredKeyword(key string, v value.Value) value.Value {
	switch key {
	case "properties", "patternProperties", "dependentSchemas":
		var members []value.Member
		for name, x := range v.Members() {
			if m.IntN(2) == 0 {
				x = m.altered(x)
			}
			members = append(members, value.Member{Key: name, Value: x})
		}
		return value.Object(members...)
	case "allOf", "anyOf", "oneOf", "prefixItems":
		items := make([]value.Value, v.Len())
		for i, x := range v.Items() {
			items[i] = x
			if m.IntN(2) == 0 {
				items[i] = m.altered(x)
			}
		}
		return value.Array(items...)
	case "items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "unevaluatedItems", "unevaluatedProperties":
		return m.altered(v)
	case "enum":
		return v.Append(m.instance(1))
	case "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum":
		return m.number()
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains":
		return value.Int(int64(m.IntN(4)))
	}
	return v
}

// fitting makes up a value that has a fair chance to satisfy a schema.
func (m *maker) fitting(n *node, depth int) value.Value {
	if depth < 0 || n.truth != ordinary || m.IntN(12) == 0 {
		return m.instance(1)
	}
	var also []*node
	for _, list := range [][]*node{n.allOf, n.anyOf, n.oneOf} {
		if list != nil {
			also = append(also, list[m.IntN(len(list))])
		}
	}
	if n.ref != nil {
		also = append(also, n.ref)
	}
	own := n.types != 0 || n.object != nil || n.array != nil || n.number != nil || n.str != nil
	if len(also) > 0 && (!own || m.IntN(2) == 0) {
		return m.fitting(also[m.IntN(len(also))], depth)
	}
	switch {
	case !n.constant.IsAbsent():
		return n.constant
	case n.enum != nil:
		return n.enum[m.IntN(len(n.enum))]
	}
	types := n.types
	if types == 0 {
		types = everyType
		switch {
		case n.object != nil && m.IntN(2) == 0:
			types = typeObject
		case n.array != nil && m.IntN(2) == 0:
			types = typeArray
		case n.number != nil && m.IntN(2) == 0:
			types = typeNumber
		case n.str != nil && m.IntN(2) == 0:
			types = typeString
		}
	}
	names := types.names()
	switch names[m.IntN(len(names))] {
	case "null":
		return value.Null
	case "boolean":
		return value.Bool(m.IntN(2) == 0)
	case "string":
		return value.String(m.pick("", "a", "b", "ab", "aab", "ééé", "aaaa"))
	case "array":
		return m.fittingArray(n, depth)
	case "object":
		return m.fittingObject(n, depth)
	}
	return m.number()
}

func (m *maker) fittingArray(n *node, depth int) value.Value {
	r := n.array
	if r == nil {
		r = &arrayRules{}
	}
	var items []value.Value
	for i := range r.min + m.IntN(3) {
		c := r.at(i)
		if c == nil || m.IntN(4) == 0 && r.contains != nil {
			c = r.contains
		}
		if c == nil {
			items = append(items, m.instance(depth-1))
		} else {
			items = append(items, m.fitting(c, depth-1))
		}
	}
	return value.Array(items...)
}

func (m *maker) fittingObject(n *node, depth int) value.Value {
	r := n.object
	if r == nil {
		r = &objectRules{}
	}
	var members []value.Member
	for _, own := range r.members {
		if !own.required && m.IntN(2) == 0 {
			continue
		}
		x := m.instance(depth - 1)
		if own.schema != nil {
			x = m.fitting(own.schema, depth-1)
		}
		members = append(members, value.Member{Key: own.name, Value: x})
	}
	for range m.IntN(3) {
		name, x := m.pick("a", "b", "c", "aa", "zz", "ab", "é"), m.instance(depth-1)
		if c := n.remaining(); c != nil && m.IntN(2) == 0 {
			x = m.fitting(c, depth-1)
		}
		for _, p := range r.patterns {
			if p.re.MatchString(name) {
				x = m.fitting(p.schema, depth-1)
			}
		}
		members = append([]value.Member{{Key: name, Value: x}}, members...)
	}
	return value.Object(members...)
}
