package wf

import "lda.chat/wf/internal/value"

// CheckText reads a plan like [ParseWorkflow] and checks it like [Validate], and returns the findings of both at once, each
// once, in the order of [Diagnostics.Sort]. A mistake of reading does not hide the others: what is known to be meant is
// checked as if it were repaired, and only what cannot be read, and what follows from it, is left out. opts may be nil.
//
// The Workflow is nil if the text cannot be read without an error, as with ParseWorkflow; then all places are those of the
// text, and what Validate finds has no fixes yet, since those apply to the canonical form. Otherwise the Workflow is
// returned even if it is not valid: see [Diagnostics.HasErrors].
func CheckText(data []byte, opts *ValidateOptions) (*Workflow, Diagnostics) {
	doc, err := value.ParseDocument(data)
	if err != nil {
		return nil, named(Diagnostics{syntaxDiagnostic(err)}, opts)
	}
	r := &reader{doc: doc, places: newTextPlaces()}
	w := r.plan(len(data))
	found := named(r.diags, opts)
	if r.isLocked { // the rest of the plan was not looked at
		found.Sort()
		return nil, found
	}
	checked := validate(w, opts, r.failed())
	if !r.failed() {
		found = append(found, checked...)
		found.Sort()
		return w, found
	}
	for i := range checked {
		d := &checked[i]
		d.moveToText(r.places, doc.Root, w)
		if i < maxDiagnostics { // each reads the text from its start
			d.Line, d.Column, _ = doc.Position(d.Path)
		}
	}
	found = append(found, checked...)
	found.Sort()
	return nil, found
}

// moveToText gives a finding the places of a text that has no canonical form.
func (d *Diagnostic) moveToText(places *textPlaces, text value.Value, w *Workflow) {
	d.Path = places.find(text, w, d.Path)
	for i := range d.Related {
		d.Related[i].Path = places.find(text, w, d.Related[i].Path)
	}
	d.Fixes = nil
}

// named fills in the document.
func named(found Diagnostics, opts *ValidateOptions) Diagnostics {
	if opts != nil {
		for i := range found {
			found[i].Doc = opts.Doc
		}
	}
	return found
}
