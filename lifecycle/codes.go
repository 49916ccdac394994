package lifecycle

import (
	"slices"

	"lda.chat/wf"
)

// The codes of what can go wrong with an operation. Those of plans and runs are the root package's.
const (
	codeInternal           wf.Code = "internal"
	codeParamsInvalid      wf.Code = "params_invalid"
	codeMethodUnknown      wf.Code = "method_unknown"
	codeNotFound           wf.Code = "not_found"
	codeRunNotFound        wf.Code = "run_not_found"
	codeRunExists          wf.Code = "run_exists"
	codeRunStatus          wf.Code = "run_status"
	codeRunGoesOn          wf.Code = "run_goes_on"
	codeRevisionConflict   wf.Code = "revision_conflict"
	codeStoreUnknown       wf.Code = "store_unknown"
	codeStoreUnavailable   wf.Code = "store_unavailable"
	codeStoreFailed        wf.Code = "store_failed"
	codeDraftExists        wf.Code = "draft_exists"
	codeDraftNotFound      wf.Code = "draft_not_found"
	codeEditRefused        wf.Code = "edit_refused"
	codeNothingToUndo      wf.Code = "nothing_to_undo"
	codeArtifactNotFound   wf.Code = "artifact_not_found"
	codeBindingsClash      wf.Code = "bindings_clash"
	codeDeploymentNotFound wf.Code = "deployment_not_found"
	codeDeploymentDisabled wf.Code = "deployment_disabled"
	codeDeploymentBusy     wf.Code = "deployment_busy"
	codeDeploymentInUse    wf.Code = "deployment_in_use"
	codeVersionExists      wf.Code = "version_exists"
	codeSourceUnknown      wf.Code = "source_unknown"
	codeCodeUnknown        wf.Code = "code_unknown"
	codeShapeUnknown       wf.Code = "shape_unknown"
	codeWorkflowNotCalled  wf.Code = "workflow_not_called"
)

// Codes lists the codes of this package, sorted by name; see [wf.Codes] for the others.
func Codes() []wf.CodeInfo { return slices.Clone(codes) }

