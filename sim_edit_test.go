package wf

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A plan that was damaged is refused, or it runs as well as any other.
func TestSimulationOfDamagedPlans(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		g := &simGen{t: t, wild: true}
		g.room = 4 + g.n(30)
		text := planText(g.flow("sim", 2).w)
		w, diags := ParseWorkflow([]byte(text))
		if diags.HasErrors() {
			t.Fatalf("a generated plan cannot be read: %v\n%s", diags.Err(), text)
		}
		if again := planText(w); again != text {
			t.Fatalf("a plan that was read is written otherwise:\n%s\nbefore:\n%s", again, text)
		}
		for range 1 + g.n(2) {
			g.damage(w)
		}
		if w.Limits == nil {
			w.Limits = &Limits{}
		}
		w.Limits.MaxSteps = 150 // some have cycles now that nothing ends
		prog, diags := simRuntime.prepare(w)
		if diags.HasErrors() {
			return
		}
		simRun(t, &simFlow{w: w}, prog, rapid.Uint64().Draw(t, "seed"), true)
	})
}

// damage changes a plan in one place, as a hasty hand would.
func (g *simGen) damage(w *Workflow) {
	for len(w.Workflows) > 0 && g.maybe(3) {
		names := keysOf(w.Workflows)
		w = w.Workflows[names[g.n(len(names))]]
	}
	s := w.Nodes[g.n(len(w.Nodes))]
	other := w.Nodes[g.n(len(w.Nodes))]
	switch edge := g.n(max(len(w.Edges), 1)); g.n(12) {
	case 0, 1, 2:
		if len(w.Edges) > 0 {
			g.damageEdge(w, edge, other.StepID())
		}
	case 3:
		w.Nodes = slices.DeleteFunc(w.Nodes, func(x Step) bool { return x == s })
		if len(w.Nodes) == 0 {
			w.Nodes = []Step{s}
		}
	case 4:
		s.common().ID = g.pick("renamed", other.StepID())
	case 5:
		w.Start = other.StepID()
	case 6:
		w.StateSchema = bytes.Replace(w.StateSchema, []byte(g.pick(`"a":{"type":"integer","default":0}`, `"default":[]`, `"x-reducer":"wf.std.add",`, `wf.std.append`)),
			[]byte(g.pick(`"a":{"type":"string"}`, `"default":{}`, ``, `wf.std.extend`)), 1)
	case 7:
		w.Outcomes = []Outcome{Outcome(g.pick("ok", "other", "third"))}
	case 8, 9, 10:
		g.damageStep(w, s, other.StepID())
	default:
		s.common().Catch = []Catch{{Codes: []Code{Code(g.pick("*", "timeout", "no_such"))}, Outcome: Outcome(g.pick("caught", "done", "ok"))}}
	}
}

func keysOf(m map[string]*Workflow) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (g *simGen) damageEdge(w *Workflow, i int, step string) {
	e := &w.Edges[i]
	switch g.n(7) {
	case 0:
		w.Edges = slices.Delete(w.Edges, i, i+1)
	case 1:
		e.To = step
	case 2:
		e.To = g.pick(ToEnd, ToContinue, ToDiscard)
	case 3:
		e.Exhausted, e.MaxVisits = g.pick("", step, ToContinue, ToEnd), g.n(3)
	case 4:
		e.From = step
	case 5:
		e.Outcome = Outcome(g.pick("ok", "done", "item", "unmet", "late"))
	case 6:
		w.Edges = append(w.Edges, Edge{From: e.From, Outcome: Outcome(g.pick(string(e.Outcome), "ok", "done")), To: step})
	}
}

func (g *simGen) damageStep(w *Workflow, s Step, step string) {
	path := simPath(Root(g.pick("state", "steps", "item", "input", "context")), g.pick("a", "any", step, "log", "visit"), "n")
	o := simRead(path)
	switch s := s.(type) {
	case *NodeStep:
		switch g.n(3) {
		case 0:
			s.Node = g.pick("sim.pick", "sim.work", "sim.none")
		case 1:
			s.Output = append(s.Output, OutputBinding{Operand: &o, Target: simPath(RootState, g.pick("any", "a", "mo", "ext"))})
		default:
			s.Input = append(s.Input, InputBinding{Target: simPath(RootLocal, "b"), Operand: o})
		}
	case *SetStep:
		s.Output = []OutputBinding{{Operand: &o, Target: simPath(RootState, g.pick("any", "a", "sum", "new"))}}
	case *ConditionStep:
		s.Check, s.Cases, s.Default = &Condition{Op: g.pick("lt", "eq", "contains"), Left: &o, Right: &Operand{Value: json.RawMessage("3")}}, nil, ""
	case *ForeachStep:
		switch g.n(3) {
		case 0:
			s.Over = o
		case 1:
			s.Mode = ModeParallel
		default:
			s.Complete = g.n(3)
		}
	case *ForkStep:
		switch g.n(3) {
		case 0:
			s.Join = step
		case 1:
			s.Branches = append(s.Branches, ForkBranch{Outcome: Outcome(g.pick("more", string(s.Branches[0].Outcome)))})
		default:
			s.Branches = s.Branches[1:]
		}
	case *InterruptStep:
		s.Outcomes = []Outcome{Outcome(g.pick("yes", "no", "maybe", "late"))}
	case *WaitStep:
		s.Seconds, s.Until = &o, nil
	case *SubgraphStep:
		s.Workflow = g.pick("sim", "none", s.Workflow)
		s.Input = append(s.Input, InputBinding{Target: simPath(RootLocal, g.pick("n", "items", "x")), Operand: o})
	case *FailStep:
		s.Catch = nil
	case *EndStep:
		s.Outcome = Outcome(g.pick("ok", "other", "none"))
		s.Output = nil
	}
}
