package wf

import (
	"strings"
)

// What cannot be read leaves a hole: a value that no plan can hold, in the place of what was meant. So reading goes on,
// and so does the check of what is around it, which passes over holes and over all that only follows from them. A plan
// with holes is never handed out.
const (
	hole       = "\x00"     // a name, an outcome, a word, the root of a path, the operator of a condition, a schema
	holeStep   = hole + "s" // the capability of a step of which only the id and the edges are known
	holeNumber = -(1 << 31) // a count or a number of seconds
)

// isHole reports whether a text stands for one that could not be read.
func isHole[T ~string](s T) bool { return strings.HasPrefix(string(s), hole) }

func holePath() Path { return Path{Root: hole} }

// isHole reports whether a path stands for one that could not be read.
func (p *Path) isHole() bool { return isHole(p.Root) }

func holeOperand() Operand {
	p := holePath()
	return Operand{Path: &p}
}

func holeCondition() *Condition { return &Condition{Op: hole} }

// holeInputs are bindings of which nothing is known: neither their places nor their number.
func holeInputs() []InputBinding {
	return []InputBinding{{Target: holePath(), Operand: holeOperand()}}
}

func holeOutputs() []OutputBinding {
	source := holePath()
	return []OutputBinding{{Source: &source, Target: holePath()}}
}

// newHoleStep stands for a step that could not be read.
func newHoleStep(id string) Step {
	return &NodeStep{StepCommon: StepCommon{ID: id}, Node: holeStep, Input: holeInputs(), Output: holeOutputs()}
}

// isHoleStep reports whether a step stands for one of an unknown kind.
func isHoleStep(s Step) bool {
	node, ok := s.(*NodeStep)
	return ok && node.Node == holeStep
}

// fillHoles makes a workflow one that could not be read.
func (w *Workflow) fillHoles() {
	*w = Workflow{Format: Format, Name: hole, Start: hole, InputSchema: Schema(hole), StateSchema: Schema(hole), OutputSchema: Schema(hole),
		Outcomes: []Outcome{hole}, Output: holeInputs(), Nodes: []Step{newHoleStep(hole)}, Edges: []Edge{}}
}
