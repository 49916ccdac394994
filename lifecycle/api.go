package lifecycle

import (
	"context"
	"iter"
)

// API is all operations, in groups. Every implementation passes the suite of package apitest. It is safe for concurrent use. What
// fails is an [*Error]. Parameters and results are JSON by their tags, and lose nothing by it.
type API interface {
	Capabilities
	Sources
	Drafts
	Artifacts
	Runs
	Events
	Catalog
}

// Capabilities are the operations on what steps can call. All but ListCapabilities fail with [NotFound] for one that no source has.
type Capabilities interface {
	// ListCapabilities lists capabilities by their refs, in pages.
	ListCapabilities(ctx context.Context, p *ListCapabilities) (*CapabilityList, error)
	// ShowCapability tells a capability's contract.
	ShowCapability(ctx context.Context, p *ShowCapability) (*ShownCapability, error)
	// CallCapability calls a capability as a step of a plan would be: its input and output are checked, its retries and its
	// timeout hold. No run is recorded.
	CallCapability(ctx context.Context, p *CallCapability) (*CapabilityCall, error)
}

// Sources are the operations on where capabilities come from.
type Sources interface {
	// ListSources lists the sources at hand.
	ListSources(ctx context.Context, p *ListSources) (*SourceList, error)
	// InspectSource tells what a source has.
	InspectSource(ctx context.Context, p *InspectSource) (*InspectedSource, error)
}

// Drafts are the operations on plans that are being written. All but CreateDraft and ListDrafts fail with [NotFound] for a draft
// that is not there. A change that names a revision is made to that one or fails with [Conflict] and changes nothing; one that names
// none is made to what is there, never over what somebody else has done meanwhile.
type Drafts interface {
	// CreateDraft begins a draft.
	CreateDraft(ctx context.Context, p *CreateDraft) (*Draft, error)
	// ListDrafts lists drafts by their ids, in pages.
	ListDrafts(ctx context.Context, p *ListDrafts) (*DraftList, error)
	// ShowDraft tells the draft's plan and how it stands.
	ShowDraft(ctx context.Context, p *ShowDraft) (*Draft, error)
	// ApplyDraft makes edits, all or none of them, as one revision. A plan that is not finished is kept and explained.
	ApplyDraft(ctx context.Context, p *ApplyDraft) (*Draft, error)
	// PatchDraft applies a JSON Patch.
	PatchDraft(ctx context.Context, p *PatchDraft) (*Draft, error)
	// FixDraft applies the safe fixes of what is found, each of them checked. If there is none, the revision stays.
	FixDraft(ctx context.Context, p *FixDraft) (*Draft, error)
	// UndoDraft brings an earlier plan back, as a new revision; to undo that is possible too.
	UndoDraft(ctx context.Context, p *UndoDraft) (*Draft, error)
	// ValidateDraft tells what is found in the plan, with calls that repair it.
	ValidateDraft(ctx context.Context, p *ValidateDraft) (*Draft, error)
	// SaveDraft makes an artifact of a draft without errors. The draft stays. Saving the same again gives what is there.
	SaveDraft(ctx context.Context, p *SaveDraft) (*Artifact, error)
	// DeleteDraft removes a draft.
	DeleteDraft(ctx context.Context, p *DeleteDraft) (*DeletedDraft, error)
}

