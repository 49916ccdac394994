package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle/edit"
)

// edits makes edits of a draft's document.
func (s *Service) edits(ctx context.Context, d *draft, until string, list ...edit.Edit) ([]edit.Change, error) {
	doc, err := d.doc()
	if err != nil {
		return nil, err
	}
	around := s.within(d.Sources)
	next, report, err := doc.Apply(list, &edit.Options{Nodes: around.Nodes, KnownRefs: around.KnownRefs, Reducers: around.Reducers,
		Workflows: func(ref string) ([]byte, bool) {
			a, failure := s.loadArtifact(ctx, "artifact", ref)
			if failure != nil {
				return nil, false
			}
			return a.Plan, true
		}})
	if err != nil {
		return nil, editError(err, d.subject())
	}
	if text := string(next.JSON()); text != d.Document {
		d.become(text, until)
	}
	return report.Changes, nil
}

// ApplyDraft implements [Drafts].
func (s *Service) ApplyDraft(ctx context.Context, p *ApplyDraft) (*Draft, error) {
	var list []edit.Edit
	if !isNothing(p.Edits) {
		var err error
		if list, err = edit.Parse(p.Edits); err != nil {
			return nil, editError(err, "edits")
		}
	}
	if len(list) == 0 && p.Title == nil && p.Sources == nil {
		return nil, badParam("edits", "there is no edit: expected edits, a title or sources")
	}
	var sources []string
	if p.Sources != nil {
		var bad *Error
		if sources, bad = s.chosen(*p.Sources); bad != nil {
			return nil, bad
		}
	}
	retry := func(revision uint64) NextAction {
		again := *p
		again.Revision = revision
		words := []string{"draft", "apply", p.DraftID, "--revision", fmt.Sprint(revision)}
		if len(list) > 0 {
			words = append(words, "--edits", string(p.Edits))
		}
		if p.Title != nil {
			words = append(words, "--title", *p.Title)
		}
		for _, id := range sources {
			words = append(words, "--source", id)
		}
		return action(toContinue, "drafts.apply", again, "the same change, of what is there now", words...)
	}
	return s.change(ctx, p.DraftChange, "drafts.apply", p.DraftView, retry, func(d *draft) ([]edit.Change, error) {
		if p.Sources != nil {
			d.Sources = sources
		}
		if p.Title != nil {
			d.Title = *p.Title
		}
		if len(list) == 0 {
			return nil, nil
		}
		return s.edits(ctx, d, "drafts.apply", list...)
	})
}

// PatchDraft implements [Drafts].
func (s *Service) PatchDraft(ctx context.Context, p *PatchDraft) (*Draft, error) {
	if isNothing(p.Patch) {
		return nil, badParam("patch", "there is no patch: expected a list of operations")
	}
	if p.Of != "" && p.Of != formWritten && p.Of != formCanonical {
		return nil, badParam("of", "there is no form %q that a patch is made for: expected written or canonical", clip(p.Of))
	}
	return s.change(ctx, p.DraftChange, "drafts.patch", p.DraftView, nil, func(d *draft) ([]edit.Change, error) { return s.patch(ctx, d, p) })
}

// patch makes the patch of a draft's document.
func (s *Service) patch(ctx context.Context, d *draft, p *PatchDraft) ([]edit.Change, error) {
	if p.Of != formCanonical {
		return s.edits(ctx, d, "drafts.patch", &edit.Patch{Patch: p.Patch})
	}
	text, err := wf.PatchPlan([]byte(d.Document), p.Patch)
	if err != nil {
		if found := wf.DiagnosticsOf(err); found != nil {
			return nil, (&Error{Kind: Invalid, Diagnostics: found, cause: err}).about(d.subject())
		}
		e := failed(Invalid, codeEditRefused, fmt.Sprintf("the patch cannot be applied to the canonical form: %v", err), "look at that form of the draft, and make the patch for it").about(d.subject())
		e.cause = err
		return nil, e
	}
	if string(text) != d.Document {
		d.become(string(text), "drafts.patch")
	}
	return []edit.Change{{Kind: edit.KindSet, Message: "the canonical form is patched"}}, nil
}

