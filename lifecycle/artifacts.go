package lifecycle

import (
	"encoding/json"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle/plandiff"
	"lda.chat/wf/source"
)

// ArtifactView says how much is told of an artifact.
type ArtifactView struct {
	Form string `json:"form,omitempty" jsonschema_description:"how the plan is written in the answer: short, canonical or none; artifacts.show writes it short, others not"`
	Full bool   `json:"full,omitempty" jsonschema_description:"tell all; else a plan of more than 16 KiB, the contracts of what it calls, and of lists all but the first 20, are left out and named in omitted"`
}

// CreateArtifact are the parameters of artifacts.create_from_plan.
type CreateArtifact struct {
	Plan     json.RawMessage `json:"plan" jsonschema_description:"a plan without errors, in any form that can be read"`
	Artifact string          `json:"artifact,omitempty" jsonschema_description:"the artifact's name; the plan's name if it is left out"`
	Version  string          `json:"version,omitempty" jsonschema_description:"its version; the next number if it is left out, or the last one if that is the same"`
	Title    string          `json:"title,omitempty" jsonschema_description:"a line for people"`
	ArtifactView
}

// ListArtifacts are the parameters of artifacts.list.
type ListArtifacts struct {
	Name   string `json:"name,omitempty" jsonschema_description:"only versions of this artifact"`
	Prefix string `json:"prefix,omitempty" jsonschema_description:"only artifacts whose names begin so"`
	Limit  int    `json:"limit,omitempty" jsonschema_description:"how many a page has; 50 if it is left out, at most 1000"`
	Cursor string `json:"cursor,omitempty" jsonschema_description:"the next of the page before"`
}

// ShowArtifact are the parameters of artifacts.show.
type ShowArtifact struct {
	Artifact string `json:"artifact" jsonschema_description:"which artifact, name@version"`
	ArtifactView
}

// ExportArtifact are the parameters of artifacts.export.
type ExportArtifact struct {
	Artifact string `json:"artifact" jsonschema_description:"which artifact, name@version"`
}

// ImportArtifact are the parameters of artifacts.import.
type ImportArtifact struct {
	File ArtifactFile `json:"file" jsonschema_description:"what artifacts.export has written"`
	ArtifactView
}

// DiffArtifacts are the parameters of artifacts.diff.
type DiffArtifacts struct {
	Old  string `json:"old" jsonschema_description:"the older artifact, name@version"`
	New  string `json:"new" jsonschema_description:"the newer artifact, name@version"`
	Full bool   `json:"full,omitempty" jsonschema_description:"tell all; else of the differences all but the first 20 are left out"`
}

// GraphArtifact are the parameters of artifacts.graph.
type GraphArtifact struct {
	Artifact string `json:"artifact" jsonschema_description:"which artifact, name@version"`
	As       string `json:"as,omitempty" jsonschema_description:"the language of the diagram: mermaid (also if it is left out) or dot"`
}

// Artifact is a saved workflow.
type Artifact struct {
	Artifact    string          `json:"artifact"` // name@version
	Name        string          `json:"name"`
	Version     string          `json:"version"`
	Digest      string          `json:"digest"`          // of the artifact, but for its version and the time
	PlanDigest  string          `json:"plan_digest"`     // of the plan as it is run, with the saved workflows that it runs
	There       bool            `json:"there,omitempty"` // it was saved before, the same
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description,omitempty"` // of the plan
	Outcomes    []wf.Outcome    `json:"outcomes"`
	Sources     []string        `json:"sources"` // the logical ones, which a deployment binds
	Requires    []Requirement   `json:"requires"`
	Reducers    []string        `json:"reducers,omitempty"` // of the host
	Children    []Pin           `json:"children,omitempty"` // saved workflows that it runs
	Engine      string          `json:"engine"`
	Created     time.Time       `json:"created"`
	Diagnostics wf.Diagnostics  `json:"diagnostics,omitempty"` // what was to be said when it was saved
	Form        string          `json:"form,omitempty"`
	Plan        json.RawMessage `json:"plan,omitempty"`
	Omitted     []Omitted       `json:"omitted,omitempty"`
	Advice      *Advice         `json:"advice,omitempty"`
}

// ArtifactList is a page of artifacts, by names and then by versions, in the order of their bytes.
type ArtifactList struct {
	Artifacts []ListedArtifact `json:"artifacts"`
	Next      string           `json:"next,omitempty"` // the cursor of the next page; "": this is the last
	Advice    *Advice          `json:"advice,omitempty"`
}

// ListedArtifact is an artifact in a list.
type ListedArtifact struct {
	Artifact string       `json:"artifact"`
	Title    string       `json:"title,omitempty"`
	Digest   string       `json:"digest"`
	Outcomes []wf.Outcome `json:"outcomes"`
	Sources  []string     `json:"sources"`
	Created  time.Time    `json:"created"`
}

// ArtifactFile is an artifact with those that it runs, each behind those that it runs itself: all that another store needs.
type ArtifactFile struct {
	Format    string  `json:"format"`
	Artifacts []Saved `json:"artifacts"`
}

// ExportedArtifact is an artifact as a file.
type ExportedArtifact struct {
	Artifact string       `json:"artifact"`
	File     ArtifactFile `json:"file"`
	Advice   *Advice      `json:"advice,omitempty"`
}

// ArtifactDiff is how two artifacts differ.
type ArtifactDiff struct {
	Old       string         `json:"old"`
	New       string         `json:"new"`
	Same      bool           `json:"same"`
	Plan      plandiff.Diff  `json:"plan"`
	Contracts []source.Drift `json:"contracts"` // of what both call, where the saved contracts differ
	Children  []PinChange    `json:"children,omitempty"`
	Omitted   []Omitted      `json:"omitted,omitempty"`
	Advice    *Advice        `json:"advice,omitempty"`
}

// PinChange is a saved workflow that only one of two artifacts runs.
type PinChange struct {
	Artifact string `json:"artifact"`
	Kind     string `json:"kind"` // added or removed
}

// Diagram is an artifact drawn.
type Diagram struct {
	Artifact string  `json:"artifact"`
	As       string  `json:"as"`
	Text     string  `json:"text"`
	Advice   *Advice `json:"advice,omitempty"`
}
