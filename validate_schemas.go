package wf

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"lda.chat/wf/internal/schema"
)

// schema compiles a schema, each distinct one once. It is nil, which means anything, for no schema and for one that
// cannot be used; checkSchemas reports the latter.
func (sh *checkShared) schema(raw Schema) *schema.Schema { return sh.judge(raw).schema }

// judged is a schema with what the gate says of it.
type judged struct {
	schema   *schema.Schema
	problems []schema.Problem
}

func (sh *checkShared) judge(raw Schema) judged {
	if len(raw) == 0 || sh.isHole(string(raw)) {
		return judged{}
	}
	j, ok := sh.schemas[string(raw)]
	if !ok {
		j.schema, j.problems = schema.Parse(raw, nil)
		sh.schemas[string(raw)] = j
	}
	return j
}

// checkSchemas reports what is wrong with the schemas that stand in the plan.
func (c *checker) checkSchemas() {
	w := c.w
	c.checkSchema(w.InputSchema, c.top("input_schema"), noStep, true)
	c.checkSchema(w.StateSchema, c.top("state_schema"), noStep, true)
	c.checkSchema(w.OutputSchema, c.top("output_schema"), noStep, true)
	for i, d := range w.NodeDefs {
		if d != nil {
			at := c.top("node_defs").at(i)
			c.checkSchema(d.InputSchema, at.key("input_schema"), noStep, false)
			c.checkSchema(d.OutputSchema, at.key("output_schema"), noStep, false)
		}
	}
	for i, s := range w.Nodes {
		switch s := s.(type) {
		case *NodeStep:
			c.checkSchema(s.OutputSchema, c.node(i).key("output_schema"), i, false)
		case *InterruptStep:
			c.checkSchema(s.RequestSchema, c.node(i).key("request_schema"), i, false)
			c.checkSchema(s.ResumeSchema, c.node(i).key("resume_schema"), i, false)
			for _, o := range slices.Sorted(maps.Keys(s.ResumeSchemas)) {
				c.checkSchema(s.ResumeSchemas[o], c.node(i).key("resume_schemas").key(string(o)), i, false)
			}
		}
	}
}

// checkSchema reports what the gate finds in one schema, and, if asked, that it does not describe an object.
func (c *checker) checkSchema(raw Schema, at *place, step int, object bool) {
	j := c.judge(raw)
	for _, p := range j.problems {
		c.reportSchema(p, at, step)
	}
	s := j.schema
	if s == nil || !object {
		return
	}
	if types := s.Types(); len(types) > 0 && !slices.Contains(types, "object") {
		c.report("schema_not_object", at, step, fmt.Sprintf("the schema describes %s, it must describe an object", listSome(types)),
			`write {"type": "object", "properties": {…}}`).expects("object", types)
	}
}

// reportSchema reports one problem of a schema, under the gate's own code.
func (c *checker) reportSchema(p schema.Problem, at *place, step int) {
	hint := "leave the keyword out, or say it in another way"
	if p.Fatal {
		hint = "repair the schema; until then it counts as one that allows anything"
	}
	d := c.report(Code(p.Code), at, step, p.Message, hint)
	d.Path += p.Pointer
}

// checkDefaults checks the defaults with which a run begins: those of the input's and the state's fields.
func (c *checker) checkDefaults() {
	for _, k := range [...]struct {
		member string
		schema *schema.Schema
	}{{"input_schema", c.input}, {"state_schema", c.state}} {
		if k.schema == nil {
			continue
		}
		for _, p := range k.schema.Properties() {
			if p.Default.IsAbsent() {
				continue
			}
			if violations := p.Schema.Check(p.Default); len(violations) > 0 {
				c.report("default_invalid", c.top(k.member).key("properties").key(p.Name), noStep,
					fmt.Sprintf("the default of %q does not fit its own schema: %v", p.Name, violations[0]),
					"make the default fit the schema, or the schema allow it").expects(json.RawMessage(p.Schema.JSON()), json.RawMessage(p.Default.JSON()))
			}
		}
	}
}

// reducerTypes are the types of a field that each standard reducer can work on; none means any.
var reducerTypes = map[string][]string{
	"replace":      nil,
	"append":       {"array"},
	"extend":       {"array"},
	"set_union":    {"array"},
	"merge_object": {"object"},
	"deep_merge":   {"object"},
	"add":          {"number", "integer"},
	"max":          {"number", "integer", "string"},
	"min":          {"number", "integer", "string"},
}

// reducersOf reads the reducers of the declared fields out of a state schema: "" for replace, without "wf.std.".
func reducersOf(state *schema.Schema) map[string]string {
	if state == nil {
		return nil
	}
	fields := make(map[string]string)
	for _, p := range state.Properties() {
		name, _ := p.Ext(keyReducer).AsString()
		if name = strings.TrimPrefix(name, standardSource); name == "replace" {
			name = ""
		}
		fields[p.Name] = name
	}
	return fields
}

// hostReducer reports whether the host has a reducer.
func (c *checker) hostReducer(name string) bool {
	if c.opts.Reducers == nil {
		return false
	}
	_, ok := c.opts.Reducers(name)
	return ok
}

// checkReducers checks that each declared field has a reducer that exists and can work on the field's type.
func (c *checker) checkReducers() {
	if c.state == nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(c.fields)) {
		reducer := c.fields[name]
		at := c.top("state_schema").key("properties").key(name).key(keyReducer)
		fits, standard := reducerTypes[reducer]
		switch {
		case reducer == "" || c.isHole(reducer) || c.hostReducer(reducer):
		case !standard:
			d := c.report("reducer_unknown", at, noStep, fmt.Sprintf("field %q has the reducer %q, which does not exist", name, clip(reducer)),
				c.suggest(reducer, standardReducers, "the standard ones are "+listSome(standardReducers)))
			if meant, ok := c.nearest(reducer, standardReducers); ok {
				property, _ := c.state.Property(name)
				d.fix(fmt.Sprintf("Use %q", meant), FixUnsafe, testOp(at, property.Ext(keyReducer)), replaceOp(at, standardSource+meant))
			}
		case len(fits) > 0:
			property, _ := c.state.Property(name)
			if property.Schema == nil {
				continue
			}
			types := property.Schema.Types()
			if len(types) > 0 && !slices.ContainsFunc(types, func(t string) bool { return slices.Contains(fits, t) }) {
				c.report("reducer_unfit", at, noStep,
					fmt.Sprintf("reducer %q works on %s, field %q holds %s", reducer, listSome(fits), name, listSome(types)),
					"change the reducer or the field's type").expects(fits, types)
			}
		}
	}
}
