package schema

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	library "github.com/kaptinlin/jsonschema"

	"lda.chat/wf/internal/value"
)

// flattener turns the library's tree of results into violations. The tree's places are relative, unescaped and sometimes
// missing, its order is that of Go maps, and it holds what is no mistake: branches not taken, conditions not met, children of
// properties that are not there. So the walk follows the value and the nodes along with the tree.
type flattener struct {
	doc  *document
	list []Violation
}

func (f *flattener) add(pointer, keyword string, n *node, v value.Value) {
	for _, x := range f.describe(keyword, n, v) {
		x.Pointer, x.Keyword = pointer+x.Pointer, keyword
		x.Expected, x.Actual = cut(x.Expected), cut(x.Actual)
		f.list = append(f.list, x)
	}
}

// summaries only say that something deeper is wrong.
var summaries = map[string]bool{
	"properties": true, "patternProperties": true, "additionalProperties": true, "unevaluatedProperties": true, "propertyNames": true,
	"items": true, "prefixItems": true, "$ref": true, "allOf": true, "then": true, "else": true, "dependentSchemas": true,
}

func (f *flattener) walk(result *library.EvaluationResult, n *node, v value.Value, pointer string) {
	if result.Valid {
		return
	}
	if n.truth == never {
		f.add(pointer, "", n, v)
		return
	}
	before := len(f.list)
	alternatives := map[string][]*library.EvaluationResult{}
	refDone := n.ref == nil
	for _, d := range result.Details {
		keyword, rest, _ := strings.Cut(strings.TrimPrefix(d.EvaluationPath, "/"), "/")
		if keyword == "" { // the library gives no path to the target of a $ref, nor to an else
			keyword = "else"
			if !refDone {
				keyword, refDone = "$ref", true
			}
		}
		if keyword == "anyOf" || keyword == "oneOf" {
			alternatives[keyword] = append(alternatives[keyword], d)
		} else if !d.Valid {
			f.descend(d, keyword, rest, n, v, pointer)
		}
	}
	for _, keyword := range slices.Sorted(maps.Keys(result.Errors)) {
		switch {
		case summaries[keyword]:
		case keyword == "anyOf":
			f.choose(keyword, n.anyOf, alternatives[keyword], n, v, pointer)
		case keyword == "oneOf":
			f.choose(keyword, n.oneOf, alternatives[keyword], n, v, pointer)
		default:
			f.add(pointer, keyword, n, v)
		}
	}
	if len(f.list) == before {
		f.add(pointer, slices.Min(slices.Collect(maps.Keys(result.Errors))), n, v)
	}
}

// descend walks into one detail of a result.
func (f *flattener) descend(d *library.EvaluationResult, keyword, rest string, n *node, v value.Value, pointer string) {
	o, a := n.object, n.array
	// A location below is exactly one token, raw even if it holds slashes.
	token := strings.TrimPrefix(d.InstanceLocation, "/")
	inPlace := func(c *node) {
		if c != nil {
			f.walk(d, c, v, pointer)
		}
	}
	member := func(c *node) {
		x := v.Get(token)
		switch {
		case c == nil || x.IsAbsent(): // the library also looks at required properties that are missing
		case c.truth == never:
			f.add(pointer, keyword, n, value.Object(value.Member{Key: token, Value: x}))
		default:
			f.walk(d, c, x, child(pointer, token))
		}
	}
	element := func(pick func(i int) *node) {
		if i, err := strconv.Atoi(token); err == nil && i < v.Len() {
			switch c := pick(i); {
			case c == nil:
			case c.truth == never:
				f.list = append(f.list, Violation{Pointer: at(pointer, i), Keyword: keyword, Message: "is not allowed", Actual: cut(v.Index(i))})
			default:
				f.walk(d, c, v.Index(i), at(pointer, i))
			}
		}
	}
	switch keyword {
	case "$ref":
		inPlace(n.ref)
	case "allOf":
		if i, err := strconv.Atoi(rest); err == nil && i < len(n.allOf) {
			inPlace(n.allOf[i])
		}
	case "then":
		inPlace(n.cond.then)
	case "else":
		if n.cond != nil {
			inPlace(n.cond.otherwise)
		}
	case "dependentSchemas":
		for _, x := range o.dependents {
			if x.name == rest && x.schema != nil {
				inPlace(x.schema)
			}
		}
	case "properties":
		if m := o.member(token); m != nil {
			member(m.schema)
		}
	case "patternProperties":
		var refusing []*node
		for _, p := range o.patterns {
			if p.re.MatchString(token) && !f.doc.schema(p.schema).Valid(v.Get(token)) {
				refusing = append(refusing, p.schema)
			}
		}
		if len(refusing) == 1 {
			member(refusing[0])
			return
		}
		for _, c := range refusing { // the library does not say whose result this is
			if c.truth == never {
				member(c)
			} else {
				f.list = append(f.list, f.doc.schema(c).explain(v.Get(token), child(pointer, token))...)
			}
		}
	case "additionalProperties":
		member(o.additional)
	case "unevaluatedProperties":
		member(n.unevaluatedProperties)
	case "propertyNames":
		f.add(child(pointer, token), keyword, n, value.String(token))
	case "prefixItems":
		element(func(i int) *node { return a.prefix[i] })
	case "items":
		element(func(int) *node { return a.items })
	case "unevaluatedItems":
		if i, err := strconv.Atoi(token); err == nil {
			f.list = append(f.list, Violation{Pointer: at(pointer, i), Keyword: keyword, Message: "is not allowed", Actual: cut(v.Index(i))})
		}
	}
}

// choose explains alternatives: the one that the value evidently means, or that none fits.
func (f *flattener) choose(keyword string, branches []*node, results []*library.EvaluationResult, n *node, v value.Value, pointer string) {
	meant := -1
	for i, b := range branches {
		if !plausible(b, v, 8) {
			continue
		}
		if meant >= 0 {
			meant = -1
			break
		}
		meant = i
	}
	if meant >= 0 && meant < len(results) && !results[meant].Valid {
		f.walk(results[meant], branches[meant], v, pointer)
		return
	}
	f.add(pointer, keyword, n, v)
}

// plausible reports whether the value could mean this alternative: it has its type, and the properties that tell alternatives
// apart have the values they must have.
func plausible(n *node, v value.Value, hops int) bool {
	if n.truth == never || n.types != 0 && !n.types.admits(v) || !n.oneOfValues(v) {
		return false
	}
	if n.object != nil && v.Kind() == value.KindObject {
		for _, m := range n.object.members {
			x := v.Get(m.name)
			if m.schema != nil && !x.IsAbsent() && !m.schema.oneOfValues(x) {
				return false
			}
		}
	}
	if hops == 0 {
		return true
	}
	if n.ref != nil && !plausible(n.ref, v, hops-1) {
		return false
	}
	for _, c := range n.allOf {
		if !plausible(c, v, hops-1) {
			return false
		}
	}
	return true
}
