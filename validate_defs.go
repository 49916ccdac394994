package wf

import (
	"fmt"
	"reflect"
	"strings"
)

// checkDefs checks the node definitions that the plan brings along.
func (c *checker) checkDefs() {
	for i, d := range c.w.NodeDefs {
		at := c.top("node_defs").at(i)
		if d == nil {
			c.report("field_missing", at, noStep, "the node definition is empty", "remove it, or fill it in")
			continue
		}
		problem, first := refProblem(d.Name), c.nest.defs[d.Name]
		switch {
		case c.isHole(d.Name):
		case problem != "":
			c.report("ref_invalid", at.key("name"), noStep, fmt.Sprintf("the name of the node definition, %q, %s", clip(d.Name), problem),
				`write source id, dot, capability, for example "local.report.read_notes"`)
		case first != d:
			found := c.report("def_duplicate", at.key("name"), noStep, fmt.Sprintf("%q is defined twice", d.Name), "keep one of the two definitions")
			if j := c.defPosition(first); j >= 0 {
				found.relate(c.top("node_defs").at(j).key("name"), "the first definition, which counts")
			}
			if reflect.DeepEqual(first, d) {
				found.fix("Remove the repetition", FixSafe, testOp(at.key("name"), d.Name), removeOp(at))
			}
		}
		c.checkOutcomeList(d.Outcomes, at.key("outcomes"), noStep)
		switch d.Effect {
		case "", EffectPure, EffectRead, EffectIdempotent, EffectKeyed, EffectOnce:
		default:
			c.checkWord("effect", string(d.Effect), at, noStep, "pure", "read", "idempotent", "keyed", "once")
		}
		c.checkSeconds("timeout_seconds", d.TimeoutSeconds, at, noStep)
		c.checkRetry(d.Retry, at, noStep)
	}
}

func (c *checker) defPosition(d *NodeDef) int {
	for i, other := range c.w.NodeDefs {
		if other == d {
			return i
		}
	}
	return -1
}

// refProblem says what is wrong with a logical ref: source id, dot, capability name. The last dot splits it.
func refProblem(ref string) string {
	dot := strings.LastIndexByte(ref, '.')
	switch {
	case ref == "":
		return "is empty"
	case dot < 0:
		return "names no source"
	case dot == 0:
		return "has an empty source id"
	case dot == len(ref)-1:
		return "has an empty capability name"
	}
	for _, r := range ref {
		if !isNameRune(r) && r != '.' {
			return fmt.Sprintf("holds %q, only letters, digits, _, - and dots may stand in it", r)
		}
	}
	return ""
}

// lookupDef finds the definition of a ref: in the workflow, in those around it, or outside the plan.
func (c *checker) lookupDef(ref string) (*NodeDef, bool) {
	if c.isHole(ref) {
		return nil, false
	}
	if d := c.nest.def(ref); d != nil {
		return d, true
	}
	if c.opts.Nodes != nil {
		if d, ok := c.opts.Nodes(ref); ok && d != nil {
			return d, true
		}
	}
	return nil, false
}

// knownRefs lists the refs that could have been meant.
func (c *checker) knownRefs() []string {
	var refs []string
	for scope := c; scope != nil; scope = scope.outer {
		for _, d := range scope.w.NodeDefs {
			if d != nil {
				refs = append(refs, d.Name)
			}
		}
	}
	if c.opts.KnownRefs != nil {
		refs = append(refs, c.opts.KnownRefs()...)
	}
	return refs
}

// checkRefs checks that the capabilities and workflows that steps call exist.
func (c *checker) checkRefs() {
	for i, s := range c.w.Nodes {
		switch s := s.(type) {
		case *NodeStep:
			c.checkNodeRef(i, s)
		case *SubgraphStep:
			c.checkWorkflowRef(i, s)
		}
	}
}

func (c *checker) checkNodeRef(i int, s *NodeStep) {
	if c.calls[i] != nil || s.Node == "" || c.isHole(s.Node) || c.lost.calls {
		return
	}
	at := c.node(i).key("node")
	refs := c.knownRefs()
	hint := "add a definition of it to node_defs, or name a capability of a source that is there"
	if len(refs) > 0 {
		hint = "known are " + listSome(refs)
	}
	d := c.report("node_unknown", at, i, fmt.Sprintf("there is no capability %q", clip(s.Node)), hint)
	d.LogicalRef = s.Node
	if meant, ok := c.nearest(s.Node, refs); ok {
		d.RepairHint = fmt.Sprintf("did you mean %q?", meant)
		d.fix(fmt.Sprintf("Call %q", meant), FixUnsafe, testOp(at, s.Node), replaceOp(at, meant))
	}
}
