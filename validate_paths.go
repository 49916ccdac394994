package wf

import (
	"fmt"
	"slices"
	"strings"

	"lda.chat/wf/internal/schema"
)

// contextNames are the first parts of paths below context.
var contextNames = []string{
	"index", "now", "outcome", "retry_count", "run_id", "scheduled_at", "started_at", "step", "visit", "workflow",
}

var pathRoots = []string{string(RootInput), string(RootState), string(RootSteps), string(RootItem), string(RootContext), string(RootLocal)}

// pathScope says what a path may name where it stands.
type pathScope struct {
	step        int              // noStep: the workflow's own output
	region      int              // whose items are seen
	body        string           // "as" name of the foreach whose result this is
	items       []string         // names of the any and all around, the inner ones first
	elements    []*schema.Schema // what is known of their elements
	local       *container       // what local is; nil: there is none
	field       string           // the state field that is written, and its reducer
	reducer     string
	inCondition bool // a length may be taken
	depth       int
}

// at is the scope of a step's own operands.
func (c *checker) at(step int) pathScope { return pathScope{step: step, region: c.tree.of[step]} }

func (s pathScope) deeper() pathScope { s.depth++; return s }

// withItem adds the name of an any or all, and what is known of its elements.
func (s pathScope) withItem(name string, element *schema.Schema) pathScope {
	s.items = append([]string{name}, s.items...)
	s.elements = append([]*schema.Schema{element}, s.elements...)
	return s
}

// checkPath checks a path that is read: its root may stand here, and what it names exists, as far as that is known.
func (c *checker) checkPath(p *Path, at *place, in pathScope) {
	if c.isHole(string(p.Root)) {
		return
	}
	for _, part := range p.Parts {
		if part.IsIndex && part.Index < 0 {
			c.report("path_invalid", at, in.step, fmt.Sprintf("%s has a negative position", p), "count from 0; the last element cannot be named that way")
			return
		}
	}
	if c.proof != nil && (p.Root == RootState || p.Root == RootSteps) {
		c.proof.count("reads", 1)
		c.proof.count("reads of", 1)
	}
	switch p.Root {
	case RootInput:
		c.checkField("input_field_unknown", container{what: "the input schema", schema: c.input}, p, 0, at, in.step)
	case RootState:
		c.checkField("state_field_unknown", c.stateFields(), p, 0, at, in.step)
	case RootSteps:
		c.checkStepPath(p, at, in)
	case RootItem:
		c.checkItemPath(p, at, in)
	case RootContext:
		c.checkContextPath(p, at, in)
	case RootLocal:
		if in.local == nil {
			c.report("path_root", at, in.step, fmt.Sprintf("%s: there is no local value to read here", p),
				"local is a step's own output, in its output bindings; read an earlier step by steps.<id>")
			return
		}
		c.checkOutput("output_unknown", in.local, p, 0, at, in.step)
	default:
		d := c.report("path_root", at, in.step, fmt.Sprintf("a path cannot begin with %q", clip(string(p.Root))),
			c.suggest(string(p.Root), pathRoots, "begin it with one of "+listSome(pathRoots)))
		if meant, ok := c.nearest(string(p.Root), pathRoots); ok {
			d.fix(fmt.Sprintf("Begin it with %q", meant), FixUnsafe, testOp(at.key("root"), p.Root), replaceOp(at.key("root"), meant))
		}
	}
}

// checkField checks that a schema leaves room for what a path names after its first parts, which skip counts.
func (c *checker) checkField(code Code, where container, p *Path, skip int, at *place, step int) bool {
	known, n := c.walk(where.schema, p.Parts[min(skip, len(p.Parts)):])
	if n < 0 {
		c.checkNear(where, p, skip, at, step)
		return true
	}
	c.reportField(code, where, propertyNames(known), p, skip+n, at, step)
	return false
}

// reportField reports a path of which one part does not exist.
func (c *checker) reportField(code Code, where container, names []string, p *Path, wrong int, at *place, step int) {
	hint := "declare it, or name one that is there: " + listSome(names)
	if len(names) == 0 {
		hint = "declare it, or name a value that is there"
	}
	part := p.Parts[wrong]
	d := c.report(code, at, step, fmt.Sprintf("%s does not exist: %s has no %s", p, where, partText(part)), hint)
	meant, ok := c.nearest(part.Name, names)
	if !ok || part.IsIndex {
		return
	}
	better := Path{p.Root, slices.Clone(p.Parts)}
	better.Parts[wrong] = namePart(meant)
	d.RepairHint = fmt.Sprintf("did you mean %s?", better)
	d.fix(fmt.Sprintf("Write %s", better), FixUnsafe,
		testOp(at.key("parts").at(wrong), part.Name), replaceOp(at.key("parts").at(wrong), meant))
}

func partText(p Part) string {
	if p.IsIndex {
		return fmt.Sprintf("position %d", p.Index)
	}
	return fmt.Sprintf("%q", clip(p.Name))
}

// checkStepPath checks a path to another step's output.
func (c *checker) checkStepPath(p *Path, at *place, in pathScope) {
	if len(p.Parts) == 0 || p.Parts[0].IsIndex {
		c.report("path_invalid", at, in.step, fmt.Sprintf("%s names no step", p), "write steps.<id>, then what is wanted of its output")
		return
	}
	id := p.Parts[0].Name
	step, ok := c.tree.index[id]
	if !ok && c.lost.ids {
		return
	}
	if !ok {
		d := c.report("step_ref_unknown", at, in.step, fmt.Sprintf("%s: there is no step %q", p, clip(id)),
			c.suggest(id, c.stepIDs(), "name one of the steps: "+listSome(c.stepIDs())))
		if meant, ok := c.nearest(id, c.stepIDs()); ok {
			first := at.key("parts").at(0)
			d.fix(fmt.Sprintf("Read step %q", meant), FixUnsafe, testOp(first, id), replaceOp(first, meant))
		}
		return
	}
	c.checkStepField(step, p, at, in)
}

