package edit

import (
	"encoding/json"
	"slices"

	"lda.chat/wf"
	"lda.chat/wf/internal/value"
)

// Doc is a draft's document: JSON of the plan format, as far as it is written. It never changes and may be shared.
type Doc struct {
	text []byte
	root value.Value
}

// Options are what edits may know beside the document. Nil knows nothing.
type Options struct {
	// Nodes finds the contracts of capabilities that the plan does not hold itself: their outcomes decide which edges an inserted step
	// needs, their schemas are what [Bind] declares.
	Nodes func(ref string) (*wf.NodeDef, bool)
	// Workflows finds the plans of saved workflows, which steps run by name@version: what their outcomes and schemas are.
	Workflows func(ref string) (plan []byte, ok bool)
	// KnownRefs lists the refs that Nodes knows, for suggestions only.
	KnownRefs func() []string
	// Reducers finds reducers that the host has beside the standard ones.
	Reducers func(name string) (wf.ReducerSpec, bool)
}

// New returns the document of a plan that has a name and no steps. The name may hold letters, digits, "_", "-" and ".".
func New(name string) (*Doc, error) {
	text := "{\n  \"name\": " + string(value.String(name).JSON()) + ",\n  \"nodes\": [\n  ]\n}\n"
	d, err := docOf([]byte(text))
	if err == nil {
		err = mistakes(nil, d)
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// FromPlan returns the document that a text is: a JSON object, which need not be a plan that can be read yet. The text stays as it is,
// unless it is a plan in one of the older forms, which is written in today's.
func FromPlan(text []byte) (*Doc, error) {
	d, err := docOf(text)
	if err != nil {
		return nil, err
	}
	if isOlder(d.root) {
		if w, _ := wf.ParseWorkflow(text); w != nil {
			if d, err = docOf(w.Short()); err != nil {
				return nil, err
			}
		}
	}
	return d, nil
}

func docOf(text []byte) (*Doc, *Error) {
	doc, err := value.ParseDocument(text)
	if err != nil {
		_, found := wf.ParseWorkflow(text)
		return nil, &Error{Found: "a text that is no JSON", Expected: "a plan, which is a JSON object", Diagnostics: found}
	}
	if doc.Root.Kind() != value.KindObject {
		return nil, &Error{Found: describe(doc.Root), Expected: "a plan, which is a JSON object"}
	}
	return &Doc{slices.Clone(text), doc.Root}, nil
}

// isOlder reports whether a plan, or one in it, has members of the older forms.
func isOlder(plan value.Value) bool {
	if plan.Get("state_schema").Kind() == value.KindArray {
		return true
	}
	for _, field := range plan.Get("state_schema").Get("properties").Members() {
		if !field.Get("merge_strategy").IsAbsent() {
			return true
		}
	}
	for _, step := range plan.Get("nodes").Items() {
		for _, older := range []string{"in_map", "input_values", "out_map"} {
			if !step.Get(older).IsAbsent() {
				return true
			}
		}
	}
	for _, nested := range plan.Get("workflows").Members() {
		if isOlder(nested) {
			return true
		}
	}
	return false
}

// JSON returns the document's text, which is the caller's to keep.
func (d *Doc) JSON() []byte { return slices.Clone(d.text) }

// Check returns what the validator finds in the document, as [wf.CheckText] does. The workflow is nil while it cannot be read.
func (d *Doc) Check(o *Options) (*wf.Workflow, wf.Diagnostics) {
	return wf.CheckText(d.text, o.validate())
}

func (o *Options) validate() *wf.ValidateOptions {
	if o == nil {
		return nil
	}
	return &wf.ValidateOptions{Nodes: o.Nodes, KnownRefs: o.KnownRefs, Reducers: o.Reducers}
}

// Apply makes edits one after the other, or none of them: an error, which is an [*Error], leaves nothing changed. The report says what
// all of them did together.
func (d *Doc) Apply(edits []Edit, o *Options) (*Doc, *Report, error) {
	now, report := d, &Report{Changes: []Change{}}
	for i, e := range edits {
		next, err := now.apply(e, i, o, report)
		if err != nil {
			err.Edit, err.Op = i, opOf(e)
			return nil, nil, err
		}
		now = next
	}
	report.Open = opened(d, now, edits, o)
	return now, report, nil
}

// apply makes one edit.
func (d *Doc) apply(e Edit, i int, o *Options, report *Report) (*Doc, *Error) {
	if opOf(e) == "" {
		return nil, &Error{Found: "an edit that is nil", Expected: "one of the operations"}
	}
	if o == nil {
		o = &Options{}
	}
	s := &session{doc: d, root: d.root, options: o}
	if err := e.edit(s); err != nil {
		return nil, err
	}
	next, err := s.finish()
	if err != nil {
		return nil, err
	}
	if !isRaw(e) {
		if err := mistakes(d, next); err != nil {
			return nil, err
		}
	}
	for _, c := range s.changes {
		c.Edit = i
		report.Changes = append(report.Changes, c)
	}
	return next, nil
}

// raw reads a member of an edit that is JSON; absent if it was left out.
func raw(text json.RawMessage, member string) (value.Value, *Error) {
	if text == nil {
		return value.Value{}, nil
	}
	v, err := value.Parse(text)
	if err != nil {
		return v, &Error{Found: "a text that is no JSON in " + quote(member), Expected: "JSON", Hint: err.Error()}
	}
	return v, nil
}
