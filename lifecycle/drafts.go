package lifecycle

import (
	"encoding/json"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle/edit"
)

// DraftView says how much is told of a draft.
type DraftView struct {
	Form string `json:"form,omitempty" jsonschema_description:"how the plan is written in the answer: short, canonical, written (as its author left it) or none; drafts.show writes it short, others not"`
	Full bool   `json:"full,omitempty" jsonschema_description:"tell all; else a plan of more than 16 KiB, and of findings and changes all but the first 20, are left out and named in omitted"`
}

// planBound is how many bytes of a plan are told without Full.
const planBound = 16 << 10

// The forms of a plan.
const (
	formShort     = "short"
	formCanonical = "canonical"
	formWritten   = "written"
	formNone      = "none"
)

// CreateDraft are the parameters of drafts.create. Of capability, plan, artifact and deployment one at most is given; without any the
// draft is empty.
type CreateDraft struct {
	DraftID    string          `json:"draft_id" jsonschema_description:"what the draft is called"`
	Name       string          `json:"name,omitempty" jsonschema_description:"the plan's name; the draft's id, or the plan's own, if it is left out"`
	Title      string          `json:"title,omitempty" jsonschema_description:"a line for people, which the artifact gets"`
	Capability string          `json:"capability,omitempty" jsonschema_description:"begin with a step that calls this capability, or runs this saved workflow (name@version, or its name alone for the latest version), its required inputs bound to those of the plan"`
	Step       string          `json:"step,omitempty" jsonschema_description:"with capability: the id of its step; call if it is left out"`
	Plan       json.RawMessage `json:"plan,omitempty" jsonschema_description:"begin with this plan, which may be unfinished or broken, as long as it is a JSON object"`
	Artifact   string          `json:"artifact,omitempty" jsonschema_description:"begin with the plan of this artifact, name@version"`
	Deployment string          `json:"deployment,omitempty" jsonschema_description:"begin with the plan of the artifact that this deployment runs, which the new version is for"`
	Sources    []string        `json:"sources,omitempty" jsonschema_description:"the sources that the plan may call; all if it is left out"`
	DraftView
}

// ListDrafts are the parameters of drafts.list.
type ListDrafts struct {
	Prefix string `json:"prefix,omitempty" jsonschema_description:"only drafts whose ids begin so"`
	Limit  int    `json:"limit,omitempty" jsonschema_description:"how many a page has; 50 if it is left out, at most 1000"`
	Cursor string `json:"cursor,omitempty" jsonschema_description:"the next of the page before"`
}

// ShowDraft are the parameters of drafts.show.
type ShowDraft struct {
	DraftID string `json:"draft_id" jsonschema_description:"which draft"`
	DraftView
}

// ValidateDraft are the parameters of drafts.validate.
type ValidateDraft struct {
	DraftID string `json:"draft_id" jsonschema_description:"which draft"`
	DraftView
}

// DraftChange names a draft and the state of it that a change is for.
type DraftChange struct {
	DraftID  string `json:"draft_id" jsonschema_description:"which draft"`
	Revision uint64 `json:"revision,omitempty" jsonschema_description:"the revision that was looked at: if the draft is at another one, nothing is done; without it the change is made to whatever is there"`
}

// ApplyDraft are the parameters of drafts.apply.
type ApplyDraft struct {
	DraftChange
	Edits   json.RawMessage `json:"edits,omitempty" jsonschema_description:"one edit, an object whose op names it, or a list of them; they are made together or not at all"`
	Title   *string         `json:"title,omitempty" jsonschema_description:"another title"`
	Sources *[]string       `json:"sources,omitempty" jsonschema_description:"other sources that the plan may call; an empty list is all"`
	DraftView
}

// PatchDraft are the parameters of drafts.patch.
type PatchDraft struct {
	DraftChange
	Patch json.RawMessage `json:"patch" jsonschema_description:"a JSON Patch (RFC 6902); all of it is applied or nothing"`
	Of    string          `json:"of,omitempty" jsonschema_description:"written (also if it is left out) or canonical: the form of the plan that the patch is made for"`
	DraftView
}

// FixDraft are the parameters of drafts.fix.
type FixDraft struct {
	DraftChange
	DraftView
}

// UndoDraft are the parameters of drafts.undo.
type UndoDraft struct {
	DraftChange
	To uint64 `json:"to,omitempty" jsonschema_description:"the revision whose plan comes back; the one before if it is left out"`
	DraftView
}

// SaveDraft are the parameters of drafts.save.
type SaveDraft struct {
	DraftChange
	Artifact string `json:"artifact,omitempty" jsonschema_description:"the artifact's name; if it is left out, that of the artifact that the draft began with, or else the plan's"`
	Version  string `json:"version,omitempty" jsonschema_description:"its version; the next number if it is left out, or the last one if that is the same"`
	Title    string `json:"title,omitempty" jsonschema_description:"a line for people; the draft's if it is left out"`
	ArtifactView
}

// DeleteDraft are the parameters of drafts.delete.
type DeleteDraft struct {
	DraftChange
}

// Draft is a draft as it stands.
type Draft struct {
	DraftID     string          `json:"draft_id"`
	Revision    uint64          `json:"revision"`
	Name        string          `json:"name,omitempty"` // of the plan
	Title       string          `json:"title,omitempty"`
	From        string          `json:"from,omitempty"`       // what it began with
	Deployment  string          `json:"deployment,omitempty"` // that it is made for
	Sources     []string        `json:"sources,omitempty"`    // that the plan may call; none: all
	Steps       int             `json:"steps"`
	Errors      int             `json:"errors"`
	Warnings    int             `json:"warnings"`
	Created     time.Time       `json:"created"`
	Updated     time.Time       `json:"updated"`
	Changes     []edit.Change   `json:"changes,omitempty"` // what the operation did
	Diagnostics wf.Diagnostics  `json:"diagnostics"`
	Form        string          `json:"form,omitempty"` // of the plan: "written" where it cannot be read yet
	Plan        json.RawMessage `json:"plan,omitempty"`
	Undo        []UndoPoint     `json:"undo,omitempty"` // newest first
	Omitted     []Omitted       `json:"omitted,omitempty"`
	Advice      *Advice         `json:"advice,omitempty"`
}

// UndoPoint is a revision that a draft can go back to.
type UndoPoint struct {
	Revision uint64    `json:"revision"`
	At       time.Time `json:"at"`    // when it was made
	Until    string    `json:"until"` // the operation behind it
}

// DraftList is a page of drafts, by their ids.
type DraftList struct {
	Drafts []ListedDraft `json:"drafts"`
	Next   string        `json:"next,omitempty"` // the cursor of the next page; "": this is the last
	Advice *Advice       `json:"advice,omitempty"`
}

// ListedDraft is a draft in a list. Errors and warnings are those that were found at its last change.
type ListedDraft struct {
	DraftID  string    `json:"draft_id"`
	Revision uint64    `json:"revision"`
	Name     string    `json:"name,omitempty"`
	Title    string    `json:"title,omitempty"`
	Steps    int       `json:"steps"`
	Errors   int       `json:"errors"`
	Warnings int       `json:"warnings"`
	First    wf.Code   `json:"first,omitempty"` // of the first error
	Created  time.Time `json:"created"`
	Updated  time.Time `json:"updated"`
}

// DeletedDraft tells which draft was deleted.
type DeletedDraft struct {
	DraftID string  `json:"draft_id"`
	Advice  *Advice `json:"advice,omitempty"`
}
