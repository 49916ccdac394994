package cli

import (
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/internal/jsonpatch"
	"lda.chat/wf/internal/value"
)

// rebaser moves findings of the validator, which are about the canonical form, to the text of the plan. Its zero value is
// not ready.
type rebaser struct {
	plan      *planFile
	canonical value.Value
	same      bool        // the text has the canonical form already, whatever its layout
	short     value.Value // the short form; absent: not needed yet
	work      int         // how many more bytes may be read
}

// maxRebaseBytes bounds what is read to find the fixes of one plan. What is over it has findings without fixes.
const maxRebaseBytes = 128 << 20

// rebaser is that of a plan that was read.
func (p *planFile) rebaser() *rebaser {
	r := &rebaser{plan: p, work: maxRebaseBytes}
	r.canonical, _ = value.Parse(p.workflow.Canonical())
	r.same = value.Equal(r.canonical, p.doc.Root)
	return r
}

// finding moves one finding: its place, those that are related and its fixes. A fix that cannot be moved is left out, for
// whoever reads the finding has the text only.
func (r *rebaser) finding(d *wf.Diagnostic) {
	d.Path = r.place(d.Path)
	related := d.Related
	d.Related = nil
	for _, other := range related {
		other.Doc, other.Path = r.plan.name, r.place(other.Path)
		d.Related = append(d.Related, other)
	}
	fixes := d.Fixes
	d.Fixes = nil
	for _, fix := range fixes {
		if fix.Patch == nil || r.fix(&fix) {
			d.Fixes = append(d.Fixes, fix)
		}
	}
}

// place moves a place.
func (r *rebaser) place(pointer string) string {
	p, err := jsonpatch.ParsePointer(pointer)
	if err != nil {
		return ""
	}
	return textPlace(r.plan.doc.Root, r.canonical, p).String()
}

// fix moves a fix, which then makes of the text the same workflow as it made of the canonical form.
func (r *rebaser) fix(fix *wf.Fix) bool {
	patch, err := value.Parse(fix.Patch)
	if err != nil {
		return false
	}
	if r.same {
		_, ok := applied(r.plan.doc.Root, patch)
		return ok
	}
	if r.work -= 4 * len(r.plan.text); r.work < 0 {
		return false
	}
	repaired, ok := applied(r.canonical, patch)
	if !ok {
		return false
	}
	want, _ := wf.ParseWorkflow(repaired.JSON())
	if want == nil {
		return false
	}
	digest := want.Digest()
	moved := func() value.Value { return r.moved(patch) }
	changed := func() value.Value { return r.changed(want, false) }
	replaced := func() value.Value { return r.changed(want, true) }
	candidates := []func() value.Value{moved, changed, replaced}
	if isShort(r.plan.doc.Root) { // routes stay on their steps
		candidates = []func() value.Value{changed, moved, replaced}
	}
	for _, candidate := range candidates {
		if operations := candidate(); operations.Len() > 0 && r.makes(operations, digest) {
			fix.Patch = operations.JSON()
			return true
		}
	}
	return false
}

// makes reports whether a patch makes the text a workflow of this digest.
func (r *rebaser) makes(patch value.Value, digest string) bool {
	text, ok := applied(r.plan.doc.Root, patch)
	if !ok {
		return false
	}
	got, _ := wf.ParseWorkflow(text.JSON())
	return got != nil && got.Digest() == digest
}

func applied(doc, operations value.Value) (value.Value, bool) {
	patch, err := jsonpatch.Parse(operations)
	if err != nil {
		return doc, false
	}
	doc, err = jsonpatch.Apply(doc, patch, nil)
	return doc, err == nil
}

// moved moves the operations one by one, for texts that have the places of the canonical form elsewhere: edges in another
// order, or members that were left out.
func (r *rebaser) moved(patch value.Value) value.Value {
	operations := make([]value.Value, 0, patch.Len())
	for _, o := range patch.Items() {
		path, _ := o.Get("path").AsString()
		switch op, _ := o.Get("op").AsString(); op {
		case "add": // beside what is there
			if cut := strings.LastIndexByte(path, '/'); cut >= 0 {
				path = r.place(path[:cut]) + path[cut:]
			}
		default:
			path = r.place(path)
		}
		operations = append(operations, o.With("path", value.String(path)))
	}
	return value.Array(operations...)
}

// isShort reports whether steps of a plan have their edges themselves.
func isShort(plan value.Value) bool {
	for _, step := range plan.Get("nodes").Items() {
		if !step.Get("next").IsAbsent() || !step.Get("on").IsAbsent() {
			return true
		}
	}
	return plan.Get("edges").IsAbsent()
}

// changed changes in the text what differs between the short forms of the two workflows. coarse: steps are replaced whole.
func (r *rebaser) changed(want *wf.Workflow, coarse bool) value.Value {
	if r.short.IsAbsent() {
		r.short, _ = value.Parse(r.plan.workflow.Short())
	}
	wanted, err := value.Parse(want.Short())
	if err != nil {
		return value.Value{}
	}
	e := &editScript{text: r.plan.doc.Root, whole: coarse}
	e.compare(nil, r.short, wanted, wanted)
	return e.patch()
}
