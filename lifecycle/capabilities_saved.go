package lifecycle

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/internal/jsonpatch"
	"lda.chat/wf/internal/value"
)

// contract is what a step that runs a saved workflow relies on, under its name and version.
func (a *Saved) contract() (*wf.NodeDef, *Error) {
	var plan struct {
		Description  string    `json:"description"`
		InputSchema  wf.Schema `json:"input_schema"`
		OutputSchema wf.Schema `json:"output_schema"`
	}
	if err := json.Unmarshal(a.Plan, &plan); err != nil {
		return nil, damaged(kindArtifact, a.key(), err)
	}
	return &wf.NodeDef{Name: a.key(), Description: plan.Description, InputSchema: plan.InputSchema, OutputSchema: plan.OutputSchema, Outcomes: a.Outcomes}, nil
}

// newer reports whether a version comes behind another one of the same name: numbers by their size and behind all others, these by when
// they were saved.
func (a *Saved) newer(than *Saved) bool {
	n, isNumber := number(a.Version)
	other, wasNumber := number(than.Version)
	switch {
	case isNumber && wasNumber:
		return n > other
	case isNumber != wasNumber:
		return isNumber
	}
	return a.Created.After(than.Created)
}

// latestWorkflows gives the saved workflows by their names, of each the latest version: all of them, or those whose keys begin with a
// prefix and come behind a place.
func (s *Service) latestWorkflows(ctx context.Context, prefix, behind string) iter.Seq2[*Saved, *Error] {
	return func(yield func(*Saved, *Error) bool) {
		var last *Saved
		for cursor, more := behind, true; more; more = cursor != "" {
			page, err := s.store.ScanRecords(ctx, kindArtifact, prefix, cursor, 100)
			if err != nil {
				yield(nil, errorOf(err))
				return
			}
			for _, r := range page.Records {
				a, failure := readArtifact(r.Key, r.Value)
				if failure != nil {
					yield(nil, failure)
					return
				}
				switch {
				case last != nil && last.Name != a.Name:
					if !yield(last, nil) {
						return
					}
					last = a
				case last == nil || a.newer(last):
					last = a
				}
			}
			cursor = page.Next
		}
		if last != nil {
			yield(last, nil)
		}
	}
}

// findWorkflow finds a saved workflow by its name and version, or the latest version by its name alone; nil if nobody has saved it.
func (s *Service) findWorkflow(ctx context.Context, ref string) (*Saved, *Error) {
	if strings.Contains(ref, "@") {
		a, failure := s.loadArtifact(ctx, "capability", ref)
		if failure != nil && failure.Kind == NotFound {
			return nil, nil
		}
		return a, failure
	}
	if checkID("capability", ref, mostID) != nil {
		return nil, nil
	}
	for a, failure := range s.latestWorkflows(ctx, ref+"@", "") {
		return a, failure
	}
	return nil, nil
}

// savedNames are names of saved workflows, for hints.
func (s *Service) savedNames(ctx context.Context) (names []string) {
	page, err := s.store.ScanRecords(ctx, kindArtifact, "", "", 1000)
	if err != nil {
		return nil
	}
	for _, r := range page.Records {
		name, _, _ := strings.Cut(r.Key, "@")
		names = append(names, name)
	}
	return slices.Compact(names)
}

// suggestSaved looks for saved workflows under the names that steps call and nobody has: those are run by their versions.
func (s *Service) suggestSaved(ctx context.Context, text []byte, found wf.Diagnostics) {
	plan, err := value.Parse(text)
	if err != nil {
		return
	}
	for i := range found {
		d := &found[i]
		at, err := jsonpatch.ParsePointer(d.Path)
		if err != nil || len(at) < 2 || d.Code != "workflow_unknown" && d.Code != "node_unknown" {
			continue
		}
		name, isText := at.Find(plan).AsString()
		if !isText || strings.Contains(name, "@") {
			continue
		}
		a, failure := s.findWorkflow(ctx, name)
		if a == nil || failure != nil {
			continue
		}
		step, under := at[:len(at)-1].Find(plan), strings.TrimSuffix(d.Path, at[len(at)-1])
		ops := []map[string]any{{"op": "test", "path": d.Path, "value": name}, {"op": "remove", "path": d.Path}, {"op": "add", "path": under + "workflow", "value": a.key()}}
		if !step.Get("type").IsAbsent() {
			ops = append(ops, map[string]any{"op": "replace", "path": under + "type", "value": wf.TypeSubgraph})
		}
		patch, err := json.Marshal(ops)
		if err != nil {
			continue
		}
		d.RepairHint = fmt.Sprintf("there is a saved workflow of that name: a step runs it as \"workflow\": %q", a.key())
		d.Fixes = append(d.Fixes, wf.Fix{Title: fmt.Sprintf("Run the saved workflow %q", a.key()), Applicability: wf.FixUnsafe, Patch: patch})
	}
}

// runInstead is the error of calling what is run: a workflow may wait and ask, so it is a run that is kept.
func (s *Service) runInstead(ctx context.Context, a *Saved, p *CallCapability) *Error {
	e := failed(BadRequest, codeWorkflowNotCalled, fmt.Sprintf("%q is a saved workflow, which is run and not called: it may wait and ask, so its run is kept", a.key()),
		"start a run of a deployment of it; as a step of a plan it is run as it is").about("capability")
	page, err := s.ListDeployments(ctx, &ListDeployments{Artifact: a.key(), Limit: 1000})
	if err != nil {
		return errorOf(err)
	}
	show := showArtifact(a.key(), "what it takes, gives and needs")
	for _, listed := range page.Deployments {
		d, failure := s.loadDeployment(ctx, listed.Deployment)
		if failure != nil || !d.Enabled {
			continue
		}
		if r, err := s.ready(ctx, d); err == nil && !r.found.HasErrors() {
			start := &StartRun{Deployment: d.id, Wait: true}
			var places []string
			start.Input, places = mended(beside(r.plan.InputSchema, r.Defaults), given(r.plan, p.Input))
			return e.next(startRun(toContinue, start, places, "run it, with the same input"), show)
		}
	}
	return e.next(deployArtifact(s.free(ctx, kindDeployment, a.Name), a), show)
}
