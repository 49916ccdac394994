package schema

import (
	"regexp"

	"lda.chat/wf/internal/value"
)

// node is one schema position of a document, read once by the gate and never changed afterwards. It serves the fast
// check, the look-ups and the copy that the validation library gets.
type node struct {
	pointer string      // where it stands in the document, RFC 6901
	raw     value.Value // as written
	home    *resource   // what a relative reference starts from

	truth    truth
	types    typeSet
	enum     []value.Value
	literals map[string]bool // the enum when it is long and all strings
	constant value.Value     // absent if there is none

	number *numberRules
	str    *stringRules
	array  *arrayRules
	object *objectRules

	refText string // as written
	ref     *node
	allOf   []*node
	anyOf   []*node
	oneOf   []*node
	not     *node
	cond    *conditional

	unevaluatedItems      *node
	unevaluatedProperties *node

	// unchecked says that some keyword of this node was dropped: the node accepts more than its author meant.
	unchecked bool
	// engine says that this node, or one it leads to, needs the validation library.
	engine bool
	// refers says that this node, or one it leads to, has a $ref: its text alone does not say what it means.
	refers bool
	// merged marks a node that stands nowhere in the document: its allOf, or else its anyOf, is all of it.
	merged bool
}

// truth tells the two boolean schemas from the objects.
type truth uint8

const (
	ordinary truth = iota
	always
	never
)

// unbounded stands for an upper bound that is not given, and for one too large to matter.
const unbounded = int(^uint(0) >> 1)

type numberRules struct {
	min, max, above, below bound // minimum, maximum, exclusiveMinimum, exclusiveMaximum
	multipleOf             value.Value
}

type stringRules struct {
	min, max int // in code points
	pattern  *regexp.Regexp
	states   int // of the pattern
}

type arrayRules struct {
	min, max    int
	unique      bool
	prefix      []*node
	items       *node // of the elements after the prefix
	contains    *node
	minContains int
	maxContains int
}

type objectRules struct {
	min, max   int
	members    []member // by name
	required   int      // how many members are required
	patterns   []pattern
	additional *node
	names      *node
	dependents []dependent
}

// member is a name that properties or required speaks of.
type member struct {
	name     string
	schema   *node // nil if it is only required
	required bool
}

type pattern struct {
	source string
	re     *regexp.Regexp
	states int
	schema *node
}

// dependent is what the presence of one property asks for.
type dependent struct {
	name     string
	required []string
	schema   *node
}

type conditional struct{ test, then, otherwise *node }

func (o *objectRules) member(name string) *member {
	lo, hi := 0, len(o.members)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if o.members[mid].name < name {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(o.members) && o.members[lo].name == name {
		return &o.members[lo]
	}
	return nil
}

// inPlace calls f with every schema that applies to the same value as n.
func (n *node) inPlace(f func(*node)) {
	one := func(c *node) {
		if c != nil {
			f(c)
		}
	}
	one(n.ref)
	for _, list := range [][]*node{n.allOf, n.anyOf, n.oneOf} {
		for _, c := range list {
			f(c)
		}
	}
	one(n.not)
	if n.cond != nil {
		one(n.cond.test)
		one(n.cond.then)
		one(n.cond.otherwise)
	}
	if n.object != nil {
		for _, d := range n.object.dependents {
			one(d.schema)
		}
	}
}

// below calls f with every schema that applies to elements, members or names of n's value.
func (n *node) below(f func(*node)) {
	one := func(c *node) {
		if c != nil {
			f(c)
		}
	}
	if o := n.object; o != nil {
		for _, m := range o.members {
			one(m.schema)
		}
		for _, p := range o.patterns {
			one(p.schema)
		}
		one(o.additional)
		one(o.names)
	}
	if a := n.array; a != nil {
		for _, c := range a.prefix {
			one(c)
		}
		one(a.items)
		one(a.contains)
	}
	one(n.unevaluatedItems)
	one(n.unevaluatedProperties)
}

func (n *node) each(f func(*node)) {
	n.inPlace(f)
	n.below(f)
}
