package wf

import (
	"slices"

	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

// inferNotes are what the check of a plan meets of inputs and state fields: what reads ask of them and writes give them.
type inferNotes struct {
	checkers []*checker
	of       map[*checker]map[Root]map[string]*fieldNotes
}

// fieldNotes are those of one input or state field, or of what is in it.
type fieldNotes struct {
	reads, writes []noted
	isRequired    bool                   // a step needs it that every run comes to
	members       map[string]*fieldNotes // by name, where single members of it are read or written
	element       *fieldNotes            // where its elements are
}

// noted is one read or write.
type noted struct {
	schema *schema.Schema // nil: anything
	at     string
	step   int
}

// field is where the notes of a path belong; nil for a path that is below neither root.
func (c *checker) field(p *Path, in pathScope) *fieldNotes {
	root, parts := c.rooted(p, in, 0)
	if root != RootInput && root != RootState || len(parts) == 0 || parts[0].IsIndex {
		return nil
	}
	n := c.notes
	if n.of == nil {
		n.of = make(map[*checker]map[Root]map[string]*fieldNotes)
	}
	if n.of[c] == nil {
		n.of[c] = map[Root]map[string]*fieldNotes{RootInput: {}, RootState: {}}
	}
	f := n.of[c][root][parts[0].Name]
	if f == nil {
		f = &fieldNotes{}
		n.of[c][root][parts[0].Name] = f
	}
	for _, part := range parts[1:] {
		f = f.inside(part)
	}
	return f
}

func (f *fieldNotes) inside(part Part) *fieldNotes {
	if part.IsIndex {
		if f.element == nil {
			f.element = &fieldNotes{}
		}
		return f.element
	}
	if f.members == nil {
		f.members = make(map[string]*fieldNotes)
	}
	if f.members[part.Name] == nil {
		f.members[part.Name] = &fieldNotes{}
	}
	return f.members[part.Name]
}

// rooted is a path below input or state that means the same: an item is an element of what its foreach goes through.
func (c *checker) rooted(p *Path, in pathScope, depth int) (Root, []Part) {
	if p.Root != RootItem || len(p.Parts) == 0 || depth > maxNesting {
		return p.Root, p.Parts
	}
	owner := c.itemOwner(p.Parts[0].Name, in)
	if owner < 0 {
		return p.Root, nil
	}
	over := c.w.Nodes[owner].(*ForeachStep).Over.Path
	if over == nil {
		return p.Root, nil
	}
	root, parts := c.rooted(over, c.at(owner), depth+1)
	return root, slices.Concat(parts, []Part{indexPart(0)}, p.Parts[1:])
}

// noteRead notes what is asked of the value of a path.
func (c *checker) noteRead(p *Path, at *place, in pathScope, target *schema.Schema) {
	if c.notes == nil || target == nil || in.step == noStep {
		return
	}
	if f := c.field(p, in); f != nil {
		f.reads = append(f.reads, noted{target, at.String(), in.step})
	}
}

// noteRequired notes that a step needs a value, if every run comes to that step.
func (c *checker) noteRequired(p *Path, in pathScope) {
	if c.notes == nil || len(p.Parts) != 1 || p.Root != RootInput || in.step == noStep || !slices.Contains(c.surely(), in.step) {
		return
	}
	c.field(p, in).isRequired = true
}

// surely are the steps that every run comes to, unless one fails before: those that follow the start by only outcomes.
func (c *checker) surely() []int {
	var steps []int
	for at := c.tree.stepAt(c.w.Start); at >= 0 && !slices.Contains(steps, at); {
		steps = append(steps, at)
		out := c.tree.out(at)
		if len(out) != 1 || len(c.outcomes[at]) != 1 || len(steps) > maxClaimPlaces {
			break
		}
		at = c.tree.to[out[0]]
	}
	return steps
}

// noteRest notes, after the rules, what steps write, and what loops go through.
func (c *checker) noteRest() {
	c.notes.checkers = append(c.notes.checkers, c)
	for i, s := range c.w.Nodes {
		in := c.at(i)
		if out, has := c.outputOf(i); has {
			in.local = &out
		}
		list, member := writes(s)
		for k := range list {
			b := &list[k]
			if f := c.field(&b.Target, in); f != nil {
				f.writes = append(f.writes, noted{c.givenBy(b.Source, b.Operand, in), c.node(i).key(member).at(k).String(), i})
			}
		}
		for k, catch := range s.common().Catch {
			if catch.Error == nil {
				continue
			}
			if f := c.field(catch.Error, in); f != nil {
				f.writes = append(f.writes, noted{typed(typesObject), c.node(i).key("catch").at(k).String(), i})
			}
		}
		if each, ok := s.(*ForeachStep); ok && each.Over.Path != nil {
			c.noteRead(each.Over.Path, c.node(i).key("over"), in, typed(typesArray))
		}
	}
}

// givenBy is what surely holds for the value of a binding; nil: it can be anything.
func (c *checker) givenBy(source *Path, o *Operand, in pathScope) *schema.Schema {
	switch {
	case source != nil:
		return c.sourceSchema(source, in)
	case o == nil || len(o.kinds()) != 1 || len(o.Default) > 0:
		return nil
	case len(o.Value) > 0:
		return literalSchema(o.Value)
	}
	return c.operandSchema(o, in)
}

// literalSchema is the type of a literal.
func literalSchema(raw []byte) *schema.Schema {
	v, err := value.Parse(raw)
	if err != nil {
		return nil
	}
	types := `"` + v.Kind().String() + `"`
	if _, whole := v.AsInt(); whole {
		types = typesInteger
	}
	s, _ := schema.Parse([]byte(`{"type": `+types+`}`), nil)
	return s
}
