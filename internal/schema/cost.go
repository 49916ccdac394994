package schema

import "lda.chat/wf/internal/value"

// maxEngineSteps bounds what the library is asked to do: it tries every branch, takes about a microsecond a step and cannot
// be stopped.
const maxEngineSteps = 1 << 19

// maxEngineDepth bounds the nesting of values given to the library, whose cost grows with its square.
const maxEngineDepth = 1_000

// affordable reports whether the library can check the value in reasonable time.
func affordable(n *node, v value.Value) bool {
	return steps(n, v, maxEngineSteps, maxEngineDepth) > 0
}

// steps counts down the schemas that the library would apply, every branch included; 0 or less when there are too many.
func steps(n *node, v value.Value, left, depth int) int {
	if left--; left <= 0 || depth <= 0 {
		return 0
	}
	n.inPlace(func(c *node) {
		if left > 0 {
			left = steps(c, v, left, depth)
		}
	})
	into := func(c *node, x value.Value) {
		if c != nil && left > 0 {
			left = steps(c, x, left, depth-1)
		}
	}
	if s, ok := v.AsString(); ok && n.str != nil {
		left -= fuelOf(n.str.states, s)
	}
	if a := n.array; a != nil && v.Kind() == value.KindArray {
		if a.unique {
			left -= v.Len()
		}
		for i, x := range v.Items() {
			if i < len(a.prefix) {
				into(a.prefix[i], x)
			} else {
				into(a.items, x)
			}
			into(a.contains, x)
			into(n.unevaluatedItems, x)
		}
	}
	if o := n.object; o != nil && v.Kind() == value.KindObject {
		left -= len(o.members) * (1 + o.required/4) / 16 // it looks up each in the list of those required
		for name, x := range v.Members() {
			if m := o.member(name); m != nil {
				into(m.schema, x)
			} else {
				into(o.additional, x)
			}
			for _, p := range o.patterns {
				left -= fuelOf(p.states, name)
				into(p.schema, x)
			}
			into(o.names, value.String(name))
		}
	}
	if n.unevaluatedProperties != nil && v.Kind() == value.KindObject {
		for _, x := range v.Members() {
			into(n.unevaluatedProperties, x)
		}
	}
	return left
}
