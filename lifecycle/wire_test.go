package lifecycle_test

import (
	"context"

	"lda.chat/wf/lifecycle"
)

func (w wire) ListCapabilities(ctx context.Context, p *lifecycle.ListCapabilities) (*lifecycle.CapabilityList, error) {
	return sent[lifecycle.CapabilityList](ctx, w, "capabilities.list", p)
}
func (w wire) ShowCapability(ctx context.Context, p *lifecycle.ShowCapability) (*lifecycle.ShownCapability, error) {
	return sent[lifecycle.ShownCapability](ctx, w, "capabilities.show", p)
}
func (w wire) CallCapability(ctx context.Context, p *lifecycle.CallCapability) (*lifecycle.CapabilityCall, error) {
	return sent[lifecycle.CapabilityCall](ctx, w, "capabilities.call", p)
}
func (w wire) ListSources(ctx context.Context, p *lifecycle.ListSources) (*lifecycle.SourceList, error) {
	return sent[lifecycle.SourceList](ctx, w, "sources.list", p)
}
func (w wire) InspectSource(ctx context.Context, p *lifecycle.InspectSource) (*lifecycle.InspectedSource, error) {
	return sent[lifecycle.InspectedSource](ctx, w, "sources.inspect", p)
}
func (w wire) CreateDraft(ctx context.Context, p *lifecycle.CreateDraft) (*lifecycle.Draft, error) {
	return sent[lifecycle.Draft](ctx, w, "drafts.create", p)
}
func (w wire) ListDrafts(ctx context.Context, p *lifecycle.ListDrafts) (*lifecycle.DraftList, error) {
	return sent[lifecycle.DraftList](ctx, w, "drafts.list", p)
}
func (w wire) ShowDraft(ctx context.Context, p *lifecycle.ShowDraft) (*lifecycle.Draft, error) {
	return sent[lifecycle.Draft](ctx, w, "drafts.show", p)
}
func (w wire) ApplyDraft(ctx context.Context, p *lifecycle.ApplyDraft) (*lifecycle.Draft, error) {
	return sent[lifecycle.Draft](ctx, w, "drafts.apply", p)
}
func (w wire) PatchDraft(ctx context.Context, p *lifecycle.PatchDraft) (*lifecycle.Draft, error) {
	return sent[lifecycle.Draft](ctx, w, "drafts.patch", p)
}
func (w wire) FixDraft(ctx context.Context, p *lifecycle.FixDraft) (*lifecycle.Draft, error) {
	return sent[lifecycle.Draft](ctx, w, "drafts.fix", p)
}
func (w wire) UndoDraft(ctx context.Context, p *lifecycle.UndoDraft) (*lifecycle.Draft, error) {
	return sent[lifecycle.Draft](ctx, w, "drafts.undo", p)
}
func (w wire) ValidateDraft(ctx context.Context, p *lifecycle.ValidateDraft) (*lifecycle.Draft, error) {
	return sent[lifecycle.Draft](ctx, w, "drafts.validate", p)
}
func (w wire) SaveDraft(ctx context.Context, p *lifecycle.SaveDraft) (*lifecycle.Artifact, error) {
	return sent[lifecycle.Artifact](ctx, w, "drafts.save", p)
}
func (w wire) DeleteDraft(ctx context.Context, p *lifecycle.DeleteDraft) (*lifecycle.DeletedDraft, error) {
	return sent[lifecycle.DeletedDraft](ctx, w, "drafts.delete", p)
}
func (w wire) CreateArtifact(ctx context.Context, p *lifecycle.CreateArtifact) (*lifecycle.Artifact, error) {
	return sent[lifecycle.Artifact](ctx, w, "artifacts.create_from_plan", p)
}
func (w wire) ListArtifacts(ctx context.Context, p *lifecycle.ListArtifacts) (*lifecycle.ArtifactList, error) {
	return sent[lifecycle.ArtifactList](ctx, w, "artifacts.list", p)
}
func (w wire) ShowArtifact(ctx context.Context, p *lifecycle.ShowArtifact) (*lifecycle.Artifact, error) {
	return sent[lifecycle.Artifact](ctx, w, "artifacts.show", p)
}
func (w wire) ExportArtifact(ctx context.Context, p *lifecycle.ExportArtifact) (*lifecycle.ExportedArtifact, error) {
	return sent[lifecycle.ExportedArtifact](ctx, w, "artifacts.export", p)
}
func (w wire) ImportArtifact(ctx context.Context, p *lifecycle.ImportArtifact) (*lifecycle.Artifact, error) {
	return sent[lifecycle.Artifact](ctx, w, "artifacts.import", p)
}
func (w wire) DiffArtifacts(ctx context.Context, p *lifecycle.DiffArtifacts) (*lifecycle.ArtifactDiff, error) {
	return sent[lifecycle.ArtifactDiff](ctx, w, "artifacts.diff", p)
}
func (w wire) GraphArtifact(ctx context.Context, p *lifecycle.GraphArtifact) (*lifecycle.Diagram, error) {
	return sent[lifecycle.Diagram](ctx, w, "artifacts.graph", p)
}
func (w wire) ListEvents(ctx context.Context, p *lifecycle.ListEvents) (*lifecycle.EventList, error) {
	return sent[lifecycle.EventList](ctx, w, "events.list", p)
}
func (w wire) ListCodes(ctx context.Context, p *lifecycle.ListCodes) (*lifecycle.CodeList, error) {
	return sent[lifecycle.CodeList](ctx, w, "codes.list", p)
}
func (w wire) ExplainCode(ctx context.Context, p *lifecycle.ExplainCode) (*lifecycle.ExplainedCode, error) {
	return sent[lifecycle.ExplainedCode](ctx, w, "codes.explain", p)
}
func (w wire) GetSchemas(ctx context.Context, p *lifecycle.GetSchemas) (*lifecycle.SchemaList, error) {
	return sent[lifecycle.SchemaList](ctx, w, "schemas.get", p)
}
