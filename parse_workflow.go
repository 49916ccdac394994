package wf

import (
	"fmt"
	"strconv"

	"lda.chat/wf/internal/value"
)

var (
	workflowFields = []string{"format", "name", "description", "input_schema", "state_schema", "output_schema",
		"outcomes", "output", "node_defs", "workflows", "start", "nodes", "edges", "limits"}
	nodeDefFields = []string{"name", "description", "input_schema", "output_schema", "outcomes", "effect", "retry", "timeout_seconds"}
	edgeFields    = []string{"from", "outcome", "to", "max_visits", "exhausted"}
	limitFields   = []string{"max_steps", "max_depth", "timeout_seconds"}
	retryFields   = []string{"max_attempts", "initial_interval_seconds", "backoff", "max_interval_seconds", "total_seconds", "on"}
)

// workflow reads a plan; outer tells what the workflow around it has. A nested one that has no name
// has its key's.
func (r *reader) workflow(v value.Value, at, name string, outer *nesting) *Workflow {
	w := &Workflow{Format: Format}
	o, ok := r.object(v, at, "a workflow", workflowFields)
	if !ok {
		w.fillHoles()
		return w
	}
	if outer.depth() > maxWorkflows {
		r.add(Diagnostic{Code: "too_deep", Path: at, RepairHint: flattenHint,
			Message: fmt.Sprintf("workflows nest at most %d levels", maxWorkflows)})
		w.fillHoles()
		return w
	}
	saved, savedStart := r.scope, r.meantStart
	r.scope, r.meantStart = newScope(v), ""
	defer func() { r.scope, r.meantStart = saved, savedStart }()

	o.format()
	if w.Name = name; name == "" || o.has("name") {
		w.Name = hole
		if v, at, ok := o.need("name", `add a name: "name": "weekly_report"`); ok {
			w.Name = o.dotted(v, at, "the workflow's name")
		}
	}
	w.Description = o.text("description")
	w.InputSchema = o.schema("input_schema")
	w.StateSchema = o.stateSchema("state_schema")
	w.OutputSchema = o.schema("output_schema")
	w.Outcomes = o.outcomes("outcomes", OK)
	w.Output = o.inputBindings("output")
	w.NodeDefs = o.nodeDefs()
	here := newNesting(w, outer)
	w.Workflows = o.workflows(here)
	w.Limits = o.limits()
	o.steps(w, here)
	if start, at, ok := o.get("start"); ok && !isEmptyText(start) {
		w.Start = o.name(start, at, "the first step's id")
	} else if w.Start = r.meantStart; w.Start == "" && len(w.Nodes) > 0 && w.Nodes[0] != nil {
		w.Start = w.Nodes[0].StepID()
	}
	return w
}

func isEmptyText(v value.Value) bool { s, ok := v.AsString(); return ok && s == "" }

// format checks the version of the plan's shape.
func (o object) format() {
	v, at, ok := o.get("format")
	if s, _ := v.AsString(); !ok || s == Format {
		return
	}
	o.add(Diagnostic{Code: "format_unsupported", Path: at, Expected: jsonOf(Format), RepairHint: fmt.Sprintf("write %q, or leave it out", Format),
		Message: fmt.Sprintf("the only format that can be read is %q, found %s", Format, describe(v)),
		Fixes:   []Fix{o.replace(v, at, Format, FixUnsafe)}})
}

