package wf

import (
	"math"
	"slices"
	"strings"
	"sync"

	"lda.chat/wf/internal/schema"
)

// What is asked of values where no schema of the plan says it, as a list of types.
const (
	typesScalar   = `"string", "number", "boolean", "null"` // a part of a text
	typesMeasured = `"string", "array", "object"`           // with a length, or able to contain something
	typesKeyed    = `"string", "object"`                    // that can contain a string only
	typesString   = `"string"`
	typesNumber   = `"number"`
	typesInteger  = `"integer"`
	typesArray    = `"array"`
	typesObject   = `"object"`
)

// farPosition of an array lies behind those that a schema describes one by one.
const farPosition = math.MaxInt32

var typedSchemas = sync.OnceValue(func() map[string]*schema.Schema {
	made := make(map[string]*schema.Schema)
	for _, types := range []string{typesScalar, typesMeasured, typesKeyed, typesString, typesNumber, typesInteger, typesArray, typesObject} {
		list := types
		if strings.Contains(types, ",") {
			list = "[" + types + "]"
		}
		made[types], _ = schema.Parse([]byte(`{"type": `+list+`}`), nil)
	}
	return made
})

// anyValue is the schema of all values.
var anyValue = sync.OnceValue(func() *schema.Schema {
	s, _ := schema.Parse([]byte(`{}`), nil)
	return s
})

// typed is the schema of all values of some types.
func typed(types string) *schema.Schema { return typedSchemas()[types] }

// contextTypes are what the members of the context are.
var contextTypes = map[string]string{
	"run_id": typesString, "workflow": typesString, "step": typesString, "visit": typesInteger, "now": typesString,
	"started_at": typesString, "scheduled_at": typesString, "outcome": typesString, "retry_count": typesInteger,
}

// regionResultTypes are what a foreach or a fork offers.
var regionResultTypes = map[string]string{
	"count": typesInteger, "succeeded": typesInteger, "failed": typesInteger, "errors": typesArray, "results": typesArray,
}

// sourceSchema is what surely holds for the value of a path, if there is one; nil if nothing is known.
func (c *checker) sourceSchema(p *Path, in pathScope) *schema.Schema {
	first := ""
	if len(p.Parts) > 0 && !p.Parts[0].IsIndex {
		first = p.Parts[0].Name
	}
	switch p.Root {
	case RootInput:
		return c.below(c.input, p.Parts...)
	case RootState:
		if len(p.Parts) == 0 {
			return typed(typesObject) // the fields are checked one by one, never the whole
		}
		if first != "" {
			return c.below(c.stateField(first), p.Parts[1:]...)
		}
	case RootSteps:
		if step, ok := c.tree.index[first]; ok && first != "" {
			out, _ := c.outputOf(step)
			return c.outputPart(out, p.Parts[1:])
		}
	case RootLocal:
		if in.local != nil {
			return c.outputPart(*in.local, p.Parts)
		}
	case RootItem:
		if k := slices.Index(in.items, first); k >= 0 {
			return c.below(in.elements[k], p.Parts[1:]...)
		}
		if owner := c.itemOwner(first, in); owner >= 0 {
			return c.below(c.itemSchema(owner), p.Parts[1:]...)
		}
	case RootContext:
		switch {
		case len(p.Parts) == 1:
			return typed(contextTypes[first])
		case len(p.Parts) == 2 && first == "index":
			return typed(typesInteger)
		}
	}
	return nil
}

// stateField is what a state field's values are checked against; nil if anything goes.
func (c *checker) stateField(name string) *schema.Schema {
	if c.state == nil {
		return nil
	}
	if p, declared := c.state.Property(name); declared {
		return p.Schema
	}
	return c.below(c.state, namePart(name))
}

// outputPart is what is known of a part of a step's output.
func (c *checker) outputPart(out container, parts []Part) *schema.Schema {
	switch {
	case out.names == nil:
		return c.below(out.schema, parts...)
	case len(parts) == 1 && !parts[0].IsIndex:
		return typed(regionResultTypes[parts[0].Name])
	}
	return nil
}

// itemOwner is the foreach whose element an item is, -1 if it is that of an any or all, or none.
func (c *checker) itemOwner(name string, in pathScope) int {
	if name == "" || slices.Contains(in.items, name) || in.step == noStep {
		return -1
	}
	if name == in.body {
		return in.step
	}
	if in.region < 0 {
		return -1
	}
	body := c.tree.ancestry.itemBody(in.region, name)
	if body < 0 {
		return -1
	}
	return c.tree.regions[body].owner
}

// itemSchema is what surely holds for each element that a foreach is at, nil if nothing is known. What it goes through may be an
// element of a loop around it.
func (c *checker) itemSchema(owner int) *schema.Schema {
	over := c.w.Nodes[owner].(*ForeachStep).Over
	if over.Path == nil || len(over.Default) > 0 || over.Path.Root == RootLocal {
		return nil
	}
	if known, ok := c.items[owner]; ok {
		return known
	}
	if c.items == nil {
		c.items = make(map[int]*schema.Schema)
	}
	c.items[owner] = nil // a loop in a body of its own is an error that others find
	s := elementOf(c.checkShared, c.sourceSchema(over.Path, c.at(owner)))
	c.items[owner] = s
	return s
}

// elementOf is what every element of an array satisfies, nil if that depends on its position or is not known.
func elementOf(sh *checkShared, s *schema.Schema) *schema.Schema {
	if s == nil {
		return nil
	}
	first, last := sh.lookup(s, indexPart(0)), sh.lookup(s, indexPart(farPosition))
	if first.schema != last.schema || last.presence == schema.Never {
		return nil
	}
	return first.schema
}

// writeTarget is what a value must satisfy that a binding writes to a state path: not what the field holds afterwards,
// but what its reducer can take. Nil if that is not known, as for a host's reducer.
func (c *checker) writeTarget(p *Path) *schema.Schema {
	name := p.Parts[0].Name
	field := c.stateField(name)
	switch c.fields[name] {
	case "":
		return c.below(field, p.Parts[1:]...)
	case "append":
		return elementOf(c.checkShared, field)
	case "extend", "set_union":
		if field != nil && slices.Equal(field.Types(), []string{"array"}) && itemCheck(field) != nil {
			return field
		}
		return typed(typesArray)
	case "merge_object", "deep_merge":
		return typed(typesObject)
	case "add":
		return typed(typesNumber)
	case "max", "min":
		if field != nil && len(field.Types()) > 0 { // only the winner must satisfy more than the field's types
			return c.schema(jsonOf(map[string]any{"type": field.Types()}))
		}
	}
	return nil
}
