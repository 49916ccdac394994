package apitest

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
	"lda.chat/wf/source"
)

// Runs start from a deployment while it is being bound to another source and back: each run is of one revision as a whole.
func (s *suite) raceOfRebinding(apis [2]lifecycle.API) {
	const rounds = 6
	s.deployed(counting, lifecycle.SaveDeployment{DeploymentChange: deployment("weekly")})
	var mu sync.Mutex
	bound := map[uint64]string{1: "demo"} // by revision
	var runs []*lifecycle.Run
	errs := together(apis, func(api lifecycle.API, i int) error {
		for n := range rounds {
			if i < racers/2 {
				to := []string{"twin", "demo"}[n%2]
				d, err := api.SaveDeployment(s.ctx, &lifecycle.SaveDeployment{DeploymentChange: deployment("weekly"), Bindings: source.Bindings{{Logical: "demo", Source: to}}})
				if err != nil {
					return err
				}
				mu.Lock()
				bound[d.Revision] = to
				mu.Unlock()
				continue
			}
			run, err := api.StartRun(s.ctx, &lifecycle.StartRun{Deployment: "weekly", Input: json.RawMessage(`{"text":"hello"}`), RunID: fmt.Sprintf("r-%d-%d", i, n), Wait: true, View: lifecycle.View{Full: true}})
			if err != nil {
				return err
			}
			mu.Lock()
			runs = append(runs, run)
			mu.Unlock()
		}
		return nil
	})
	if err := errors.Join(errs...); err != nil {
		s.Fatal(err)
	}
	for _, run := range runs {
		var state struct{ Length, Again int }
		if err := json.Unmarshal(run.State, &state); err != nil || run.Status != wf.StatusCompleted {
			s.Fatal(run.Status, err)
		}
		want := map[string]int{"demo": 5, "twin": 1005}[bound[run.Deployed.Revision]]
		if state.Length != want || state.Again != want || run.Deployed.Contracts[0].Ref != bound[run.Deployed.Revision]+".count" {
			s.Errorf("the run of revision %d, bound to %s, has %+v of %s", run.Deployed.Revision, bound[run.Deployed.Revision], state, run.Deployed.Contracts[0].Ref)
		}
	}
}

// No more runs begin at once than a deployment lets.
func (s *suite) raceForPlaces(apis [2]lifecycle.API) {
	most := 3
	s.deployed(asking, lifecycle.SaveDeployment{DeploymentChange: deployment("ask"), MaxRuns: &most})
	began := 0
	for _, err := range together(apis, func(api lifecycle.API, _ int) error {
		_, err := api.StartRun(s.ctx, &lifecycle.StartRun{Deployment: "ask", Wait: true})
		return err
	}) {
		if err == nil {
			began++
			continue
		}
		s.wants(err, lifecycle.Conflict, "deployment_busy")
	}
	list, err := s.api.ListRuns(s.ctx, &lifecycle.ListRuns{Deployment: "ask"})
	if err != nil || began != most || len(list.Runs) != most {
		s.Errorf("%d began, %d are there, %v; expected %d", began, len(list.Runs), err, most)
	}
}
