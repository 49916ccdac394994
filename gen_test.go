package wf

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
)

// planGen makes random plans that can be written and read: every kind of step, operand and condition, in odd
// combinations that no validator would pass.
type planGen struct{ *rand.Rand }

func newPlanGen(seed uint64) planGen { return planGen{rand.New(rand.NewPCG(seed, 7))} }

// maybe is true one time in n.
func (g planGen) maybe(n int) bool { return g.IntN(n) == 0 }

func (g planGen) pick(words ...string) string { return words[g.IntN(len(words))] }

func times[T any](n int, make func(i int) T) []T {
	var list []T
	for i := range n {
		list = append(list, make(i))
	}
	return list
}

func (g planGen) id() string {
	return g.pick("a", "b", "step_1", "x-y", "9lives", "done", "ok", "item")
}

func (g planGen) memberName() string {
	return g.pick("title", "odd name", "", `quo"te`, "größe", "local", "state", "steps", "0", "a.b", "x]", "-", "{b}", "\u2028", "~/")
}

func (g planGen) parts(n int) []Part {
	return times(n, func(int) Part {
		if g.maybe(4) {
			return indexPart(g.IntN(3))
		}
		return namePart(g.memberName())
	})
}

func (g planGen) path(root Root) Path { return Path{Root: root, Parts: g.parts(g.IntN(4))} }

func (g planGen) anyPath() *Path {
	p := g.path(roots[g.IntN(len(roots))])
	return &p
}

func (g planGen) literal() json.RawMessage {
	return json.RawMessage(g.pick(`null`, `true`, `0`, `-1.5`, `1e300`, `"text"`, `"state.x"`, `""`, `"{a}"`, `[]`, `{}`,
		`["a",{"b":[1]}]`, `{"path":"state.x"}`, `12345678901234567890123`, `"<&>"`))
}

func (g planGen) operand(depth int) Operand {
	var o Operand
	switch n := g.IntN(6); {
	case n == 0 || depth == 0:
		o.Path = g.anyPath()
	case n == 1:
		o.Value = g.literal()
	case n == 2:
		o.Text = append([]Operand{}, times(g.IntN(4), func(int) Operand { return g.textPart() })...)
	case n == 3:
		o.Object = map[string]Operand{}
		for range g.IntN(3) {
			o.Object[g.memberName()] = g.operand(depth - 1)
		}
	case n == 4:
		o.List = append([]Operand{}, times(g.IntN(3), func(int) Operand { return g.operand(depth - 1) })...)
	default:
		o.Path = g.anyPath()
	}
	if g.maybe(6) {
		o.Default = g.literal()
	}
	return o
}

func (g planGen) textPart() Operand {
	if g.maybe(2) {
		return Operand{Value: json.RawMessage(g.pick(`"lit"`, `"{"`, `"}}"`, `""`, `5`, `true`, `"{state.x}"`, `"$"`))}
	}
	o := Operand{Path: g.anyPath()}
	if g.maybe(5) {
		o.Default = json.RawMessage(`""`)
	}
	return o
}

func (g planGen) conditionOperand() *Operand {
	o := g.operand(2)
	if g.maybe(4) {
		of := o
		o = Operand{Length: &of}
	}
	return &o
}

func (g planGen) condition(depth int) *Condition {
	op := operators[g.IntN(len(operators))]
	if depth == 0 {
		op = "exists"
	}
	c := &Condition{Op: op}
	switch op {
	case "and", "or":
		c.Args = times(1+g.IntN(3), func(int) *Condition { return g.condition(depth - 1) })
	case "not":
		c.Arg = g.condition(depth - 1)
	case "matches":
		c.Left, c.Pattern = g.conditionOperand(), g.pick("", "^a+$", `\d`)
	case "is":
		c.Left, c.Type = g.conditionOperand(), g.pick(jsonTypes...)
	case "exists":
		c.Path = g.anyPath()
	case "any", "all":
		c.Over, c.As, c.Check = g.conditionOperand(), g.id(), g.condition(depth-1)
	default:
		c.Left, c.Right = g.conditionOperand(), g.conditionOperand()
	}
	return c
}

