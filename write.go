package wf

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
)

// Canonical writes the plan's canonical form on one line: explicit, structural, keys sorted, numbers normalised. One
// workflow has one sequence of bytes, whatever form it was read from: defaults that have a name are written out (format,
// start, outcomes, mode, on_item_error, on_branch_error, an end's outcome), fields that are empty are left out, edges
// stand in the order of their steps and then of their outcomes, node_defs in that of their names. The order of steps,
// bindings, cases, catches and outcomes is the author's.
//
// A workflow that was read, or built without mistakes, reads back from these bytes as it is.
func (w *Workflow) Canonical() []byte { return compact(w.tree()) }

// Indented writes the canonical form for people and files: the members in reading order, two spaces a level, short
// objects and lists on one line, a line break at the end.
func (w *Workflow) Indented() []byte { return indented(w.tree()) }

// Short writes the short form, indented like [Workflow.Indented]: paths as text, bindings as maps, edges on their steps, no
// defaults. It reads back as the same workflow.
func (w *Workflow) Short() []byte { return indented(writer{short: true}.workflow(w, "", nil)) }

// Digest names the plan's content: "sha256:" and the hexadecimal SHA-256 of the canonical form.
func (w *Workflow) Digest() string {
	sum := sha256.Sum256(w.Canonical())
	return "sha256:" + hex.EncodeToString(sum[:])
}

// MarshalJSON writes the canonical form. The standard library escapes <, > and & in it; [Workflow.Canonical] does not.
func (w *Workflow) MarshalJSON() ([]byte, error) { return w.Canonical(), nil }

func (w *Workflow) tree() fields { return writer{}.workflow(w, "", nil) }

// writer turns a plan into a tree, in the canonical or the short form.
type writer struct {
	short bool
	known *nesting // of the workflow being written
}

// workflow writes a plan; key is that of a nested one, outer tells what the workflow around it has.
func (wr writer) workflow(w *Workflow, key string, outer *nesting) fields {
	wr.known = newNesting(w, outer)
	var f fields
	if !wr.short {
		f.set("format", Format)
	}
	if !wr.short || key == "" || key != w.Name {
		f.set("name", w.Name)
	}
	f.add("description", w.Description)
	f.add("input_schema", w.InputSchema)
	f.add("state_schema", w.StateSchema)
	f.add("output_schema", w.OutputSchema)
	wr.outcomes(&f, w.Outcomes)
	f.add("output", wr.inputBindings(w.Output))
	f.add("node_defs", wr.nodeDefs(w.NodeDefs))
	f.add("workflows", wr.nested(w.Workflows))
	f.add("limits", wr.limits(w.Limits))
	start := w.Start
	if first := firstStep(w); start == "" || wr.short && start == first {
		start = first
		if wr.short {
			start = ""
		}
	}
	if !wr.short || start != "" {
		f.set("start", start)
	}
	edges := sortedEdges(w)
	var own map[string][]Edge
	if wr.short {
		own, edges = ownEdges(w, edges)
	}
	nodes := make([]any, 0, len(w.Nodes))
	for _, s := range w.Nodes {
		if s == nil {
			nodes = append(nodes, nil)
			continue
		}
		nodes = append(nodes, wr.step(s, own[s.StepID()]))
		delete(own, s.StepID()) // a second step of that id has none
	}
	f.set("nodes", nodes)
	if !wr.short || len(edges) > 0 {
		f.set("edges", listOf(edges, wr.edge))
	}
	return f
}

func firstStep(w *Workflow) string {
	if len(w.Nodes) == 0 || w.Nodes[0] == nil {
		return ""
	}
	return w.Nodes[0].StepID()
}

// outcomes writes the outcomes of a workflow or a contract; just "ok" is the default.
func (wr writer) outcomes(f *fields, list []Outcome) {
	list = declaredOutcomes(list)
	if !wr.short || len(list) != 1 || list[0] != OK {
		f.add("outcomes", textsOf(list))
	}
}

func (wr writer) nodeDefs(defs []*NodeDef) []any {
	defs = slices.DeleteFunc(slices.Clone(defs), func(d *NodeDef) bool { return d == nil })
	sortNodeDefs(defs)
	return listOf(defs, func(d *NodeDef) any { return wr.nodeDef(d) })
}

func (wr writer) nodeDef(d *NodeDef) fields {
	var f fields
	f.set("name", d.Name)
	f.add("description", d.Description)
	f.add("input_schema", d.InputSchema)
	f.add("output_schema", d.OutputSchema)
	wr.outcomes(&f, d.Outcomes)
	f.add("effect", string(d.Effect))
	f.add("retry", retryTree(d.Retry))
	f.add("timeout_seconds", d.TimeoutSeconds)
	return f
}

// nested writes the workflows in a workflow, by name.
func (wr writer) nested(workflows map[string]*Workflow) fields {
	var f fields
	for _, name := range sortedKeys(workflows) {
		if w := workflows[name]; w != nil {
			f.set(name, wr.workflow(w, name, wr.known))
		}
	}
	return f
}

func (wr writer) limits(l *Limits) fields {
	var f fields
	if l != nil {
		f.add("max_steps", l.MaxSteps)
		f.add("max_depth", int64(l.MaxDepth))
		f.add("timeout_seconds", l.TimeoutSeconds)
	}
	return f
}

func retryTree(r *Retry) any {
	if r == nil {
		return nil
	}
	f := fields{}
	f.add("max_attempts", int64(r.MaxAttempts))
	f.add("initial_interval_seconds", r.InitialIntervalSeconds)
	f.add("backoff", r.Backoff)
	f.add("max_interval_seconds", r.MaxIntervalSeconds)
	f.add("total_seconds", r.TotalSeconds)
	f.add("on", textsOf(r.On))
	return f
}

func (wr writer) edge(e Edge) any {
	f := fields{{"from", e.From}, {"outcome", string(e.Outcome)}}
	return append(f, routeTree(e)...)
}

// routeTree is where an edge goes.
func routeTree(e Edge) fields {
	f := fields{{"to", e.To}}
	f.add("max_visits", int64(e.MaxVisits))
	f.add("exhausted", e.Exhausted)
	return f
}