// steps reads nodes and edges, and resolves the edges that stand on steps.
func (o object) steps(w *Workflow, here *nesting) {
	savedStep, savedRoutes, savedNested := o.step, o.routes, o.nested
	o.step, o.routes, o.nested = "", nil, nil
	w.Nodes, w.Edges = []Step{}, []Edge{}
	if !o.has("nodes") {
		o.missing("nodes", `add the list of steps: "nodes": []`)
	}
	nodes := o.elements("nodes", "id", "a list of steps")
	if nodes == nil {
		w.Nodes = append(w.Nodes, newHoleStep(hole))
	}
	for _, item := range nodes {
		o.addStep(w, item.v, item.at)
	}
	for ; len(o.nested) > 0 && !o.isLocked; o.nested = o.nested[1:] {
		item := o.nested[0]
		o.places.field(element(child(o.at, "nodes"), len(w.Nodes)), item.at)
		o.addStep(w, item.v, item.at)
	}
	o.edges()
	o.addRoutes(w, here)
	o.places.edgesOf(w, o.routes)
	w.Edges = sortedEdges(w)
	o.step, o.routes, o.nested = savedStep, savedRoutes, savedNested
}

// edges reads the list of edges.
func (o object) edges() {
	v, at, ok := o.get("edges")
	if ok && v.Kind() == value.KindObject {
		if list, isMap := o.edgeMap(v, at); isMap {
			for _, item := range list {
				o.addEdge(item.v, item.at)
			}
			return
		}
	}
	items, at := o.items("edges", "a list of edges")
	if ok && v.Kind() != value.KindArray {
		o.routes = append(o.routes, holeRoute(at))
	}
	for i, item := range items {
		o.addEdge(item, element(at, i))
	}
}

// addEdge reads an element of edges. An outcome that is left out is the only one of its step.
func (r *reader) addEdge(v value.Value, at string) { r.edge(v, at, "") }

// edge reads an edge of the list, or one that stands on its step, whose id may be a hole.
func (r *reader) edge(v value.Value, at, of string) {
	o, ok := r.object(v, at, "an edge", edgeFields)
	if !ok {
		r.routes = append(r.routes, holeRoute(at))
		return
	}
	if of == "" && o.startEdge(at) {
		return
	}
	e := holeRoute(at)
	if of != "" {
		e.From = of
	} else if from, at, ok := o.need("from", "add the id of the step that the edge leaves"); ok {
		e.From = o.name(from, at, "a step's id")
	}
	if outcome, at, ok := o.get("outcome"); ok {
		e.Outcome = Outcome(o.name(outcome, at, "an outcome"))
	} else {
		e.implied = true
	}
	o.ends(&e)
	r.routes = append(r.routes, e)
}

// ends reads where an edge goes.
func (o object) ends(e *route) {
	e.To = hole
	if to, at, ok := o.need("to", `add a step's id, or "__end__"`); ok {
		e.To = o.reader.target(to, at)
	}
	e.MaxVisits = int(o.count("max_visits", 1, maxCount))
	if exhausted, at, ok := o.get("exhausted"); ok {
		e.Exhausted = o.reader.target(exhausted, at)
	}
}

// nodeDefs reads the contracts, sorted by name.
func (o object) nodeDefs() []*NodeDef {
	items := o.elements("node_defs", "name", "a list of node definitions")
	var defs []*NodeDef
	if items == nil && o.has("node_defs") {
		defs = append(defs, &NodeDef{Name: hole})
	}
	for _, item := range items {
		d := o.nodeDef(item.v, item.at)
		o.places.def(d, item.at)
		defs = append(defs, d)
	}
	sortNodeDefs(defs)
	return defs
}

// nodeDef reads one contract.
func (r *reader) nodeDef(v value.Value, at string) *NodeDef {
	d := &NodeDef{Name: hole}
	o, ok := r.object(v, at, "a node definition", nodeDefFields)
	if !ok {
		return d
	}
	if name, at, ok := o.need("name", `add its ref: "name": "local.report.extract"`); ok {
		d.Name = o.dotted(name, at, "a capability's ref")
	}
	d.Description = o.text("description")
	d.InputSchema = o.schema("input_schema")
	d.OutputSchema = o.schema("output_schema")
	d.Outcomes = o.outcomes("outcomes", OK)
	if effect, at, ok := o.get("effect"); ok {
		d.Effect = Effect(o.word(effect, at, "effect", wordsOf(effects)))
	}
	d.Retry = o.retry()
	d.TimeoutSeconds = o.seconds("timeout_seconds", false)
	return d
}

