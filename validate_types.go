package wf

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"lda.chat/wf/internal/schema"
)

// typePair is a source and a target that were compared.
type typePair struct{ source, target *schema.Schema }

// mismatch tells why no value of the source satisfies the target, or nil if one may. Each pair is compared once.
func (sh *checkShared) mismatch(source, target *schema.Schema) *schema.Reason {
	if source == nil || target == nil || source == target {
		return nil
	}
	pair := typePair{source, target}
	why, ok := sh.mismatches[pair]
	if !ok {
		if reasons := schema.Apart(source, target); reasons != nil {
			why = &reasons[0]
		}
		if sh.mismatches == nil {
			sh.mismatches = make(map[typePair]*schema.Reason)
		}
		sh.mismatches[pair] = why
	}
	return why
}

// checkFits checks that what is read at a path can satisfy the schema of the place it goes to. What is not known fits.
func (c *checker) checkFits(p *Path, at *place, in pathScope, target *schema.Schema) {
	source := c.sourceSchema(p, in)
	c.proveFit(source, target)
	c.noteRead(p, at, in, target)
	why := c.mismatch(source, target)
	if why == nil {
		return
	}
	d := c.report("type_mismatch", at, in.step, mismatchText(p, why), "bind a value of the target's type, or change one of the two schemas")
	d.expectsTypes(target, source)
	c.relateSource(d, p, in)
	switch {
	case in.appendsArray() && slices.Equal(source.Types(), []string{"array"}):
		c.offerExtend(d, in.field)
	case slices.Contains(target.Types(), "string") && c.mismatch(source, typed(typesScalar)) == nil:
		d.RepairHint = fmt.Sprintf(`make it text: {"text": "{%s}"}`, p)
	case c.mismatch(elementOf(c.checkShared, source), target) == nil && slices.Equal(source.Types(), []string{"array"}):
		d.RepairHint = fmt.Sprintf("name one element, for example %s[0], or go through them all by a foreach", p)
	}
}

// mismatchText says what of a path's value fits never.
func mismatchText(p *Path, why *schema.Reason) string {
	if why.Path == "" {
		return fmt.Sprintf("%s %s", p, why.Message)
	}
	return fmt.Sprintf("%s never fits: its %s %s", p, strings.TrimPrefix(why.Path, "/"), why.Message)
}

// expectsTypes fills in the types of both sides, or all of both schemas where the types alone do not tell them apart.
func (d *Diagnostic) expectsTypes(target, source *schema.Schema) {
	wanted, given := target.Types(), source.Types()
	if len(wanted) > 0 && len(given) > 0 && !slices.ContainsFunc(given, func(t string) bool { return slices.Contains(wanted, t) }) {
		d.expects(wanted, given)
		return
	}
	d.expects(json.RawMessage(target.JSON()), json.RawMessage(source.JSON()))
}

// relateSource points to where the schema of what a path reads stands.
func (c *checker) relateSource(d *Diagnostic, p *Path, in pathScope) {
	switch p.Root {
	case RootInput:
		d.relate(c.declaration(c.top("input_schema"), c.input, p.Parts), "what is read")
	case RootState:
		if c.state != nil {
			d.relate(c.declaration(c.top("state_schema"), c.state, p.Parts), "what is read")
		}
	case RootSteps:
		d.relate(c.node(c.tree.index[p.Parts[0].Name]), "the step whose output is read")
	case RootItem:
		if owner := c.itemOwner(p.Parts[0].Name, in); owner >= 0 {
			d.relate(c.node(owner).key("over"), "the array whose elements are read")
		}
	case RootLocal:
		c.relateOutput(d, in.step)
	}
}

// relateOutput points to where the schema of a step's own output stands.
func (c *checker) relateOutput(d *Diagnostic, step int) {
	switch s := c.w.Nodes[step].(type) {
	case *NodeStep:
		def, ok := c.nest.defs[s.Node]
		switch {
		case len(s.OutputSchema) > 0:
			d.relate(c.node(step).key("output_schema"), "the output's schema")
		case ok && len(def.OutputSchema) > 0:
			d.relate(c.top("node_defs").at(c.defPosition(def)).key("output_schema"), "the output's schema")
		}
	case *InterruptStep:
		d.relate(c.node(step).key("resume_schema"), "the answer's schema")
	}
}

// declaration is where a schema in the plan declares a path, as far down as it does so by plain properties.
func (c *checker) declaration(at *place, s *schema.Schema, parts []Part) *place {
	v := s.Value()
	for _, part := range parts {
		if v = v.Get("properties").Get(part.Name); part.IsIndex || v.IsAbsent() {
			break
		}
		at = at.key("properties").key(part.Name)
	}
	return at
}

// checkProjected checks that an output taken by name can be what the state field of that name holds.
func (c *checker) checkProjected(p schema.Property) {
	from, declared := c.state.Property(p.Name)
	if !declared {
		return // perhaps nothing ever writes it
	}
	source := from.Schema
	defer c.binding(c.declaration(c.top("output_schema"), c.output, []Part{namePart(p.Name)}))()
	c.proveFit(source, p.Schema)
	why := c.mismatch(source, p.Schema)
	if why == nil || !c.projects() {
		return
	}
	field := &Path{RootState, []Part{namePart(p.Name)}}
	d := c.report("type_mismatch", c.declaration(c.top("output_schema"), c.output, field.Parts), noStep,
		mismatchText(field, why), "let the two schemas agree, or bind the output")
	d.expectsTypes(p.Schema, source)
	d.relate(c.declaration(c.top("state_schema"), c.state, field.Parts), "the state field that the output is taken from")
}

// projects reports whether the workflow can end without an output of its end's own.
func (c *checker) projects() bool {
	return slices.ContainsFunc(c.w.Edges, func(e Edge) bool { return e.To == ToEnd || e.Exhausted == ToEnd }) ||
		slices.ContainsFunc(c.w.Nodes, func(s Step) bool { end, ok := s.(*EndStep); return ok && end.Output == nil })
}

// checkSeeds checks that inputs can fill the state fields of the same names, which they do at the start.
func (c *checker) checkSeeds() {
	if c.input == nil || c.state == nil {
		return
	}
	for _, p := range c.input.Properties() {
		field, declared := c.state.Property(p.Name)
		if !declared {
			continue
		}
		why := c.mismatch(p.Schema, field.Schema)
		if why == nil {
			continue
		}
		from := &Path{RootInput, []Part{namePart(p.Name)}}
		d := c.report("type_mismatch", c.declaration(c.top("input_schema"), c.input, from.Parts), noStep, mismatchText(from, why),
			"an input fills the state field of its name at the start: let the two schemas agree, or rename one")
		d.expectsTypes(field.Schema, p.Schema)
		d.relate(c.declaration(c.top("state_schema"), c.state, from.Parts), "the state field")
	}
}

// checkTimed checks that a path to how long to wait, or until when, can name one.
func (c *checker) checkTimed(o *Operand, at *place, in pathScope, types string) {
	if o.Path != nil {
		c.checkFits(o.Path, at.key("path"), in, typed(types))
	}
}