// FixDraft implements [Drafts].
func (s *Service) FixDraft(ctx context.Context, p *FixDraft) (*Draft, error) {
	return s.change(ctx, p.DraftChange, "drafts.fix", p.DraftView, nil, func(d *draft) ([]edit.Change, error) {
		return s.edits(ctx, d, "drafts.fix", &edit.Fix{})
	})
}

// UndoDraft implements [Drafts].
func (s *Service) UndoDraft(ctx context.Context, p *UndoDraft) (*Draft, error) {
	return s.change(ctx, p.DraftChange, "drafts.undo", p.DraftView, nil, func(d *draft) ([]edit.Change, error) {
		at := d.revision
		if d.Restored != 0 {
			at = d.Restored
		}
		i := -1
		for j, k := range slices.Backward(d.Kept) {
			if k.Revision == p.To || p.To == 0 && k.Revision < at {
				i = j
				break
			}
		}
		if i < 0 {
			return nil, d.nothingToUndo(p.To)
		}
		back := d.Kept[i]
		d.become(back.Document, "drafts.undo")
		d.Restored = back.Revision
		return []edit.Change{{Kind: edit.KindSet, Message: fmt.Sprintf("the plan is that of revision %d again", back.Revision)}}, nil
	})
}

func (d *draft) nothingToUndo(to uint64) *Error {
	var kept []string
	for _, k := range d.Kept {
		kept = append(kept, fmt.Sprint(k.Revision))
	}
	message, hint := fmt.Sprintf("the draft %q has nothing to undo", d.id), ""
	if to != 0 {
		message = fmt.Sprintf("the draft %q does not keep revision %d", d.id, to)
	}
	if len(kept) > 0 {
		hint = "it keeps " + strings.Join(kept, ", ")
	}
	return failed(NotFound, codeNothingToUndo, message, hint).about(d.subject()).next(showDraftAction(d.id, "what it keeps"))
}

// DeleteDraft implements [Drafts].
func (s *Service) DeleteDraft(ctx context.Context, p *DeleteDraft) (*DeletedDraft, error) {
	for {
		d, err := s.loadDraft(ctx, p.DraftID)
		if err != nil {
			return nil, err
		}
		if p.Revision != 0 && p.Revision != d.revision {
			return nil, d.conflict(p.Revision, nil)
		}
		err = s.store.DeleteRecord(ctx, kindDraft, d.id, d.revision)
		if _, other := errors.AsType[*wf.ConflictError](err); other {
			continue
		}
		if err != nil {
			return nil, missingDraft(d.id, err)
		}
		if err := s.audit(ctx, Event{Method: "drafts.delete", Subject: d.subject(), Revision: d.revision}); err != nil {
			return nil, err
		}
		return &DeletedDraft{DraftID: d.id, Advice: advise("the draft is gone; what was saved of it is not", false,
			action(toInspect, "drafts.list", ListDrafts{}, "which drafts there are", "draft", "list"))}, nil
	}
}

// SaveDraft implements [Drafts].
func (s *Service) SaveDraft(ctx context.Context, p *SaveDraft) (*Artifact, error) {
	if err := p.ArtifactView.check(); err != nil {
		return nil, err
	}
	d, err := s.loadDraft(ctx, p.DraftID)
	if err != nil {
		return nil, err
	}
	if p.Revision != 0 && p.Revision != d.revision {
		return nil, d.conflict(p.Revision, func(uint64) NextAction {
			return saveDraft(d, d.artifact())
		})
	}
	c, err := s.checkDraft(ctx, d)
	if err != nil {
		return nil, err
	}
	if c.found.HasErrors() {
		view := s.showDraft(ctx, d, c, DraftView{}, "")
		e := &Error{Kind: Invalid, Diagnostics: view.Diagnostics}
		return nil, e.next(view.Advice.NextActions...)
	}
	as := newArtifact{method: "drafts.save", name: p.Artifact, version: p.Version, title: p.Title, madeFor: d.Deployment, note: fmt.Sprintf("from %s@%d", d.subject(), d.revision)}
	if as.title == "" {
		as.title = d.Title
	}
	if as.name == "" {
		as.name = d.artifact()
	}
	saved, err := s.save(ctx, c, as, p.ArtifactView)
	if e, ok := errors.AsType[*Error](err); ok && e.Diagnostics[0].Code == codeVersionExists {
		return nil, e.next(saveDraft(d, as.name))
	}
	return saved, err
}