var codes = []wf.CodeInfo{
	{
		Code: codeArtifactNotFound, Severity: wf.SeverityError, Title: "There is no such artifact",
		Text: "The name or the version is misspelt, or it was never saved in this store. A step that runs a saved workflow names it by its name and its version.",
		Bad:  `{"id": "sum", "type": "subgraph", "workflow": "summary@9"}`, Good: `{"id": "sum", "type": "subgraph", "workflow": "summary@1"}`,
	},
	{
		Code: codeBindingsClash, Severity: wf.SeverityError, Title: "Two capabilities of a plan become one, and their contracts differ",
		Text: "Two logical sources are bound to one source, where two capabilities of one name were called under other contracts. One of them cannot stand for both.",
		Bad:  `{"bindings": [{"logical": "old", "source": "mail"}, {"logical": "new", "source": "mail"}]}`, Good: `{"bindings": [{"logical": "old", "source": "mail-1"}, {"logical": "new", "source": "mail"}]}`,
	},
	{
		Code: codeCodeUnknown, Severity: wf.SeverityError, Title: "There is no such code",
		Text: "`wf code list` lists them all.",
		Bad:  `wf explain node_unknwn`, Good: `wf explain node_unknown`,
	},
	{
		Code: codeDeploymentBusy, Severity: wf.SeverityError, Title: "A deployment has as many runs under way as it may",
		Text: "No run was started, and none is queued. Runs that wait for somebody are under way too. Start it when one of them has ended, or save the deployment with a greater max_runs.",
		Bad:  `wf run start --deployment weekly, while its only run goes on`, Good: `the same when that has ended`,
	},
	{
		Code: codeDeploymentDisabled, Severity: wf.SeverityError, Title: "A deployment is disabled",
		Text: "No runs of it are started; those that are under way go on.",
		Bad:  `wf run start --deployment weekly, behind wf deploy disable weekly`, Good: `wf deploy enable weekly, and then the start`,
	},
	{
		Code: codeDeploymentInUse, Severity: wf.SeverityError, Title: "Runs of a deployment are under way",
		Text: "A deployment is deleted when its runs have ended. Disable it, so that no more begin; let its runs end, or cancel them.",
		Bad:  `wf deploy delete weekly, while a run waits for an answer`, Good: `wf deploy disable weekly`,
	},
	{
		Code: codeDeploymentNotFound, Severity: wf.SeverityError, Title: "There is no such deployment",
		Text: "The id is misspelt, the deployment was deleted, or it is in another store.",
		Bad:  `wf deploy show wekly`, Good: `wf deploy list`,
	},
	{
		Code: codeDraftExists, Severity: wf.SeverityError, Title: "A draft has this id already",
		Text: "Nothing was done. Go on with the draft that is there, delete it, or give the new one another id.",
		Bad:  `wf draft create report, twice`, Good: `wf draft create report-2`,
	},
	{
		Code: codeDraftNotFound, Severity: wf.SeverityError, Title: "There is no such draft",
		Text: "The id is misspelt, the draft was deleted, or it is in another store.",
		Bad:  `wf draft show reprot`, Good: `wf draft list`,
	},
	{
		Code: codeEditRefused, Severity: wf.SeverityError, Title: "An edit cannot be made",
		Text: "The draft is as it was, all edits of the call included. The message names the edit, the place, what was found there and what was expected.",
		Bad:  `{"op": "remove-step", "step": "raed"}`, Good: `{"op": "remove-step", "step": "read"}`,
	},
	{
		Code: codeInternal, Severity: wf.SeverityError, Title: "Something went wrong in wf itself",
		Text: "This is a mistake in wf, not in what you gave it. Standard error, or the log, has the details that a report needs.",
		Bad:  `internal: a stack trace`, Good: `an answer`,
	},
	{
		Code: codeMethodUnknown, Severity: wf.SeverityError, Title: "There is no such operation",
		Text: "Operations are named after what they work on and what they do.",
		Bad:  `run.list`, Good: `runs.list`,
	},
	{
		Code: codeNotFound, Severity: wf.SeverityError, Title: "Something that was named is not there",
		Text: "An event or a plan that the run should have is not in the store: it was pruned, or never was.",
		Bad:  `the state after event 40 of a run that had 12`, Good: `the state after event 12`,
	},
	{
		Code: codeNothingToUndo, Severity: wf.SeverityError, Title: "A draft does not keep what it should go back to",
		Text: "A draft keeps its last plans, a bounded number. drafts.show tells which.",
		Bad:  `wf draft undo, of a draft that was never changed`, Good: `wf draft undo, behind an edit`,
	},
	{
		Code: codeParamsInvalid, Severity: wf.SeverityError, Title: "A parameter cannot be as it is",
		Text: "Nothing was done. The message names the parameter, says what was found and what it can be.",
		Bad:  `{"status": ["wating"]}`, Good: `{"status": ["interrupted"]}`,
	},
	{
		Code: codeRevisionConflict, Severity: wf.SeverityError, Title: "Somebody else was first",
		Text: "It was changed since it was read. Nothing is lost and nothing was done: read it again, and decide anew.",
		Bad:  `revision 3 of something that is at revision 4`, Good: `revision 4`,
	},
	{
		Code: codeRunExists, Severity: wf.SeverityError, Title: "A run has this id already",
		Text: "Starting the same plan with the same input under the same id gives the run that is there. Anything else needs another id.",
		Bad:  `wf run start --plan plan.json --run-id nightly, with another input than before`, Good: `wf run start --plan plan.json --run-id nightly-2`,
	},
	{
		Code: codeRunGoesOn, Severity: wf.SeverityError, Title: "Nobody waits for the run any more, and it goes on",
		Text: "The caller's time was over, or the caller was interrupted, before the run stopped. The run is in the store: whoever works on the store takes it on from where it stands.",
		Bad:  `--timeout 5s for a run that takes an hour`, Good: `wf run watch, which can be ended at any time`,
	},
	{
		Code: codeRunNotFound, Severity: wf.SeverityError, Title: "The store has no such run",
		Text: "The id is misspelt, the run was deleted, or it is in another store.",
		Bad:  `wf run inspect run_1`, Good: `wf run list`,
	},
	{
		Code: codeRunStatus, Severity: wf.SeverityError, Title: "The run is in no state for this",
		Text: "Only a run that has ended can be deleted, and only one that was started step by step is stepped. The message says where the run stands.",
		Bad:  `wf run delete, of a run that waits for an answer`, Good: `wf run cancel, and then wf run delete`,
	},
	{
		Code: codeShapeUnknown, Severity: wf.SeverityError, Title: "There is no such shape",
		Text: "`wf schema` without a name lists them all. A kind of step may be named by its type alone.",
		Bad:  `wf schema binding`, Good: `wf schema input_binding`,
	},
	{
		Code: codeSourceUnknown, Severity: wf.SeverityError, Title: "There is no such source",
		Text: "The id is misspelt, or the configuration does not have it. sources.list lists those that are at hand.",
		Bad:  `{"source": "local.reprot"}`, Good: `{"source": "local.report"}`,
	},
	{
		Code: codeStoreFailed, Severity: wf.SeverityError, Title: "The store cannot do what it should",
		Text: "The message names the place and what was found. A store that is damaged is never repaired silently: restore a copy. A change that was answered is kept.",
		Bad:  `a journal that was cut in the middle`, Good: `a copy of it`,
	},
	{
		Code: codeStoreUnavailable, Severity: wf.SeverityError, Title: "The store cannot be opened",
		Text: "The place is not there or may not be used, another process has it, or it was written by a newer version. The message says which.",
		Bad:  `--store file:runs while another process works on it`, Good: `--store sqlite:wf.db, which several processes of one machine may open`,
	},
	{
		Code: codeStoreUnknown, Severity: wf.SeverityError, Title: "There is no such kind of store",
		Text: "A store is named by its kind and where it is. Which kinds there are depends on what is linked into the binary; the message lists them.",
		Bad:  `--store redis:localhost`, Good: `--store file:runs`,
	},
	{
		Code: codeVersionExists, Severity: wf.SeverityError, Title: "The version is there, and is another one",
		Text: "An artifact never changes: the same may be saved again, anything else needs another version. Without a version it gets the next one.",
		Bad:  `wf draft save report --version 1, behind an edit`, Good: `wf draft save report`,
	},
	{
		Code: codeWorkflowNotCalled, Severity: wf.SeverityError, Title: "A saved workflow is run, not called",
		Text: "A capability of a source is called and answers. A workflow may wait, ask and go on in another process, so it is a run of a deployment, or of a step that names it.",
		Bad:  `wf cap call report@1`, Good: `wf run start --deployment report`,
	},
}