func (g planGen) inputs() []InputBinding {
	return times(g.IntN(4), func(int) InputBinding {
		return InputBinding{Target: g.path(RootLocal), Operand: g.operand(3)}
	})
}

func (g planGen) outputs() []OutputBinding {
	return times(g.IntN(4), func(int) OutputBinding {
		b := OutputBinding{Target: g.path(RootState), IfAbsent: g.pick("", "", "", AbsentKeep, AbsentUnset, AbsentFail)}
		if g.maybe(3) {
			o := g.operand(3)
			b.Operand = &o
		} else {
			p := g.path(RootLocal)
			b.Source = &p
		}
		return b
	})
}

func (g planGen) schema() Schema {
	return Schema(g.pick("", "", `{}`, `{"type":"object","properties":{"a":{"type":"string"}}}`, `{"x-reducer":"append"}`))
}

func (g planGen) nilSchema() Schema {
	if s := g.schema(); len(s) > 0 {
		return s
	}
	return nil
}

func (g planGen) seconds() float64 { return []float64{0, 0, 1, 0.25, 1e9}[g.IntN(5)] }

func (g planGen) retry() *Retry {
	if g.maybe(2) {
		return nil
	}
	r := &Retry{MaxAttempts: g.IntN(4), Backoff: []float64{0, 1, 2.5}[g.IntN(3)], TotalSeconds: g.seconds()}
	if g.maybe(2) {
		r.On = []Code{"timeout", "no_stock"}
	}
	return r
}

func (g planGen) workflow(depth int) *Workflow {
	w := &Workflow{Name: "plan", Description: g.pick("", "What it does"), InputSchema: g.nilSchema(), OutputSchema: g.nilSchema(), Output: g.inputs()}
	w.Nodes, w.Edges = []Step{}, []Edge{}
	if g.maybe(3) {
		w.StateSchema = Schema(`{"type":"object","properties":{"a":{"x-reducer":"wf.std.append"},"b":{}}}`)
	}
	if g.maybe(3) {
		w.Outcomes = []Outcome{"ok", "gave_up"}
	}
	if g.maybe(4) {
		w.Limits = &Limits{MaxSteps: g.Int64N(100), MaxDepth: g.IntN(5), TimeoutSeconds: g.seconds()}
	}
	for range g.IntN(3) {
		w.NodeDefs = append(w.NodeDefs, &NodeDef{Name: g.pick("src.a", "src.b", "x.y.z"), InputSchema: g.nilSchema(), Retry: g.retry(),
			Effect: Effect(g.pick("", "pure", "once")), TimeoutSeconds: g.seconds(), Outcomes: [][]Outcome{nil, {"ok"}, {"yes", "no"}, {"only"}}[g.IntN(4)]})
	}
	for range g.IntN(3) * min(depth, 1) {
		if w.Workflows == nil {
			w.Workflows = map[string]*Workflow{}
		}
		w.Workflows[g.pick("child", "other.one")] = g.workflow(depth - 1)
	}
	for i := range g.IntN(6) {
		w.Nodes = append(w.Nodes, g.step(fmt.Sprintf("%s%d", g.id(), g.IntN(i+2))))
	}
	for range g.IntN(8) {
		w.Edges = append(w.Edges, g.edge(w))
	}
	if g.maybe(2) {
		w.Start = g.id()
	}
	return w
}

func (g planGen) edge(w *Workflow) Edge {
	e := Edge{From: g.id(), Outcome: Outcome(g.pick("ok", "done", "item", "true", "false", "yes", "only", "unmet")), To: g.pick(g.id(), ToEnd, ToContinue, ToDiscard)}
	if len(w.Nodes) > 0 && !g.maybe(5) {
		e.From = w.Nodes[g.IntN(len(w.Nodes))].StepID()
	}
	if g.maybe(4) {
		e.MaxVisits, e.Exhausted = 1+g.IntN(5), g.pick("", "a")
	}
	return e
}
