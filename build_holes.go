package wf

import (
	"slices"
	"strings"

	"lda.chat/wf/internal/value"
)

// The mistakes of a chain after which more is unknown than the place where they are.
var (
	losesNames = []Code{"type_unsupported", "schema_not_object", "callable_missing", "name_conflict", "body_invalid", "body_has_no_contract"}
	losesGraph = []Code{"goto_misplaced", "body_invalid", "body_has_no_contract"}
	losesSteps = []Code{"body_invalid"}
)

// has reports whether one of the codes was found.
func (a *assembly) has(codes []Code) bool {
	return slices.ContainsFunc(a.list, func(d Diagnostic) bool { return slices.Contains(codes, d.Code) })
}

// dig leaves a hole for what cannot be known of the workflow as a whole.
func (a *assembly) dig() {
	if a.has(losesSteps) {
		a.w.Nodes = append(a.w.Nodes, newHoleStep(hole))
	}
	if a.has(losesGraph) {
		a.w.Start = hole
	}
}

// outcomesOf are the outcomes of what a step calls; one of them is a hole if some were refused.
func (a *assembly) outcomesOf(p *placed, outcomes []Outcome) []Outcome {
	if len(problemsOf(p.callable)) == 0 {
		return slices.Clone(outcomes)
	}
	return append(slices.Clone(declaredOutcomes(outcomes)), hole)
}

// digQuestion leaves holes for what a question has that is no name or number.
func (s *InterruptStep) digQuestion() {
	if !isName(s.Kind) {
		s.Kind = hole
	}
	if s.TimeoutOutcome != "" && s.TimeoutSeconds == 0 {
		s.TimeoutSeconds = holeNumber
	}
	if s.TimeoutSeconds != 0 && !isName(string(s.TimeoutOutcome)) {
		s.TimeoutOutcome = hole
	}
}

// withoutRepeatedIDs leaves out that the id of a step is no name where the start or an edge has it: it is said of the step.
func (a *assembly) withoutRepeatedIDs(found Diagnostics, root value.Value) Diagnostics {
	return slices.DeleteFunc(found, func(d Diagnostic) bool {
		if d.Code != "name_invalid" || strings.HasPrefix(d.Path, "/nodes/") {
			return false
		}
		name, ok := valueAt(root, d.Path).AsString()
		return ok && slices.ContainsFunc(a.w.Nodes, func(s Step) bool { return s.StepID() == name })
	})
}
