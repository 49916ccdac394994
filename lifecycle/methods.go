package lifecycle

import "slices"

// Methods lists the operations, group by group.
func Methods() []Method { return slices.Clone(methods) }

var methods = []Method{
	unary(Method{Name: "capabilities.list", Command: "cap list", Summary: "List what steps can call: capabilities of sources, and saved workflows", ReadOnly: true}, API.ListCapabilities),
	unary(Method{Name: "capabilities.show", Command: "cap show", Summary: "Show the contract of what a step can call", ReadOnly: true}, API.ShowCapability),
	unary(Method{Name: "capabilities.call", Command: "cap call", Summary: "Call a capability now"}, API.CallCapability),
	unary(Method{Name: "sources.list", Command: "source list", Summary: "List the sources", ReadOnly: true}, API.ListSources),
	unary(Method{Name: "sources.inspect", Command: "source inspect", Summary: "Show what a source has", ReadOnly: true}, API.InspectSource),

	unary(Method{Name: "drafts.create", Command: "draft create", Summary: "Begin a draft: empty, or with a capability, a plan or an artifact"}, API.CreateDraft),
	unary(Method{Name: "drafts.list", Command: "draft list", Summary: "List drafts", ReadOnly: true}, API.ListDrafts),
	unary(Method{Name: "drafts.show", Command: "draft show", Summary: "Show a draft's plan and how it stands", ReadOnly: true}, API.ShowDraft),
	unary(Method{Name: "drafts.apply", Command: "draft apply", Summary: "Make edits of a draft, as one revision"}, API.ApplyDraft),
	unary(Method{Name: "drafts.patch", Command: "draft patch", Summary: "Apply a JSON Patch to a draft"}, API.PatchDraft),
	unary(Method{Name: "drafts.fix", Command: "draft fix", Summary: "Apply the safe fixes of what is found in a draft", Idempotent: true}, API.FixDraft),
	unary(Method{Name: "drafts.undo", Command: "draft undo", Summary: "Bring an earlier plan of a draft back"}, API.UndoDraft),
	unary(Method{Name: "drafts.validate", Command: "draft validate", Summary: "Show what is found in a draft, and what repairs it", ReadOnly: true}, API.ValidateDraft),
	unary(Method{Name: "drafts.save", Command: "draft save", Summary: "Save a draft as an artifact", Idempotent: true}, API.SaveDraft),
	unary(Method{Name: "drafts.delete", Command: "draft delete", Summary: "Delete a draft", Destructive: true}, API.DeleteDraft),

	unary(Method{Name: "artifacts.create_from_plan", Command: "artifact create-from-plan", Summary: "Save a plan as an artifact", Idempotent: true}, API.CreateArtifact),
	unary(Method{Name: "artifacts.list", Command: "artifact list", Summary: "List artifacts", ReadOnly: true}, API.ListArtifacts),
	unary(Method{Name: "artifacts.show", Command: "artifact show", Summary: "Show what an artifact is and needs", ReadOnly: true}, API.ShowArtifact),
	unary(Method{Name: "artifacts.export", Command: "artifact export", Summary: "Write an artifact, with those that it runs, as one file", ReadOnly: true}, API.ExportArtifact),
	unary(Method{Name: "artifacts.import", Command: "artifact import", Summary: "Take the artifacts of a file", Idempotent: true}, API.ImportArtifact),
	unary(Method{Name: "artifacts.diff", Command: "artifact diff", Summary: "Compare two artifacts by what they mean", ReadOnly: true}, API.DiffArtifacts),
	unary(Method{Name: "artifacts.graph", Command: "artifact graph", Summary: "Draw an artifact", ReadOnly: true}, API.GraphArtifact),

	unary(Method{Name: "deployments.save", Command: "deploy save", Summary: "Make or change a deployment: which artifact runs, with which sources", Idempotent: true}, API.SaveDeployment),
	unary(Method{Name: "deployments.list", Command: "deploy list", Summary: "List deployments", ReadOnly: true}, API.ListDeployments),
	unary(Method{Name: "deployments.show", Command: "deploy show", Summary: "Show what a deployment is and how it stands", ReadOnly: true}, API.ShowDeployment),
	unary(Method{Name: "deployments.validate", Command: "deploy validate", Summary: "Show what keeps a deployment from running, and what repairs it", ReadOnly: true}, API.ValidateDeployment),
	unary(Method{Name: "deployments.preview", Command: "deploy preview", Summary: "Show what a run of a deployment may do", ReadOnly: true}, API.PreviewDeployment),
	unary(Method{Name: "deployments.enable", Command: "deploy enable", Summary: "Let runs of a deployment be started", Idempotent: true}, API.EnableDeployment),
	unary(Method{Name: "deployments.disable", Command: "deploy disable", Summary: "Let no more runs of a deployment be started", Idempotent: true}, API.DisableDeployment),
	unary(Method{Name: "deployments.delete", Command: "deploy delete", Summary: "Delete a deployment that has no runs under way", Destructive: true}, API.DeleteDeployment),
	unary(Method{Name: "deployments.retain", Command: "deploy retain", Summary: "Delete the runs of deployments whose time is over", Idempotent: true, Destructive: true}, API.RetainRuns),

	unary(Method{Name: "runs.start", Command: "run start", Summary: "Start a run"}, API.StartRun),
	unary(Method{Name: "runs.list", Command: "run list", Summary: "List runs, newest first", ReadOnly: true}, API.ListRuns),
	unary(Method{Name: "runs.inspect", Command: "run inspect", Summary: "Show where a run stands", ReadOnly: true}, API.InspectRun),
	unary(Method{Name: "runs.trace", Command: "run trace", Summary: "Show what a run did, step by step", ReadOnly: true}, API.TraceRun),
	unary(Method{Name: "runs.explain", Command: "run explain", Summary: "Explain why a run failed, or what it waits for", ReadOnly: true}, API.ExplainRun),
	streaming(Method{Name: "runs.watch", Command: "run watch", Summary: "Follow a run until it stops", ReadOnly: true}, API.WatchRun),
	unary(Method{Name: "runs.resume", Command: "run resume", Summary: "Answer what a run asks"}, API.ResumeRun),
	unary(Method{Name: "runs.decide", Command: "run decide", Summary: "Decide about a call of which nobody knows whether it happened"}, API.DecideRun),
	unary(Method{Name: "runs.step", Command: "run step", Summary: "Let a run that goes step by step take one step"}, API.StepRun),
	unary(Method{Name: "runs.cancel", Command: "run cancel", Summary: "Cancel a run", Idempotent: true, Destructive: true}, API.CancelRun),
	unary(Method{Name: "runs.replay", Command: "run replay", Summary: "Show where a run stood after one of its events", ReadOnly: true}, API.ReplayRun),
	unary(Method{Name: "runs.diff", Command: "run diff", Summary: "Compare two runs, or one run at two points", ReadOnly: true}, API.DiffRuns),
	unary(Method{Name: "runs.fork", Command: "run fork", Summary: "Go on from a point of a run with a run of its own"}, API.ForkRun),
	unary(Method{Name: "runs.backtest", Command: "run backtest", Summary: "Play past runs by another plan, without calling anything", ReadOnly: true}, API.BacktestRuns),
	unary(Method{Name: "runs.delete", Command: "run delete", Summary: "Delete a run that has ended", Destructive: true}, API.DeleteRun),

	unary(Method{Name: "status.get", Command: "status", Summary: "Show the store, the sources, how many there are of everything, and versions", ReadOnly: true}, API.GetStatus),
	unary(Method{Name: "events.list", Command: "event list", Summary: "List what was changed, newest first", ReadOnly: true}, API.ListEvents),
	unary(Method{Name: "codes.list", Command: "code list", Summary: "List the codes of diagnostics and failures", ReadOnly: true}, API.ListCodes),
	unary(Method{Name: "codes.explain", Command: "explain", Summary: "Explain a code", ReadOnly: true}, API.ExplainCode),
	unary(Method{Name: "schemas.get", Command: "schema", Summary: "Show the shapes that an author of plans writes", ReadOnly: true}, API.GetSchemas),
}