// workflows reads the nested workflows.
func (o object) workflows(here *nesting) map[string]*Workflow {
	v, at, ok := o.get("workflows")
	if !ok {
		return nil
	}
	if v.Kind() != value.KindObject {
		o.wrongType(v, at, "an object of workflows by name")
		return map[string]*Workflow{hole: nil}
	}
	here.coming = make(map[string][]Outcome, v.Len())
	for name, item := range v.Members() {
		here.coming[name] = comingOutcomes(item)
	}
	nested := make(map[string]*Workflow, v.Len())
	for name, item := range v.Members() {
		key := name // of a copy of a saved workflow: that one's name and version
		if !artifactRef.MatchString(name) {
			key = readKey(o.reader, name, child(at, name), "a nested workflow's name", o.dotted)
		}
		nested[key] = o.workflow(item, child(at, name), key, here)
	}
	here.coming = nil
	return nested
}

// comingOutcomes are the outcomes of a workflow that is yet to be read: its siblings may run it. What is wrong with them is
// said when it is read.
func comingOutcomes(v value.Value) []Outcome {
	list := v.Get("outcomes")
	switch {
	case v.Kind() != value.KindObject:
		return []Outcome{hole}
	case list.IsAbsent():
		return []Outcome{OK}
	case list.Kind() != value.KindArray || list.Len() == 0:
		return []Outcome{hole}
	}
	outcomes := make([]Outcome, 0, list.Len())
	for _, item := range list.Items() {
		name, _ := item.AsString()
		if !isName(name) {
			name = hole
		}
		outcomes = append(outcomes, Outcome(name))
	}
	return outcomes
}

// limits reads the bounds of a run.
func (o object) limits() *Limits {
	v, at, ok := o.get("limits")
	if !ok {
		return nil
	}
	l := &Limits{}
	if lo, ok := o.object(v, at, "limits", limitFields); ok {
		l.MaxSteps = lo.count("max_steps", 1, maxSteps)
		l.MaxDepth = int(lo.count("max_depth", 1, maxCount))
		l.TimeoutSeconds = lo.seconds("timeout_seconds", false)
	} else {
		l.MaxSteps = holeNumber
	}
	if *l == (Limits{}) {
		return nil
	}
	return l
}

// retry reads the field "retry".
func (o object) retry() *Retry {
	v, at, ok := o.get("retry")
	if !ok {
		return nil
	}
	if n, whole := v.AsInt(); whole {
		o.wrongType(v, at, `an object such as {"max_attempts": `+strconv.FormatInt(n, 10)+`}`, o.wrap(v, at, "max_attempts", FixUnsafe))
		return nil
	}
	ro, ok := o.object(v, at, "a retry", retryFields)
	if !ok {
		return nil
	}
	t := &Retry{MaxAttempts: int(ro.count("max_attempts", 1, maxCount))}
	t.InitialIntervalSeconds = ro.seconds("initial_interval_seconds", true)
	t.MaxIntervalSeconds = ro.seconds("max_interval_seconds", true)
	t.TotalSeconds = ro.seconds("total_seconds", true)
	t.Backoff = ro.factor("backoff")
	t.On = ro.codes("on", false)
	return t
}

// factor reads a field that is a number from 1 on.
func (o object) factor(key string) float64 {
	v, at, ok := o.get(key)
	if !ok {
		return 0
	}
	f, isNumber := v.AsFloat()
	switch {
	case o.isHole(v):
	case v.Kind() != value.KindNumber:
		o.wrongType(v, at, "a number", o.numberFix(v, at)...)
	case !isNumber || f < 1 || f > 1000:
		o.add(Diagnostic{Code: "out_of_range", Path: at, RepairHint: "write a factor such as 2; 1 keeps the interval as it is",
			Message: fmt.Sprintf("%q is a factor from 1 to 1000, found %s", key, v.NumberText())})
	default:
		return f
	}
	return holeNumber
}
