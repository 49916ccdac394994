package lifecycle

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle/edit"
)

const (
	kindDraft   = "draft"
	draftFormat = "wf-draft/1"
)

// The bounds of what a draft keeps to undo. The latest of them is kept however large it is: an edit can always be undone.
const (
	mostKept      = 20      // documents
	mostKeptBytes = 1 << 20 // of all of them together
)

// draftHead is what is told of a draft in lists.
type draftHead struct {
	Format     string    `json:"format"`
	Title      string    `json:"title,omitempty"`
	Sources    []string  `json:"sources,omitempty"` // none: all
	From       string    `json:"from,omitempty"`
	Deployment string    `json:"deployment,omitempty"` // that it is made for
	Summary    summary   `json:"summary"`
	Created    time.Time `json:"created"`
	Updated    time.Time `json:"updated"`
}

// draft is a draft as it is stored. Its revision is the record's.
type draft struct {
	draftHead
	Document string `json:"document"`           // the plan as it is written, byte for byte
	Restored uint64 `json:"restored,omitempty"` // the revision whose document this is, after an undo
	Kept     []kept `json:"kept,omitempty"`     // oldest first

	id       string
	revision uint64
}

// summary is what was found in a draft at its last change.
type summary struct {
	Name     string  `json:"name,omitempty"` // of the plan
	Steps    int     `json:"steps"`
	Errors   int     `json:"errors"`
	Warnings int     `json:"warnings"`
	First    wf.Code `json:"first,omitempty"` // of the first error
}

// kept is a document that the draft had.
type kept struct {
	Revision uint64    `json:"revision"`
	At       time.Time `json:"at"`
	Until    string    `json:"until"` // the operation that changed it
	Document string    `json:"document"`
}

func (d *draft) subject() string { return "draft:" + d.id }

// What a draft can begin with, as it is told.
const (
	fromCapability = "capability:"
	fromArtifact   = "artifact:"
)

// artifact is the name under which a draft is saved if nobody says another: that of the artifact that it began with, or the plan's, or
// its own, where the plan's is no id.
func (d *draft) artifact() string {
	if ref, ok := strings.CutPrefix(d.From, fromArtifact); ok {
		name, _, _ := strings.Cut(ref, "@")
		return name
	}
	if checkID("artifact", d.Summary.Name, mostID) == nil {
		return d.Summary.Name
	}
	return d.id
}

// doc is the document for edits.
func (d *draft) doc() (*edit.Doc, error) {
	doc, err := edit.FromPlan([]byte(d.Document))
	if err != nil {
		return nil, damaged(kindDraft, d.id, err)
	}
	return doc, nil
}

// become gives the draft another document, and keeps the one that it has.
func (d *draft) become(document, until string) {
	d.Kept = append(d.Kept, kept{Revision: d.revision, At: d.Updated, Until: until, Document: d.Document})
	total := 0
	for i, k := range slices.Backward(d.Kept) {
		if total += len(k.Document); i < len(d.Kept)-1 && total > mostKeptBytes || len(d.Kept)-i > mostKept {
			d.Kept = d.Kept[i+1:]
			break
		}
	}
	d.Document, d.Restored = document, 0
}

// loadDraft reads a draft.
func (s *Service) loadDraft(ctx context.Context, id string) (*draft, error) {
	if err := checkID("draft_id", id, mostID); err != nil {
		return nil, err
	}
	r, err := s.store.GetRecord(ctx, kindDraft, id)
	if err != nil {
		return nil, missingDraft(id, err)
	}
	d := &draft{id: id, revision: r.Revision}
	if err := json.Unmarshal(r.Value, d); err != nil {
		return nil, damaged(kindDraft, id, err)
	}
	if d.Format != draftFormat {
		return nil, damaged(kindDraft, id, fmt.Errorf("its format is %q, expected %q", d.Format, draftFormat))
	}
	return d, nil
}

func missingDraft(id string, err error) *Error {
	if _, gone := errors.AsType[*wf.NotFoundError](err); !gone {
		return errorOf(err)
	}
	e := failed(NotFound, codeDraftNotFound, fmt.Sprintf("there is no draft %q", id), "")
	return e.next(action(toInspect, "drafts.list", ListDrafts{}, "which drafts there are", "draft", "list"),
		action(toContinue, "drafts.create", CreateDraft{DraftID: id}, "make it", "draft", "create", id))
}

// damaged is the error of a record that cannot be read.
func damaged(kind, key string, err error) *Error {
	e := failed(Internal, codeStoreFailed, fmt.Sprintf("the %s %q in the store cannot be read: %v", kind, key, err), "restore a copy of the store, or open it with a newer version of wf")
	e.cause = err
	return e
}

// putDraft keeps a draft in the place of the one at its revision, and gives it the new one.
func (s *Service) putDraft(ctx context.Context, d *draft) error {
	d.Format, d.Updated = draftFormat, s.now().UTC()
	text, err := json.Marshal(d)
	if err != nil {
		return err
	}
	revision, err := s.store.PutRecord(ctx, kindDraft, d.id, d.revision, text)
	if err == nil {
		d.revision = revision
	}
	return err
}
