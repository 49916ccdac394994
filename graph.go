package wf

import "strconv"

// Kinds of what is drawn beside the kinds of steps.
const (
	drawnStart   StepType = "(start)"
	drawnMissing StepType = "(missing)"
)

// drawnStep is a step, or an end that is no step, in a diagram.
type drawnStep struct {
	name  string // in the diagram's own language
	label string
	typ   StepType
}

// arrow is an edge in a diagram.
type arrow struct {
	from, to, label string
	dashed          bool // taken when max_visits is exhausted
}

// diagram is what both languages draw.
type diagram struct {
	tree     *regionTree
	steps    [][]drawnStep // by region
	children [][]int       // by region
	arrows   []arrow
	entered  map[int]int       // the region that an edge enters
	extra    map[string]string // names of ends and missing steps, by region and target
}

func newDiagram(w *Workflow) *diagram {
	t := newRegionTree(withoutNilSteps(w))
	w = t.w
	g := &diagram{
		tree: t, steps: make([][]drawnStep, len(t.regions)), children: make([][]int, len(t.regions)),
		entered: make(map[int]int), extra: make(map[string]string),
	}
	for r := 1; r < len(t.regions); r++ {
		parent := t.regions[r].parent
		g.children[parent] = append(g.children[parent], r)
		g.entered[t.regions[r].entry] = r
	}
	if start := t.stepAt(w.Start); start >= 0 {
		g.steps[0] = append(g.steps[0], drawnStep{"start", "start", drawnStart})
		g.arrows = append(g.arrows, arrow{from: "start", to: stepName(start)})
	}
	for i, s := range w.Nodes {
		r := max(t.of[i], 0) // what nothing reaches is drawn outside
		g.steps[r] = append(g.steps[r], drawnStep{stepName(i), stepLabel(s), s.StepType()})
	}
	for i := range w.Nodes {
		for _, e := range t.out(i) {
			g.edge(e, i)
		}
	}
	return g
}

// edge adds the arrows of an edge.
func (g *diagram) edge(e, from int) {
	edge := &g.tree.w.Edges[e]
	r := max(g.tree.of[from], 0)
	if inner, ok := g.entered[e]; ok {
		r = inner
	}
	label := string(edge.Outcome)
	if edge.MaxVisits > 0 {
		label += " (at most " + strconv.Itoa(edge.MaxVisits) + ")"
	}
	g.arrows = append(g.arrows, arrow{from: stepName(from), to: g.target(g.tree.to[e], edge.To, r), label: label})
	if edge.Exhausted != "" {
		g.arrows = append(g.arrows, arrow{stepName(from), g.target(g.tree.exhaust[e], edge.Exhausted, r), string(edge.Outcome) + " (exhausted)", true})
	}
}

// target is the name of what an edge leads to. Each region has its own end, so that no arrow leaves it for another's.
func (g *diagram) target(step int, to string, r int) string {
	if step >= 0 {
		return stepName(step)
	}
	key := strconv.Itoa(r) + " " + to
	name, ok := g.extra[key]
	if ok {
		return name
	}
	name = "x" + strconv.Itoa(len(g.extra))
	g.extra[key] = name
	drawn := drawnStep{name, to + "?", drawnMissing}
	switch to {
	case ToEnd:
		drawn = drawnStep{name, "end: ok", TypeEnd}
	case ToContinue:
		drawn = drawnStep{name, "next item", TypeEnd}
	case ToDiscard:
		drawn = drawnStep{name, "discard", TypeEnd}
	}
	g.steps[r] = append(g.steps[r], drawn)
	return name
}

// region visits the steps of a region, then those inside it.
func (g *diagram) region(r, depth int, border func(depth, r int, open bool), step func(depth int, n drawnStep)) {
	for _, n := range g.steps[r] {
		step(depth, n)
	}
	for _, child := range g.children[r] {
		border(depth, child, true)
		g.region(child, depth+1, border, step)
		border(depth, child, false)
	}
}

// title names a region in a diagram.
func (g *diagram) title(r int) string {
	region := g.tree.regions[r]
	owner := g.tree.w.Nodes[region.owner]
	if foreach, ok := owner.(*ForeachStep); ok {
		return "each " + foreach.As + " of " + foreach.ID
	}
	return "branch " + string(region.outcome) + " of " + owner.StepID()
}

func stepName(i int) string { return "s" + strconv.Itoa(i) }

// stepLabel is what a box says: the id, what it does, and the description.
func stepLabel(s Step) string {
	label := s.StepID()
	switch s := s.(type) {
	case *NodeStep:
		label += "\n" + s.Node
	case *SubgraphStep:
		label += "\nruns " + s.Workflow
	case *InterruptStep:
		label += "\nasks for " + s.Kind
	case *EndStep:
		label += "\nend: " + string(s.Outcome)
	case *FailStep:
		label += "\nfails: " + string(s.Code)
	case *ForeachStep:
		if s.Mode == ModeParallel {
			label += "\nin parallel"
		}
	}
	if desc := s.common().Desc; desc != "" {
		label += "\n" + desc
	}
	return label
}
