package wf

import (
	"maps"
	"slices"

	"lda.chat/wf/internal/schema"
)

// readMode says what it means at a place that nothing is there to be read.
type readMode uint8

const (
	readFails   readMode = iota // the step fails, or the run
	readLoses                   // something is made without it, which nobody has said is meant
	readUnknown                 // it is left out, and no schema says whether that may be
	readMeant                   // there is a default, the target is optional, or it is asked whether it exists
	readByName                  // of an output that is optional and taken by name: nobody wrote the read
)

// site is where in a step's life something is read.
type site uint8

const (
	siteEntry site = iota
	siteItem       // as an item of a foreach ends
	siteAfter      // when its items or branches have ended
)

// readWalk visits the paths that a step reads, always in the same order.
type readWalk struct {
	c      *checker
	placed bool // visit is given places
	site   site
	visit  func(p *Path, at *place, mode readMode, site site)
	depth  int
}

// key and at make places only for those who want them.
func (w *readWalk) key(p *place, name string) *place {
	if !w.placed {
		return nil
	}
	return p.key(name)
}

func (w *readWalk) at(p *place, i int) *place {
	if !w.placed {
		return nil
	}
	return p.at(i)
}

// step visits what a step reads outside its conditions.
func (w *readWalk) step(i int) {
	c, at := w.c, w.c.node(i)
	w.site = siteEntry
	switch s := c.w.Nodes[i].(type) {
	case *NodeStep:
		w.inputs(s.Input, w.key(at, "input"), c.inputOf(i), false)
		w.outputs(s.Output, w.key(at, "output"))
	case *SetStep:
		w.outputs(s.Output, w.key(at, "output"))
	case *ForeachStep:
		w.operand(&s.Over, w.key(at, "over"), readFails, nil)
		if s.Result != nil {
			w.site = siteItem
			w.operand(s.Result, w.key(at, "result"), readLoses, nil)
		}
		w.site = siteAfter
		w.outputs(s.Output, w.key(at, "output"))
	case *ForkStep:
		w.site = siteAfter
		w.outputs(s.Output, w.key(at, "output"))
	case *InterruptStep:
		w.inputs(s.Request, w.key(at, "request"), c.schema(s.RequestSchema), false)
		w.outputs(s.Resume, w.key(at, "resume"))
	case *WaitStep:
		if s.Seconds != nil {
			w.operand(s.Seconds, w.key(at, "seconds"), readFails, nil)
		}
		if s.Until != nil {
			w.operand(s.Until, w.key(at, "until"), readFails, nil)
		}
	case *SubgraphStep:
		w.inputs(s.Input, w.key(at, "input"), c.inputOf(i), true)
	case *FailStep:
		if s.Message != nil {
			w.operand(s.Message, w.key(at, "message"), readLoses, nil)
		}
	case *EndStep:
		w.inputs(s.Output, w.key(at, "output"), c.output, false)
	}
	if s, ok := c.w.Nodes[i].(*SubgraphStep); ok {
		w.outputs(s.Output, w.key(at, "output"))
	}
}

// result visits what the workflow's own output is made of.
func (w *readWalk) result() {
	c := w.c
	if c.w.Output != nil {
		w.inputs(c.w.Output, w.key(c.root, "output"), c.output, false)
		return
	}
	if c.output == nil {
		return
	}
	for _, p := range c.output.Properties() {
		if c.state != nil && c.lookup(c.state, namePart(p.Name)).presence == schema.Never {
			continue
		}
		mode := readByName
		if p.Required {
			mode = readFails
		}
		parts := []Part{namePart(p.Name)}
		var at *place
		if w.placed {
			at = c.declaration(c.top("output_schema"), c.output, parts)
		}
		w.visit(&Path{RootState, parts}, at, mode, w.site)
	}
}

func (w *readWalk) inputs(list []InputBinding, at *place, target *schema.Schema, defaults bool) {
	for k := range list {
		b := &list[k]
		mode := w.modeOf(target, b.Target.Parts, defaults)
		w.operand(&b.Operand, w.at(at, k), mode, w.c.below(target, b.Target.Parts...))
	}
}

func (w *readWalk) outputs(list []OutputBinding, at *place) {
	for k := range list {
		b := &list[k]
		if b.Operand == nil {
			continue
		}
		mode := readLoses
		switch b.IfAbsent {
		case AbsentFail:
			mode = readFails
		case AbsentKeep, AbsentUnset:
			mode = readMeant
		}
		w.operand(b.Operand, w.key(w.at(at, k), "source"), mode, nil)
	}
}

// modeOf is what the runtime does about an absent value for a place of a target.
func (w *readWalk) modeOf(target *schema.Schema, parts []Part, defaults bool) readMode {
	switch n := len(parts); {
	case target == nil:
		return readUnknown
	case n == 0 || parts[n-1].IsIndex:
		return readFails
	default:
		holder := w.c.below(target, parts[:n-1]...)
		if holder == nil {
			return readUnknown
		}
		p, declared := holder.Property(parts[n-1].Name)
		switch {
		case !declared:
			return readUnknown
		case p.Required && !(defaults && n == 1 && !p.Default.IsAbsent()):
			return readFails
		}
		return readMeant
	}
}

// operand visits the paths of an operand. Inside one that may be absent nothing is worse than that.
func (w *readWalk) operand(o *Operand, at *place, mode readMode, target *schema.Schema) {
	if w.depth > maxNesting {
		return
	}
	if len(o.Default) > 0 {
		mode = readMeant
	}
	w.depth++
	defer func() { w.depth-- }()
	switch {
	case o.Path != nil:
		w.visit(o.Path, w.key(at, "path"), mode, w.site)
	case o.Text != nil:
		for i := range o.Text {
			w.operand(&o.Text[i], w.at(w.key(at, "text"), i), mode, nil)
		}
	case o.List != nil:
		for i := range o.List {
			w.operand(&o.List[i], w.at(w.key(at, "list"), i), mode, w.c.below(target, indexPart(i)))
		}
	case o.Object != nil:
		for _, name := range slices.Sorted(maps.Keys(o.Object)) { // of these the absent ones are left out
			member := o.Object[name]
			inner := w.modeOf(target, []Part{namePart(name)}, false)
			if mode == readMeant || inner == readFails && mode != readFails {
				inner = max(mode, inner)
			}
			w.operand(&member, w.key(w.key(at, "object"), name), inner, w.c.below(target, namePart(name)))
		}
	case o.Length != nil:
		w.operand(o.Length, w.key(at, "length"), mode, nil)
	}
}
