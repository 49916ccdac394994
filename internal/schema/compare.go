package schema

import "slices"

// Direction says which way the values of a schema go: into a node, or out of it.
type Direction uint8

const (
	Input Direction = iota
	Output
)

// ChangeKind is what a change of a schema comes to for those who rely on the old one.
type ChangeKind uint8

const (
	Identical  ChangeKind = iota // one shape: only annotations can differ, which Schema.ExactHash tells
	Compatible                   // proved: what worked goes on working
	Breaking                     // not proved, or proved not to
)

// String is "identical", "compatible" or "breaking".
func (k ChangeKind) String() string { return [...]string{"identical", "compatible", "breaking"}[k%3] }

// Change is how a schema differs from an earlier one.
type Change struct {
	Kind ChangeKind
	// Fit is what is known about the values that matter: for an input, whether the old schema's fit the new one; for an output,
	// whether the new one's fit the old. Compatible means Yes. Breaking with Undecided means that nothing was found, and
	// nothing proved.
	Fit     Verdict
	Reasons []Reason // why Fit is not Yes
	// Widens says that some difference does.
	Widens      bool
	Differences []Difference // in the order of the schemas; at most 100
}

// Difference is one place where two schemas differ.
type Difference struct {
	Path     string // where in the value: RFC 6901, with * for any member or element
	Old, New string // JSON Pointers into the two documents: the keyword, or the schema where it is missing
	Message  string
	Breaking bool // takes part in what makes the change breaking
	// Widens marks more privilege. An input is wider where it accepts what it refused, where it declares a property, even an optional one
	// (whoever fills inputs in will fill it), and where it requires one: more of the caller's data can leave. An output is wider where it
	// may hold what it did not, or declares a property: more of a stranger's data comes in.
	Widens bool
	// Narrows says that some values that were accepted may no longer be.
	Narrows bool
}

// Compare judges how a schema changed for those who rely on the old one. Annotations do not count, but a changed default or format is a
// difference; it breaks nothing. The work is bounded whatever the schemas: at its end the change counts as breaking.
func Compare(old, new *Schema, d Direction) Change {
	if identical(old, new) || old.ShapeHash() == new.ShapeHash() {
		return Change{Kind: Identical, Fit: Yes}
	}
	c := Change{Kind: Compatible}
	if d == Input {
		c.Fit, c.Reasons = Assignable(old, new)
	} else {
		c.Fit, c.Reasons = Assignable(new, old)
	}
	if c.Fit != Yes {
		c.Kind = Breaking
	}
	f := newDiffer(old, new, d)
	f.nodes(old.node, new.node, "", maxHops)
	if len(f.list) == 0 {
		f.add(place{old: old.node, new: new.node}, "", "is written in another way", f.effect(old.node, new.node))
	}
	if !f.marked() && f.effect(old.node, new.node)&widens != 0 {
		f.list, f.effects = f.list[:min(len(f.list), mostDifferences-1)], f.effects[:min(len(f.effects), mostDifferences-1)]
		f.add(place{old: old.node, new: new.node}, "", "is not shown to be as narrow as before", widens)
	}
	c.Differences = f.judged(c.Kind)
	c.Widens = f.marked()
	return c
}

// effect is what a difference does to the values that are accepted.
type effect uint8

const (
	narrows effect = 1 << iota // some are no longer
	widens                     // some are that were not
	exposes                    // more privilege, whatever is accepted
)

// marked reports whether some difference widens.
func (f *differ) marked() bool {
	return slices.ContainsFunc(f.effects, func(e effect) bool { return e&(widens|exposes) != 0 })
}

// judged marks the differences that a breaking change is made of.
func (f *differ) judged(kind ChangeKind) []Difference {
	harmful := narrows
	if f.direction == Output {
		harmful = widens
	}
	found := false
	out := make([]Difference, len(f.list))
	for i, d := range f.list {
		d.Widens, d.Narrows = f.effects[i]&(widens|exposes) != 0, f.effects[i]&narrows != 0
		d.Breaking = kind == Breaking && f.effects[i]&harmful != 0
		found = found || d.Breaking
		out[i] = d
	}
	if kind == Breaking && !found { // it is in what they come to together
		for i := range out {
			out[i].Breaking = f.effects[i] != 0
		}
	}
	return out
}
