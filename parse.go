package wf

import (
	"errors"

	"lda.chat/wf/internal/value"
)

// Bounds of what a plan may hold. They keep the canonical form of whatever can be read readable in turn: a short
// form may grow on the way, in length and in depth.
const (
	maxPlanBytes    = 16 << 20 // of the canonical form too
	maxGrowth       = 16       // no short form is longer by more in its canonical form
	maxNesting      = 24       // operands in operands, conditions in conditions
	maxWorkflows    = 8        // workflows in workflows
	maxLiteralDepth = 64       // of a literal, of a schema
	maxDiagnostics  = 100
	maxNameLen      = 128
	maxTextLen      = 1 << 16 // of a name that is free text, a path, a pattern
	maxSeconds      = 100 * 366 * 24 * 60 * 60
	maxCount        = 1<<31 - 1
	maxSteps        = 1 << 53
)

// ParseWorkflow reads a plan: its canonical form, its short form, both mixed, and the older forms, which it rewrites.
// Reading is strict: a field that it does not know, a duplicate key, data after the end, a wrong type or a broken
// number is an error that names the place, never a silent drop. All mistakes are reported at once, in stable order,
// with a fix where a mechanical one exists; a fix's patch applies to the text as it was written. Text that is no
// JSON at all has one finding. A byte order mark and CRLF are accepted.
//
// With an error among the findings the Workflow is nil. What is returned is in canonical form: every shorthand
// resolved, defaults that have a name filled in, edges and node_defs sorted. That a plan can be read does not make it
// valid: see [Validate].
func ParseWorkflow(data []byte) (*Workflow, Diagnostics) {
	w, diags, _ := readPlan(data)
	return w, diags
}

// readPlan is [ParseWorkflow] and also counts the errors, those too that are not among the findings because there are too many.
func readPlan(data []byte) (w *Workflow, diags Diagnostics, errors int) {
	doc, err := value.ParseDocument(data)
	if err != nil {
		return nil, Diagnostics{syntaxDiagnostic(err)}, 1
	}
	r := &reader{doc: doc}
	w = r.workflow(doc.Root, "", "", nil)
	if !r.failed() && len(data) > maxPlanBytes/maxGrowth && len(w.Canonical()) > maxPlanBytes {
		r.add(Diagnostic{Code: "too_large", Message: "the plan's canonical form is larger than 16 MiB",
			RepairHint: "move data out of the plan: into the run's input, or behind a capability"})
	}
	diags = r.finish()
	if r.failed() {
		return nil, diags, r.errors
	}
	return w, diags, 0
}

// UnmarshalJSON reads a plan like [ParseWorkflow]. Its error carries all findings: see [DiagnosticsOf].
func (w *Workflow) UnmarshalJSON(data []byte) error {
	parsed, diags := ParseWorkflow(data)
	if parsed == nil {
		return diags.Err()
	}
	*w = *parsed
	return nil
}

// ParseStep reads one step, in the canonical or the short form, and the edges that its next and on stand for.
// An edge from next has the outcome that the step itself tells; for a node or a subgraph that is "ok".
func ParseStep(data []byte) (Step, []Edge, Diagnostics) {
	doc, err := value.ParseDocument(data)
	if err != nil {
		return nil, nil, Diagnostics{syntaxDiagnostic(err)}
	}
	r := &reader{doc: doc}
	w := &Workflow{}
	r.addStep(w, doc.Root, "")
	r.addRoutes(w, nil)
	diags := r.finish()
	if r.failed() {
		return nil, nil, diags
	}
	return w.Nodes[0], w.Edges, diags
}

// syntaxDiagnostic reports a text that is no JSON, or JSON that no plan can be.
func syntaxDiagnostic(err error) Diagnostic {
	d := Diagnostic{Severity: SeverityError, Code: "json_syntax", Message: err.Error()}
	var syntax *value.SyntaxError
	if errors.As(err, &syntax) {
		d.Path, d.Line, d.Column, d.Message = syntax.Pointer, syntax.Line, syntax.Column, syntax.Msg
		if syntax.Kind != "syntax" {
			d.Code = Code(syntax.Kind)
		}
	}
	d.RepairHint = syntaxHints[d.Code]
	return d
}

var syntaxHints = map[Code]string{
	"json_syntax":         "write JSON: double quotes, no comments, no comma after the last element",
	"duplicate_key":       "keep one of the members: readers disagree on which of two would count",
	"trailing_data":       "keep one JSON document: remove what follows its closing brace",
	"invalid_unicode":     "write UTF-8, and both halves of a surrogate pair",
	"too_deep":            "nest less: a plan is at most 200 levels deep",
	"too_large":           "move data out of the plan: into the run's input, or behind a capability",
	"number_out_of_range": "write the number with fewer digits or a smaller exponent, or as a string",
}