// Artifacts are the operations on saved workflows, which never change. All but CreateArtifact, ImportArtifact and ListArtifacts fail
// with [NotFound] for one that is not there. What would be another one under a version that is there is a [Conflict].
type Artifacts interface {
	// CreateArtifact makes an artifact of a plan without errors.
	CreateArtifact(ctx context.Context, p *CreateArtifact) (*Artifact, error)
	// ListArtifacts lists artifacts by name and version, in pages.
	ListArtifacts(ctx context.Context, p *ListArtifacts) (*ArtifactList, error)
	// ShowArtifact tells what an artifact is and needs.
	ShowArtifact(ctx context.Context, p *ShowArtifact) (*Artifact, error)
	// ExportArtifact writes an artifact, with those that it runs, as one file.
	ExportArtifact(ctx context.Context, p *ExportArtifact) (*ExportedArtifact, error)
	// ImportArtifact takes such a file. What the artifacts call need not be here. Those before one that is refused stay.
	ImportArtifact(ctx context.Context, p *ImportArtifact) (*Artifact, error)
	// DiffArtifacts compares two artifacts by what they mean.
	DiffArtifacts(ctx context.Context, p *DiffArtifacts) (*ArtifactDiff, error)
	// GraphArtifact draws an artifact.
	GraphArtifact(ctx context.Context, p *GraphArtifact) (*Diagram, error)
}

// Events is the audit: what was changed, by whom, when.
type Events interface {
	// ListEvents lists events, newest first, in pages.
	ListEvents(ctx context.Context, p *ListEvents) (*EventList, error)
}

// Catalog explains what the others speak of.
type Catalog interface {
	// ListCodes lists the codes of diagnostics and failures.
	ListCodes(ctx context.Context, p *ListCodes) (*CodeList, error)
	// ExplainCode explains a code, with an example that has the problem and one that has not.
	ExplainCode(ctx context.Context, p *ExplainCode) (*ExplainedCode, error)
	// GetSchemas tells the shapes that an author of plans writes, with an example each; or one of them, with its schema.
	GetSchemas(ctx context.Context, p *GetSchemas) (*SchemaList, error)
}

// Runs are the operations on runs. All but ListRuns fail with [NotFound] for a run that is not there.
type Runs interface {
	// StartRun starts a run of a plan. Starting the same under the id of a run that is there gives that run.
	StartRun(ctx context.Context, p *StartRun) (*Run, error)
	// ListRuns lists runs, newest first, in pages.
	ListRuns(ctx context.Context, p *ListRuns) (*RunList, error)
	// InspectRun tells where a run stands.
	InspectRun(ctx context.Context, p *InspectRun) (*Run, error)
	// TraceRun tells what a run did, step by step.
	TraceRun(ctx context.Context, p *TraceRun) (*Trace, error)
	// ExplainRun tells why a run failed, or what it waits for.
	ExplainRun(ctx context.Context, p *ExplainRun) (*Explanation, error)
	// WatchRun follows a run until it stops. It may be taken up again where it was left: see [WatchRun]. When ctx ends, so
	// does the stream, with an error.
	WatchRun(ctx context.Context, p *WatchRun) iter.Seq2[*RunEvent, error]
	// ResumeRun answers interrupts, each answer judged alone: what is taken is taken, also if the error tells that
	// another one was refused.
	ResumeRun(ctx context.Context, p *ResumeRun) (*Run, error)
	// DecideRun ends a doubt about a call.
	DecideRun(ctx context.Context, p *DecideRun) (*Run, error)
	// StepRun lets a run that was started step by step take one step.
	StepRun(ctx context.Context, p *StepRun) (*Run, error)
	// CancelRun ends a run as cancelled. A run that has ended stays as it is.
	CancelRun(ctx context.Context, p *CancelRun) (*Run, error)
	// ReplayRun tells where a run stood after one of its events.
	ReplayRun(ctx context.Context, p *ReplayRun) (*Run, error)
	// DiffRuns compares two runs, or one at two points.
	DiffRuns(ctx context.Context, p *DiffRuns) (*RunsDiff, error)
	// ForkRun starts a run that shares the events of another one up to a point, and goes on from there.
	ForkRun(ctx context.Context, p *ForkRun) (*Run, error)
	// BacktestRuns tells what another plan would have made of past runs. Nothing is called.
	BacktestRuns(ctx context.Context, p *BacktestRuns) (*Backtests, error)
	// DeleteRun removes a run that has ended, with all that belongs to it; others fail with [Conflict].
	DeleteRun(ctx context.Context, p *DeleteRun) (*DeletedRun, error)
}
