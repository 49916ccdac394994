package wf

import "slices"

// FixedPlan is a plan after its safe fixes.
type FixedPlan struct {
	Text     []byte       // the plan, repaired as far as it could be
	Workflow *Workflow    // what Text says; nil: it still cannot be read
	Applied  []AppliedFix // in the order in which they were applied
	Left     Diagnostics  // what is still found in Text, placed as by [CheckText]
	Stopped  bool         // there may be more to repair: the bound on work was reached
}

// AppliedFix is a fix that was applied, and the finding that it removed.
type AppliedFix struct {
	Title   string `json:"title"` // of the fix
	Code    Code   `json:"code"`
	Path    string `json:"path"` // JSON Pointer of the finding, into the plan as it was then
	Step    string `json:"step,omitempty"`
	Message string `json:"message"`
}

// Bounds on how often, and over how many bytes, a plan is read again.
const (
	maxFixAttempts = 1000
	maxFixBytes    = 256 << 20
)

// ApplySafeFixes repairs a plan's text by the fixes that its findings call safe: those that leave its meaning alone. They
// are applied one at a time. After each the plan is read and validated again, and the fix is kept only if the finding is
// gone and no other error has come; else the plan stays as it was before that fix. One text always gives one result.
//
// The text stays as it was written wherever no fix reaches: the order of members, white space and digits. Only where a fix
// is about the canonical form, and the text has no such place, is the whole text written anew, in the form that it had: short
// if its steps have next or on, or if it has no list of edges.
//
// Text that is no JSON is returned as it is, with its one finding.
func ApplySafeFixes(text []byte, opts *ValidateOptions) *FixedPlan {
	plan := newFixer(func(w *Workflow) Diagnostics { return Validate(w, opts) }).run(text)
	if plan.Workflow == nil {
		_, plan.Left = CheckText(plan.Text, opts)
	}
	return plan
}

// ApplySafeFixes is the function of that name, with the capabilities and reducers at hand. What is left is what
// [Runtime.Check] finds.
func (rt *Runtime) ApplySafeFixes(text []byte) *FixedPlan {
	plan := newFixer(rt.validate).run(text)
	if plan.Workflow == nil {
		_, plan.Left = rt.CheckText(plan.Text)
	} else if !plan.Left.HasErrors() { // what keeps it from being compiled was not looked for
		_, read := ParseWorkflow(plan.Text)
		plan.Left = slices.Concat(read, rt.Check(plan.Workflow))
		plan.Left.Sort()
	}
	return plan
}