// checkStepField checks that a step has the output that a path names.
func (c *checker) checkStepField(step int, p *Path, at *place, in pathScope) {
	out, has := c.outputOf(step)
	if !has {
		c.report("step_output_unknown", at, in.step, fmt.Sprintf("%s: a step of type %q has no output", p, c.w.Nodes[step].StepType()),
			"read what it wrote from state").relate(c.node(step), "the step")
		return
	}
	c.checkOutput("step_output_unknown", &out, p, 1, at, in.step)
}

// checkOutput checks that an output can hold what a path names after its first parts.
func (c *checker) checkOutput(code Code, out *container, p *Path, skip int, at *place, step int) {
	switch {
	case len(p.Parts) <= skip:
	case out.names == nil:
		if c.checkField(code, *out, p, skip, at, step) {
			c.checkKept(code, out, p, skip, at, step)
		}
	case p.Parts[skip].IsIndex || !slices.Contains(out.names, p.Parts[skip].Name):
		c.reportField(code, *out, out.names, p, skip, at, step)
	}
}

// checkKept warns of a part of an output that is never there, since a contract's output keeps only what the contract declares.
func (c *checker) checkKept(code Code, out *container, p *Path, skip int, at *place, step int) {
	part := p.Parts[skip]
	if out.kept == nil || part.IsIndex || slices.Contains(out.kept, part.Name) || c.nearDeclared(out.schema, part) != "" {
		return
	}
	d := c.report(code, at, step, fmt.Sprintf("%s is never there: %s declares no %s, and what is not declared is not kept", p, out, partText(part)),
		"declare it, or name one that is there: "+listSome(out.kept))
	d.Severity = SeverityWarning
	if rest := p.Parts[skip+1:]; len(rest) > 0 && slices.Contains(out.kept, rest[0].Name) && slices.Contains([]string{"output", "outputs", "result"}, part.Name) {
		better := Path{p.Root, append(slices.Clone(p.Parts[:skip]), rest...)}
		d.RepairHint = fmt.Sprintf("did you mean %s?", better)
	}
}

// checkItemPath checks a path to the element that a foreach, an any or an all is at.
func (c *checker) checkItemPath(p *Path, at *place, in pathScope) {
	if len(p.Parts) == 0 || p.Parts[0].IsIndex {
		c.report("path_invalid", at, in.step, fmt.Sprintf("%s does not say which item", p), `write item.<name>, with the "as" name of the foreach`)
		return
	}
	known := in.items
	if in.body != "" {
		known = append(slices.Clip(known), in.body)
	}
	c.checkItemName(p, p.Parts[0].Name, at, in, known)
	if known := c.sourceSchema(&Path{RootItem, p.Parts[:1]}, in); known != nil {
		c.checkField("item_field_unknown", container{what: "the item", of: p.Parts[0].Name, schema: known}, p, 1, at, in.step)
	}
}

func (c *checker) checkItemName(p *Path, name string, at *place, in pathScope, extra []string) {
	if slices.Contains(extra, name) {
		return
	}
	if in.region == noRegion && in.step != noStep || c.lost.graph {
		return // nothing leads to the step, so nobody knows what is around it
	}
	if in.region >= 0 && (c.tree.ancestry.itemBody(in.region, name) >= 0 || c.holes && c.tree.ancestry.itemBody(in.region, hole) >= 0) {
		return
	}
	known := slices.Clone(extra)
	const most = 50
	for r := in.region; r >= 0 && len(known) < most; r = c.tree.regions[r].parent {
		if r = c.tree.ancestry.body[r]; r < 0 {
			break
		}
		known = append(known, c.tree.itemName(r))
	}
	hint := "it is known only inside the body of the foreach that names it"
	if len(known) > 0 {
		hint = "known here: " + listSome(known)
	}
	c.report("item_unknown", at, in.step, fmt.Sprintf("%s: no item is called %q here", p, clip(name)), c.suggest(name, known, hint))
}

// checkContextPath checks a path to what the engine itself knows.
func (c *checker) checkContextPath(p *Path, at *place, in pathScope) {
	switch {
	case len(p.Parts) == 0:
	case p.Parts[0].IsIndex || !slices.Contains(contextNames, p.Parts[0].Name):
		name := p.Parts[0].Name
		d := c.report("context_unknown", at, in.step, fmt.Sprintf("%s: the context has no %s", p, partText(p.Parts[0])),
			c.suggest(name, contextNames, "it has "+strings.Join(contextNames, ", ")))
		if meant, ok := c.nearest(name, contextNames); ok && !p.Parts[0].IsIndex {
			first := at.key("parts").at(0)
			d.fix(fmt.Sprintf("Read context.%s", meant), FixUnsafe, testOp(first, name), replaceOp(first, meant))
		}
	case p.Parts[0].Name == "index" && len(p.Parts) == 2 && !p.Parts[1].IsIndex:
		var own []string // the index of a foreach is known where its item is; any and all have none
		if in.body != "" {
			own = []string{in.body}
		}
		c.checkItemName(p, p.Parts[1].Name, at, in, own)
	case p.Parts[0].Name == "index" || len(p.Parts) > 1:
		c.report("path_invalid", at, in.step, fmt.Sprintf("%s: context.index.<as> is a number, every other name of the context a single value", p),
			"write for example context.run_id or context.index.file")
	}
}
