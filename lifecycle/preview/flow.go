package preview

import (
	"slices"
	"strconv"
	"strings"

	"lda.chat/wf"
)

// previewer makes one preview.
type previewer struct {
	opts  *Options
	flows map[*wf.Workflow]*flow
	order []*flow // in the order in which they are met
}

// flow is a workflow that is run: the plan, one inside it, a saved one.
type flow struct {
	w      *wf.Workflow
	around []*wf.Workflow // the outermost first
	at     string         // JSON Pointer of it
	name   string
	index  map[string]int       // steps by id
	out    map[string][]wf.Edge // edges by the step that they leave
	root   *area
	inner  map[entry]*area // bodies and branches
	forks  map[string]int  // by join: the first fork whose branches meet there
}

// entry is what enters a region: an outcome of a foreach or fork.
type entry struct {
	step    int
	outcome wf.Outcome
}

// atEnd stands for the end of a region in the ways on from a step.
const atEnd = -1

// outcomes of steps that steer.
const (
	outcomeItem wf.Outcome = "item"
	outcomeDone wf.Outcome = "done"
)

// area is what one frame runs: the steps that its entry leads to, the regions inside it passed over.
type area struct {
	steps  []int // by position in the area: in the plan; the entry comes first
	ways   [][]way
	groups [][]int   // steps that lead to one another, each group behind those that it leads to
	group  []int     // by step
	parts  [][][]int // by group: the same, along the ways that have no bound
}

// way is a way on from a step.
type way struct {
	to      int // in the area, or atEnd
	outcome wf.Outcome
	visits  int // how often a frame may go it; 0: any number of times
}

func (p *previewer) flow(w *wf.Workflow, around []*wf.Workflow, at, name string) *flow {
	if f := p.flows[w]; f != nil {
		return f
	}
	f := &flow{w: w, around: around, at: at, name: name, index: map[string]int{}, out: map[string][]wf.Edge{}, inner: map[entry]*area{}, forks: map[string]int{}}
	p.flows[w] = f
	p.order = append(p.order, f)
	for i, s := range w.Nodes {
		if s == nil {
			continue
		}
		if _, twice := f.index[s.StepID()]; !twice {
			f.index[s.StepID()] = i
		}
		if fork, ok := s.(*wf.ForkStep); ok {
			if _, twice := f.forks[fork.Join]; !twice {
				f.forks[fork.Join] = i
			}
		}
	}
	for _, e := range w.Edges {
		f.out[e.From] = append(f.out[e.From], e)
	}
	f.root = f.area(w.Start, "")
	for _, i := range f.reached() {
		if s, ok := w.Nodes[i].(*wf.SubgraphStep); ok {
			p.child(f, s)
		}
	}
	return f
}

// child is the workflow that a step runs; nil if it is not here.
func (p *previewer) child(f *flow, s *wf.SubgraphStep) (*flow, bool) {
	scopes := append(slices.Clip(f.around), f.w)
	for i, w := range slices.Backward(scopes) {
		if inner := w.Workflows[s.Workflow]; inner != nil {
			outer := p.flows[w]
			name := s.Workflow
			if outer.name != "" {
				name = outer.name + "/" + name
			}
			return p.flow(inner, scopes[:i+1:i+1], outer.at+"/workflows/"+escape(s.Workflow), name), true
		}
	}
	if p.opts.Workflows != nil && strings.Contains(s.Workflow, "@") {
		if w, ok := p.opts.Workflows(s.Workflow); ok && w != nil {
			return p.flow(w, nil, "", s.Workflow), true
		}
	}
	return nil, false
}

// contract is that of a capability: the plan's, else the one at hand; nil if there is none.
func (p *previewer) contract(f *flow, ref string) *wf.NodeDef {
	for _, w := range slices.Backward(append(slices.Clip(f.around), f.w)) {
		for _, def := range w.NodeDefs {
			if def != nil && def.Name == ref {
				// left out, it is the source's; and the plan cannot make it harmless
				if live := p.live(ref); live != nil && (def.Effect == "" || live.Effect == wf.EffectOnce) {
					whole := *def
					whole.Effect = live.Effect
					return &whole
				}
				return def
			}
		}
	}
	return p.live(ref)
}

func (p *previewer) live(ref string) *wf.NodeDef {
	if p.opts.Nodes == nil {
		return nil
	}
	def, _ := p.opts.Nodes(ref)
	return def
}

func (f *flow) pointer(step int) string { return f.at + "/nodes/" + strconv.Itoa(step) }

var escaper = strings.NewReplacer("~", "~0", "/", "~1")

func escape(token string) string { return escaper.Replace(token) }

// enters reports whether an outcome of a step enters a region.
func enters(s wf.Step, o wf.Outcome) bool {
	switch s := s.(type) {
	case *wf.ForeachStep:
		return o == outcomeItem
	case *wf.ForkStep:
		return slices.ContainsFunc(s.Branches, func(b wf.ForkBranch) bool { return b.Outcome == o })
	}
	return false
}

// area follows the ways from a step to the end of its region, which is the join, or whatever ends an item or the workflow.
func (f *flow) area(start, join string) *area {
	a := &area{}
	position := map[int]int{}
	meet := func(id string) int {
		i, ok := f.index[id]
		if !ok || id == join {
			return atEnd
		}
		at, met := position[i]
		if !met {
			at = len(a.steps)
			position[i] = at
			a.steps = append(a.steps, i)
		}
		return at
	}
	meet(start)
	for at := 0; at < len(a.steps); at++ {
		s := f.w.Nodes[a.steps[at]]
		var ways []way
		if fork, ok := s.(*wf.ForkStep); ok {
			ways = append(ways, way{to: meet(fork.Join), outcome: outcomeDone})
		}
		if _, ok := s.(*wf.EndStep); ok {
			ways = append(ways, way{to: atEnd})
		}
		for _, e := range f.out[s.StepID()] {
			if enters(s, e.Outcome) {
				continue
			}
			ways = append(ways, way{meet(e.To), e.Outcome, e.MaxVisits})
			if e.Exhausted != "" {
				ways = append(ways, way{meet(e.Exhausted), e.Outcome, 0})
			}
		}
		a.ways = append(a.ways, ways)
	}
	a.arrange()
	for _, i := range a.steps {
		f.enter(i)
	}
	return a
}

// enter finds the regions of a step, once.
func (f *flow) enter(i int) {
	s := f.w.Nodes[i]
	join := ""
	if fork, ok := s.(*wf.ForkStep); ok {
		join = fork.Join
	}
	for _, e := range f.out[s.StepID()] {
		key := entry{i, e.Outcome}
		if _, known := f.inner[key]; known || !enters(s, e.Outcome) {
			continue
		}
		f.inner[key] = &area{} // for a plan in which a region is within itself
		f.inner[key] = f.area(e.To, join)
	}
}

// reached lists the steps that the start leads to, in the order of the plan.
func (f *flow) reached() []int {
	is := map[int]bool{}
	mark := func(a *area) {
		for _, i := range a.steps {
			is[i] = true
		}
	}
	mark(f.root)
	for _, a := range f.inner {
		mark(a)
	}
	var list []int
	for i := range f.w.Nodes {
		if is[i] {
			list = append(list, i)
		}
	}
	return list
}
