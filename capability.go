package wf

import "slices"

// Capability is a callable that is looked up in the sources when the workflow is bound: a tool of an MCP server, an
// operation of an HTTP API, a function of a registry.
type Capability struct {
	def      NodeDef
	problems problems
}

// Ref names a capability whose contract the sources know: "mcp.drive.read_file". As nothing is known about its input and
// output here, its steps bind them with In and Out. Outcomes are needed if there are more than [OK].
func Ref(ref string, outcomes ...Outcome) *Capability {
	c := &Capability{def: NodeDef{Name: ref}}
	c.problems.subject = "capability " + quoteJSON(ref)
	if !isRef(ref) {
		c.problems.add("ref_invalid", "this does not name a capability", `write the source's id, a dot and the capability's name: "mcp.drive.read_file"`)
	}
	c.def.Outcomes = checkOutcomes(&c.problems, outcomes)
	return c
}

// CapabilityOf names a capability and says what a workflow expects of it: In and Out become the schemas of its contract,
// which are checked against the source's when the workflow is bound.
func CapabilityOf[In, Out any](ref string, outcomes ...Outcome) *Capability {
	c := Ref(ref, outcomes...)
	_, in := objectOf[In](&c.problems, "input")
	_, out := typeOf[Out](&c.problems, "output")
	c.def.InputSchema, c.def.OutputSchema = schemaOf(in), schemaOf(out)
	if c.def.Outcomes == nil {
		c.def.Outcomes = []Outcome{OK}
	}
	return c
}

// Contract returns what is known of the capability: its name, and what [CapabilityOf] added.
func (c *Capability) Contract() *NodeDef { return cloneDef(&c.def) }

// Problems returns what is wrong with the capability's name, outcomes or types, nil if nothing is.
func (c *Capability) Problems() Diagnostics { return slices.Clone(c.problems.list) }
