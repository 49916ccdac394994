package lifecycle

import (
	"encoding/json"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle/gate"
	"lda.chat/wf/lifecycle/preview"
	"lda.chat/wf/source"
)

// SaveDeployment are the parameters of deployments.save. What is left out stays as it is; of a new deployment, it is what is said here.
type SaveDeployment struct {
	DeploymentChange
	Artifact         string           `json:"artifact,omitempty" jsonschema_description:"the artifact that it runs, name@version; a new deployment needs one"`
	Bindings         source.Bindings  `json:"bindings,omitzero" jsonschema_description:"which source stands for each logical one of the plan, all of them; none of a new deployment"`
	Defaults         json.RawMessage  `json:"defaults,omitempty" jsonschema_description:"members of the input of a run that is started without them, an object; {} of a new deployment"`
	DriftPolicy      gate.DriftPolicy `json:"drift_policy,omitempty" jsonschema_description:"what becomes of capabilities that have changed so that what worked may fail: refuse (of a new deployment) or warn"`
	InDoubt          wf.DoubtPolicy   `json:"in_doubt,omitempty" jsonschema_description:"what becomes of calls that may have happened and must not be made twice: ask (of a new deployment), retry or fail"`
	RetentionSeconds *int64           `json:"retention_seconds,omitempty" jsonschema_description:"for how long runs are kept when they have ended: workers delete them, and deployments.retain; 0, as of a new deployment: for good"`
	MaxRuns          *int             `json:"max_runs,omitempty" jsonschema_description:"how many of its runs may be under way at a time, those that wait included, at most 1000; 0, as of a new deployment: any number"`
	Enabled          *bool            `json:"enabled,omitempty" jsonschema_description:"whether runs can be started; true of a new deployment"`
}

// DeploymentChange names a deployment and the state of it that a change is for.
type DeploymentChange struct {
	Deployment string `json:"deployment" jsonschema_description:"which deployment"`
	Revision   uint64 `json:"revision,omitempty" jsonschema_description:"the revision that was looked at: if the deployment is at another one, nothing is done; without it the change is made to whatever is there"`
}

// ShowDeployment are the parameters of deployments.show.
type ShowDeployment struct {
	Deployment string `json:"deployment" jsonschema_description:"which deployment"`
}

// ValidateDeployment are the parameters of deployments.validate.
type ValidateDeployment struct {
	Deployment string `json:"deployment" jsonschema_description:"which deployment"`
}

// PreviewDeployment are the parameters of deployments.preview.
type PreviewDeployment struct {
	Deployment string `json:"deployment" jsonschema_description:"which deployment"`
}

// EnableDeployment are the parameters of deployments.enable.
type EnableDeployment struct{ DeploymentChange }

// DisableDeployment are the parameters of deployments.disable.
type DisableDeployment struct{ DeploymentChange }

// DeleteDeployment are the parameters of deployments.delete.
type DeleteDeployment struct{ DeploymentChange }

// ListDeployments are the parameters of deployments.list.
type ListDeployments struct {
	Prefix   string `json:"prefix,omitempty" jsonschema_description:"only deployments whose ids begin so"`
	Artifact string `json:"artifact,omitempty" jsonschema_description:"only deployments of this artifact, name@version, or of all versions of a name"`
	Enabled  *bool  `json:"enabled,omitempty" jsonschema_description:"only those that are enabled, or that are not"`
	Limit    int    `json:"limit,omitempty" jsonschema_description:"how many a page has; 50 if it is left out, at most 1000"`
	Cursor   string `json:"cursor,omitempty" jsonschema_description:"the next of the page before"`
}

// RetainRuns are the parameters of deployments.retain.
type RetainRuns struct {
	Deployment string `json:"deployment,omitempty" jsonschema_description:"only runs of this deployment; of all if it is left out"`
	Limit      int    `json:"limit,omitempty" jsonschema_description:"how many runs are deleted at most; all whose time is over if it is left out"`
}

// Deployment is a deployment as it stands, with what the gate finds now.
type Deployment struct {
	Deployment       string           `json:"deployment"`
	Revision         uint64           `json:"revision"`
	Artifact         string           `json:"artifact"`
	Title            string           `json:"title,omitempty"` // the artifact's
	Bindings         source.Bindings  `json:"bindings"`
	Defaults         json.RawMessage  `json:"defaults"`
	DriftPolicy      gate.DriftPolicy `json:"drift_policy"`
	InDoubt          wf.DoubtPolicy   `json:"in_doubt"`
	RetentionSeconds int64            `json:"retention_seconds,omitempty"`
	MaxRuns          int              `json:"max_runs,omitempty"`
	Enabled          bool             `json:"enabled"`
	Created          time.Time        `json:"created"`
	Updated          time.Time        `json:"updated"`
	Valid            bool             `json:"valid"` // nothing keeps it from running, but that it may be disabled
	Diagnostics      wf.Diagnostics   `json:"diagnostics"`
	Omitted          []Omitted        `json:"omitted,omitempty"`
	Advice           *Advice          `json:"advice,omitempty"`
}

// DeploymentList is a page of deployments, by their ids. Where only some are asked for it may have fewer than its limit and not be the last.
type DeploymentList struct {
	Deployments []ListedDeployment `json:"deployments"`
	Next        string             `json:"next,omitempty"` // the cursor of the next page; "": this is the last
	Advice      *Advice            `json:"advice,omitempty"`
}

// ListedDeployment is a deployment in a list. Whether it is valid is not told: that is found out anew each time.
type ListedDeployment struct {
	Deployment string    `json:"deployment"`
	Revision   uint64    `json:"revision"`
	Artifact   string    `json:"artifact"`
	Enabled    bool      `json:"enabled"`
	Created    time.Time `json:"created"`
	Updated    time.Time `json:"updated"`
}

// DeploymentPreview is what a run of a deployment may do. Sources are the plan's logical ones.
type DeploymentPreview struct {
	Deployment string          `json:"deployment"`
	Revision   uint64          `json:"revision"`
	Artifact   string          `json:"artifact"`
	Bindings   source.Bindings `json:"bindings"`
	preview.Preview
	Text        string         `json:"text"`        // the same for people
	Valid       bool           `json:"valid"`       // nothing keeps it from running, but that it may be disabled
	Diagnostics wf.Diagnostics `json:"diagnostics"` // as deployments.validate finds them
	Omitted     []Omitted      `json:"omitted,omitempty"`
	Advice      *Advice        `json:"advice,omitempty"`
}

// DeletedDeployment tells which deployment was deleted.
type DeletedDeployment struct {
	Deployment string  `json:"deployment"`
	Advice     *Advice `json:"advice,omitempty"`
}

// RetainedRuns tells how many runs were deleted whose time was over.
type RetainedRuns struct {
	Deleted     int            `json:"deleted"`
	Deployments map[string]int `json:"deployments"`    // of which deployments, where there were any
	More        bool           `json:"more,omitempty"` // there may be more whose time is over: as many were deleted as was allowed
	Advice      *Advice        `json:"advice,omitempty"`
}
