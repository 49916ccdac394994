package lifecycle

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle/gate"
	"lda.chat/wf/source"
)

const (
	kindDeployment   = "deployment"
	deploymentFormat = "wf-deployment/1"
)

// deployment is a deployment as it is stored. Its revision is the record's.
type deployment struct {
	Format           string           `json:"format"`
	Artifact         string           `json:"artifact"`
	Bindings         source.Bindings  `json:"bindings"`
	Defaults         json.RawMessage  `json:"defaults"`
	DriftPolicy      gate.DriftPolicy `json:"drift_policy"`
	InDoubt          wf.DoubtPolicy   `json:"in_doubt"`
	RetentionSeconds int64            `json:"retention_seconds,omitempty"`
	MaxRuns          int              `json:"max_runs,omitempty"`
	Enabled          bool             `json:"enabled"`
	Created          time.Time        `json:"created"`
	Updated          time.Time        `json:"updated"`

	id       string
	revision uint64 // 0: it is not stored yet
}

func (d *deployment) subject() string { return "deployment:" + d.id }

// doc names the revision, for findings.
func (d *deployment) doc() string { return fmt.Sprintf("%s@%d", d.subject(), d.revision) }

func (d *deployment) change() DeploymentChange {
	return DeploymentChange{Deployment: d.id, Revision: d.revision}
}

// gated is what the gate looks at.
func (d *deployment) gated() *gate.Deployment {
	return &gate.Deployment{ID: d.id, Artifact: d.Artifact, Revision: d.revision, Bindings: d.Bindings, DriftPolicy: d.DriftPolicy}
}

// loadDeployment reads a deployment.
func (s *Service) loadDeployment(ctx context.Context, id string) (*deployment, *Error) {
	if err := checkID("deployment", id, mostID); err != nil {
		return nil, err
	}
	r, err := s.store.GetRecord(ctx, kindDeployment, id)
	if err != nil {
		return nil, missingDeployment(id, err)
	}
	return readDeployment(id, r.Revision, r.Value)
}

func readDeployment(id string, revision uint64, text []byte) (*deployment, *Error) {
	d := &deployment{id: id, revision: revision}
	err := json.Unmarshal(text, d)
	if err == nil && d.Format != deploymentFormat {
		err = fmt.Errorf("its format is %q, expected %q", d.Format, deploymentFormat)
	}
	if err != nil {
		return nil, damaged(kindDeployment, id, err)
	}
	return d, nil
}

func missingDeployment(id string, err error) *Error {
	if _, gone := errors.AsType[*wf.NotFoundError](err); !gone {
		return errorOf(err)
	}
	return failed(NotFound, codeDeploymentNotFound, fmt.Sprintf("there is no deployment %q", id), "").
		next(action(toInspect, "deployments.list", ListDeployments{}, "which deployments there are", "deploy", "list"))
}

// putDeployment keeps a deployment in the place of the one at its revision, and gives it the new one.
func (s *Service) putDeployment(ctx context.Context, d *deployment) error {
	d.Format, d.Updated = deploymentFormat, s.now().UTC()
	text, err := json.Marshal(d)
	if err != nil {
		return err
	}
	revision, err := s.store.PutRecord(ctx, kindDeployment, d.id, d.revision, text)
	if err == nil {
		d.revision = revision
	}
	return err
}

// conflict is the error of a change for a revision that is not the deployment's.
func (d *deployment) conflict(seen uint64) *Error {
	e := failed(Conflict, codeRevisionConflict, fmt.Sprintf("the deployment %q is at revision %d, and the change was made for revision %d: somebody else was first", d.id, d.revision, seen),
		"look at the deployment again; if the change is still right, make it for the revision that is there").about(d.subject())
	e.Diagnostics[0].Expected, _ = json.Marshal(d.revision)
	e.Diagnostics[0].Actual, _ = json.Marshal(seen)
	return e.next(showDeployment(d.id, "what the deployment is now"))
}
