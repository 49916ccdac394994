package lifecycle

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"lda.chat/wf"
	"lda.chat/wf/internal/jsonpatch"
	"lda.chat/wf/internal/value"
	"lda.chat/wf/lifecycle/edit"
)

// ShowDraft implements [Drafts].
func (s *Service) ShowDraft(ctx context.Context, p *ShowDraft) (*Draft, error) {
	v := p.DraftView
	if v.Form == "" {
		v.Form = formShort
	}
	d, c, err := s.lookAt(ctx, p.DraftID, v)
	if err != nil {
		return nil, err
	}
	view := s.showDraft(ctx, d, c, v, "drafts.show")
	for _, k := range slices.Backward(d.Kept) {
		view.Undo = append(view.Undo, UndoPoint{Revision: k.Revision, At: k.At, Until: k.Until})
	}
	return view, nil
}

// ValidateDraft implements [Drafts].
func (s *Service) ValidateDraft(ctx context.Context, p *ValidateDraft) (*Draft, error) {
	d, c, err := s.lookAt(ctx, p.DraftID, p.DraftView)
	if err != nil {
		return nil, err
	}
	return s.showDraft(ctx, d, c, p.DraftView, "drafts.validate"), nil
}

func (s *Service) lookAt(ctx context.Context, id string, v DraftView) (*draft, *checked, error) {
	if err := v.check(); err != nil {
		return nil, nil, err
	}
	d, err := s.loadDraft(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	c, err := s.checkDraft(ctx, d)
	return d, c, err
}

func (v DraftView) check() error { return checkForm(v.Form) }

func checkForm(form string) error {
	switch form {
	case "", formShort, formCanonical, formWritten, formNone:
		return nil
	}
	return badParam("form", "there is no form %q: expected short, canonical, written or none", clip(form))
}

// checkDraft finds all that is to be said of a draft's plan.
func (s *Service) checkDraft(ctx context.Context, d *draft) (*checked, error) {
	text := []byte(d.Document)
	c, err := s.check(ctx, text, d.Sources)
	if err != nil {
		return nil, err
	}
	root, _ := value.Parse(text)
	for name := range root.Get("workflows").Members() {
		if _, _, isSaved := splitArtifact("artifact", name); isSaved == nil {
			c.found = append(c.found, wf.Diagnostic{Severity: wf.SeverityError, Code: "name_invalid", Path: "/workflows/" + escape(name),
				Message:    fmt.Sprintf("a workflow inside a draft has the name of a saved one: %q", clip(name)),
				RepairHint: "remove it, so that the saved one is run; or give it a name of its own, in the steps that run it too"})
		}
	}
	c.found.Sort()
	for i := range c.found {
		f := &c.found[i]
		if f.Doc == "" {
			f.Doc = d.subject()
		}
		f.Line, f.Column = 0, 0 // of a text that nobody has seen
	}
	d.Summary = summary{Steps: root.Get("nodes").Len()}
	d.Summary.Name, _ = root.Get("name").AsString()
	for _, f := range c.found {
		switch f.Severity {
		case wf.SeverityError:
			if d.Summary.Errors++; d.Summary.Errors == 1 {
				d.Summary.First = f.Code
			}
		case wf.SeverityWarning:
			d.Summary.Warnings++
		}
	}
	return c, nil
}

// showDraft tells how a draft stands, of which is known what is found in it, to somebody who did something with it.
func (s *Service) showDraft(ctx context.Context, d *draft, c *checked, v DraftView, did string) *Draft {
	view := &Draft{DraftID: d.id, Revision: d.revision, Name: d.Summary.Name, Title: d.Title, From: d.From, Deployment: d.Deployment, Sources: d.Sources, Steps: d.Summary.Steps,
		Errors: d.Summary.Errors, Warnings: d.Summary.Warnings, Created: d.Created, Updated: d.Updated, Diagnostics: slices.Clone(c.found)}
	if view.Diagnostics == nil {
		view.Diagnostics = wf.Diagnostics{}
	}
	doc := fmt.Sprintf("%s@%d", d.subject(), d.revision)
	for i := range view.Diagnostics {
		if view.Diagnostics[i].Doc == d.subject() {
			view.Diagnostics[i].Doc = doc
		}
	}
	if more := len(view.Diagnostics) - Most; more > 0 && !v.Full {
		view.Diagnostics = view.Diagnostics[:Most]
		view.Omitted = append(view.Omitted, Omitted{Field: "diagnostics", Count: more})
	}
	d.addCalls(view.Diagnostics, c)
	view.Plan, view.Form = d.plan(c, v.Form)
	if n := len(view.Plan); n > planBound && !v.Full {
		view.Plan, view.Omitted = nil, append(view.Omitted, Omitted{Field: "plan", Bytes: n})
	}
	view.Advice = s.draftAdvice(ctx, d, c, view.Diagnostics, did)
	return view
}

// plan writes the draft's plan in a form, and says which one that is.
func (d *draft) plan(c *checked, form string) (json.RawMessage, string) {
	switch {
	case form == "" || form == formNone:
		return nil, ""
	case form == formWritten || c.workflow == nil:
		return json.RawMessage(d.Document), formWritten
	case form == formCanonical:
		return unlinked(c.workflow, c.children).Canonical(), formCanonical
	}
	return shortOf(c.workflow, c.children), formShort
}

// shortOf is the short form of a plan without the copies of saved workflows that it runs. It is written with them: what a step's
// next stands for follows from their outcomes.
func shortOf(w *wf.Workflow, children []Pin) json.RawMessage {
	text := w.Short()
	if len(children) == 0 {
		return text
	}
	var remove []any
	if len(w.Workflows) == len(children) {
		remove = append(remove, map[string]string{"op": "remove", "path": "/workflows"})
	} else {
		for _, c := range children {
			remove = append(remove, map[string]string{"op": "remove", "path": "/workflows/" + escape(c.Artifact)})
		}
	}
	doc, err := edit.FromPlan(text)
	if err != nil {
		return text
	}
	patch, _ := json.Marshal(remove)
	if doc, _, err = doc.Apply([]edit.Edit{&edit.Patch{Patch: patch}}, nil); err != nil {
		return text
	}
	return doc.JSON()
}

// addCalls gives the fixes of findings the calls that make them, where they can be made: those of reading are for the text, those of
// checking for the canonical form.
func (d *draft) addCalls(found wf.Diagnostics, c *checked) {
	written, _ := value.Parse([]byte(d.Document))
	canonical := value.Value{}
	if c.workflow != nil {
		canonical, _ = value.Parse(unlinked(c.workflow, c.children).Canonical())
	}
	for i := range found {
		fixes := slices.Clone(found[i].Fixes)
		for j := range fixes {
			f := &fixes[j]
			patch, err := jsonpatch.ParseText(f.Patch)
			if err != nil || f.Patch == nil || f.Call != nil {
				continue
			}
			p := PatchDraft{DraftChange: DraftChange{DraftID: d.id, Revision: d.revision}, Patch: f.Patch}
			if _, err := jsonpatch.Apply(written, patch, nil); err != nil {
				if _, err := jsonpatch.Apply(canonical, patch, nil); err != nil {
					continue
				}
				p.Of = formCanonical
			}
			if params, err := json.Marshal(p); err == nil {
				f.Call = &wf.FixCall{Method: "drafts.patch", Params: params}
			}
		}
		found[i].Fixes = fixes
	}
}

// ListDrafts implements [Drafts].
func (s *Service) ListDrafts(ctx context.Context, p *ListDrafts) (*DraftList, error) {
	limit, bad := pageLimit(p.Limit)
	if bad != nil {
		return nil, bad
	}
	page, err := s.store.ScanRecords(ctx, kindDraft, p.Prefix, p.Cursor, limit)
	if err != nil {
		return nil, errorOf(err)
	}
	list := &DraftList{Drafts: make([]ListedDraft, 0, len(page.Records)), Next: page.Next}
	for _, r := range page.Records {
		d := &draftHead{} // without the plans
		if err := json.Unmarshal(r.Value, d); err != nil {
			return nil, damaged(kindDraft, r.Key, err)
		}
		list.Drafts = append(list.Drafts, ListedDraft{DraftID: r.Key, Revision: r.Revision, Name: d.Summary.Name, Title: d.Title, Steps: d.Summary.Steps,
			Errors: d.Summary.Errors, Warnings: d.Summary.Warnings, First: d.Summary.First, Created: d.Created, Updated: d.Updated})
	}
	list.Advice = list.advice(p)
	return list, nil
}
