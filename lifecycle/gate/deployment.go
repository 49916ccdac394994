// Package gate decides whether a deployment may run: whether each source that its plan names is bound, once, to one that is there,
// and whether what these have is still what the plan was made for. It looks at what it is given and at nothing else, so the same
// question has the same answer everywhere.
package gate

import (
	"encoding/json"

	"lda.chat/wf"
	"lda.chat/wf/source"
)

// DriftPolicy says what a deployment does about capabilities whose contracts have changed so that what worked may fail.
type DriftPolicy string

// The drift policies.
const (
	DriftRefuse DriftPolicy = "refuse" // it does not run; the default
	DriftWarn   DriftPolicy = "warn"   // it runs, and is warned of
)

// Deployment is what the gate looks at of a deployment.
type Deployment struct {
	ID          string          `json:"deployment"`
	Artifact    string          `json:"artifact"`           // name@version
	Revision    uint64          `json:"revision,omitempty"` // that was looked at: whoever saves a repaired one names it
	Bindings    source.Bindings `json:"bindings"`
	DriftPolicy DriftPolicy     `json:"drift_policy,omitempty"` // all but "warn" refuse
}

// Required is a capability that an artifact needs, with its contract as it was when the artifact was saved.
type Required struct {
	source.Use
	Saved *wf.NodeDef `json:"saved,omitempty"` // nil: only that it is there is checked
}

// Require lists what an artifact of a plan needs. contract finds contracts as they are now, by the plan's refs; it returns nil for those
// that nobody has.
func Require(w *wf.Workflow, contract func(ref string) *wf.NodeDef) []Required {
	var list []Required
	for _, use := range source.Uses(w) {
		list = append(list, Required{use, contract(use.Ref)})
	}
	return list
}

// save is the call that saves the deployment with something changed.
func (d Deployment) save(change func(*Deployment)) *wf.FixCall {
	d.Bindings = append(source.Bindings{}, d.Bindings...)
	change(&d)
	return call("deployments.save", d)
}

func call(method string, params any) *wf.FixCall {
	text, err := json.Marshal(params)
	if err != nil {
		return nil // not for what has strings only
	}
	return &wf.FixCall{Method: method, Params: text}
}
