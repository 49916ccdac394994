package apitest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
	"lda.chat/wf/lifecycle/gate"
	"lda.chat/wf/source"
)

// deployed saves a plan as an artifact, and deploys that with demo standing for itself.
func (s *suite) deployed(plan string, p lifecycle.SaveDeployment) *lifecycle.Deployment {
	s.Helper()
	a := s.saved(lifecycle.CreateArtifact{Plan: json.RawMessage(plan)})
	p.Artifact = a.Artifact
	chosen := p.Bindings != nil
	if !chosen {
		for _, id := range a.Sources {
			p.Bindings = append(p.Bindings, source.Binding{Logical: id, Source: id})
		}
	}
	d, err := s.api.SaveDeployment(s.ctx, &p)
	if err != nil {
		s.Fatal(err)
	}
	s.advised(d.Advice)
	if !chosen && !d.Valid {
		s.Fatalf("%s is not valid: %v", d.Deployment, d.Diagnostics)
	}
	return d
}

func deployment(id string) lifecycle.DeploymentChange {
	return lifecycle.DeploymentChange{Deployment: id}
}

func (s *suite) startOf(id, input, runID string) (*lifecycle.Run, error) {
	p := &lifecycle.StartRun{Deployment: id, RunID: runID, Wait: true, View: lifecycle.View{Full: true}}
	if input != "" {
		p.Input = json.RawMessage(input)
	}
	return s.api.StartRun(s.ctx, p)
}

// A deployment is made, changed, switched off and on, and deleted; its runs are told from others.
func (s *suite) deploying() {
	d := s.deployed(counting, lifecycle.SaveDeployment{DeploymentChange: deployment("weekly")})
	if d.Revision != 1 || !d.Enabled || d.DriftPolicy != gate.DriftRefuse || d.InDoubt != wf.DoubtAsk || string(d.Defaults) != "{}" || d.Artifact != "counting@1" {
		s.Errorf("it is %+v", d)
	}
	run, err := s.startOf("weekly", `{"text":"hello"}`, "")
	if err != nil || run.Status != wf.StatusCompleted || run.Deployment != "weekly" || len(run.Labels) != 0 {
		s.Fatalf("%+v, %v", run, err)
	}
	if to := run.Deployed; to == nil || to.Revision != 1 || to.Artifact != "counting@1" || to.ArtifactDigest == "" || to.PlanDigest == "" || len(to.Contracts) != 1 || to.Contracts[0].Ref != "demo.count" || !strings.HasPrefix(to.Contracts[0].Hash, "contract1:") {
		s.Errorf("the run is of %+v", to)
	}
	again, err := s.startOf("weekly", `{"text":"hello"}`, run.RunID)
	if err != nil || again.RunID != run.RunID || again.Revision != run.Revision {
		s.Errorf("%+v, %v: expected the run that is there", again, err)
	}
	_, err = s.startOf("weekly", `{"text":"other"}`, run.RunID)
	s.wants(err, lifecycle.Conflict, "run_exists")
	s.begin(counting, `{"text":"alone"}`, "alone")
	list, err := s.api.ListRuns(s.ctx, &lifecycle.ListRuns{Deployment: "weekly"})
	if err != nil || len(list.Runs) != 1 || list.Runs[0].RunID != run.RunID || list.Runs[0].Deployment != "weekly" {
		s.Errorf("%+v, %v", list, err)
	}
	forked, err := s.api.ForkRun(s.ctx, &lifecycle.ForkRun{RunID: run.RunID, Event: 1, Wait: true, Labels: map[string]string{"why": "test"}})
	if err != nil || forked.Deployed == nil || forked.Deployed.Revision != 1 || forked.Labels["why"] != "test" || len(forked.Labels) != 1 {
		s.Errorf("the fork is %+v, %v", forked, err)
	}

	same := s.deployed(counting, lifecycle.SaveDeployment{DeploymentChange: deployment("weekly")})
	if same.Revision != 1 {
		s.Errorf("saving the same is revision %d", same.Revision)
	}
	d, err = s.api.DisableDeployment(s.ctx, &lifecycle.DisableDeployment{DeploymentChange: lifecycle.DeploymentChange{Deployment: "weekly", Revision: 1}})
	if err != nil || d.Enabled || d.Revision != 2 || !d.Valid || d.Advice.Recommended != "deployments.enable" {
		s.Fatalf("%+v, %v", d, err)
	}
	s.advised(d.Advice)
	_, err = s.startOf("weekly", `{"text":"hello"}`, "")
	e := s.wants(err, lifecycle.NotAllowed, "deployment_disabled")
	if _, err := lifecycle.Call(s.ctx, s.api, e.NextActions[0].Method, e.NextActions[0].Params); err != nil {
		s.Error(err)
	}
	_, err = s.api.DisableDeployment(s.ctx, &lifecycle.DisableDeployment{DeploymentChange: lifecycle.DeploymentChange{Deployment: "weekly", Revision: 2}})
	e = s.wants(err, lifecycle.Conflict, "revision_conflict")
	if string(e.Diagnostics[0].Expected) != "3" || string(e.Diagnostics[0].Actual) != "2" {
		s.Errorf("the conflict tells %s, %s", e.Diagnostics[0].Expected, e.Diagnostics[0].Actual)
	}
	if _, err := s.api.DeleteDeployment(s.ctx, &lifecycle.DeleteDeployment{DeploymentChange: deployment("weekly")}); err != nil {
		s.Error(err)
	}
	_, err = s.api.ShowDeployment(s.ctx, &lifecycle.ShowDeployment{Deployment: "weekly"})
	s.wants(err, lifecycle.NotFound, "deployment_not_found")
	if d := s.deployed(counting, lifecycle.SaveDeployment{DeploymentChange: deployment("weekly")}); d.Revision <= 3 {
		s.Errorf("made anew it is at revision %d, which it has had", d.Revision)
	}
	events, err := s.api.ListEvents(s.ctx, &lifecycle.ListEvents{Subject: "deployment:weekly"})
	var did []string
	if err == nil {
		for _, e := range slices.Backward(events.Events) {
			did = append(did, fmt.Sprintf("%s@%d", strings.TrimPrefix(e.Method, "deployments."), e.Revision))
		}
	}
	if got := strings.Join(did[:min(4, len(did))], " "); got != "save@1 disable@2 enable@3 delete@3" || len(did) != 5 {
		s.Errorf("the audit has %v, %v", did, err)
	}
}

// What a deployment cannot be, and what is not there, is refused with what can be done.
func (s *suite) refusedDeployments() {
	s.deployed(asking, lifecycle.SaveDeployment{DeploymentChange: deployment("ask")})
	save := func(p lifecycle.SaveDeployment) error {
		if p.Deployment == "" {
			p.Deployment = "new"
		}
		_, err := s.api.SaveDeployment(s.ctx, &p)
		return err
	}
	many, negative, seconds := 1001, -1, int64(-1)
	for name, p := range map[string]lifecycle.SaveDeployment{
		"no artifact": {}, "no version": {Artifact: "asking"}, "drift policy": {Artifact: "asking@1", DriftPolicy: "maybe"}, "in doubt": {Artifact: "asking@1", InDoubt: "maybe"},
		"defaults": {Artifact: "asking@1", Defaults: json.RawMessage(`[]`)}, "retention": {Artifact: "asking@1", RetentionSeconds: &seconds},
		"many runs": {Artifact: "asking@1", MaxRuns: &many}, "fewer than no runs": {Artifact: "asking@1", MaxRuns: &negative},
		"id": {Artifact: "asking@1", DeploymentChange: deployment("a/b")},
	} {
		s.Log(name)
		s.wants(save(p), lifecycle.BadRequest, "params_invalid")
	}
	s.wants(save(lifecycle.SaveDeployment{Artifact: "asking@2"}), lifecycle.NotFound, "artifact_not_found")
	s.wants(save(lifecycle.SaveDeployment{Artifact: "asking@1", DeploymentChange: lifecycle.DeploymentChange{Deployment: "new", Revision: 3}}), lifecycle.NotFound, "deployment_not_found")
	for _, method := range []string{"show", "validate", "preview", "enable", "disable", "delete", "retain"} {
		s.Log(method)
		_, err := lifecycle.Call(s.ctx, s.api, "deployments."+method, json.RawMessage(`{"deployment":"nobody"}`))
		s.wants(err, lifecycle.NotFound, "deployment_not_found")
		_, err = lifecycle.Call(s.ctx, s.api, "deployments."+method, json.RawMessage(`{"deployment":"../a"}`))
		s.wants(err, lifecycle.BadRequest, "params_invalid")
	}
	_, err := s.startOf("nobody", "", "")
	s.wants(err, lifecycle.NotFound, "deployment_not_found")
	_, err = s.api.StartRun(s.ctx, &lifecycle.StartRun{Deployment: "ask", Plan: json.RawMessage(asking)})
	s.wants(err, lifecycle.BadRequest, "params_invalid")

	run, err := s.startOf("ask", "", "")
	if err != nil || run.Status != wf.StatusInterrupted {
		s.Fatal(run, err)
	}
	_, err = s.api.DeleteDeployment(s.ctx, &lifecycle.DeleteDeployment{DeploymentChange: deployment("ask")})
	s.wants(err, lifecycle.Conflict, "deployment_in_use")
	if _, err := s.api.CancelRun(s.ctx, &lifecycle.CancelRun{RunID: run.RunID}); err != nil {
		s.Fatal(err)
	}
	if _, err := s.api.DeleteDeployment(s.ctx, &lifecycle.DeleteDeployment{DeploymentChange: deployment("ask")}); err != nil {
		s.Error(err)
	}
	run, err = s.api.InspectRun(s.ctx, &lifecycle.InspectRun{RunID: run.RunID})
	if err != nil || run.Deployed == nil || run.Deployed.Artifact != "asking@1" {
		s.Errorf("a run outlives its deployment: %+v, %v", run, err)
	}
}

// Each mistake in bindings has its finding, whose call repairs it; until then no run starts.
func (s *suite) bindings() {
	fine := source.Binding{Logical: "demo", Source: "demo"}
	for id, c := range map[string]struct {
		code     wf.Code
		bindings source.Bindings
	}{
		"unbound":         {wf.CodeSourceUnbound, source.Bindings{}},
		"twice":           {wf.CodeSourceBoundTwice, source.Bindings{fine, fine}},
		"unknown":         {wf.CodeBindingUnknown, source.Bindings{fine, {Logical: "zebra", Source: "demo"}}},
		"misspelt":        {wf.CodeBindingUnknown, source.Bindings{fine, {Logical: "dmeo", Source: "demo"}}},
		"of-platform":     {wf.CodePlatformBinding, source.Bindings{fine, {Logical: "wf.std", Source: "demo"}}},
		"to-platform":     {wf.CodePlatformBinding, source.Bindings{{Logical: "demo", Source: "wf.std"}}},
		"platform-itself": {wf.CodePlatformBinding, source.Bindings{fine, {Logical: "wf.std", Source: "wf.std"}}},
		"no-source":       {wf.CodeSourceMissing, source.Bindings{{Logical: "demo", Source: "dmeo"}}},
		"not-named":       {wf.CodeSourceMissing, source.Bindings{{Logical: "demo", Source: ""}}},
		"other-source":    {"capability_missing", source.Bindings{{Logical: "demo", Source: "spare"}}},
	} {
		code, bindings := c.code, c.bindings
		d := s.deployed(counting, lifecycle.SaveDeployment{DeploymentChange: deployment(id), Bindings: bindings})
		if d.Valid || len(d.Diagnostics) != 1 || d.Diagnostics[0].Code != code || d.Advice.NextActions[0].Kind != "repair" {
			s.Errorf("%s: %v, %+v", id, d.Diagnostics, d.Advice)
			continue
		}
		_, err := s.startOf(id, `{"text":"a"}`, "")
		e := s.wants(err, lifecycle.Invalid, code)
		out, err := lifecycle.Call(s.ctx, s.api, e.NextActions[0].Method, e.NextActions[0].Params)
		if err != nil {
			s.Errorf("%s: %v", code, err)
			continue
		}
		if d, ok := out.(*lifecycle.Deployment); !ok || !d.Valid || d.Revision != 2 {
			s.Errorf("%s: repaired it is %+v", code, out)
		}
		if run, err := s.startOf(id, `{"text":"a"}`, ""); err != nil || run.Status != wf.StatusCompleted {
			s.Errorf("%s: %v, %v", code, run, err)
		}
	}
}

// What a deployment gives its runs: a part of the input, and what becomes of calls in doubt.
func (s *suite) deployedRuns() {
	s.deployed(counting, lifecycle.SaveDeployment{DeploymentChange: deployment("weekly"), Defaults: json.RawMessage(`{"text":"hello"}`)})
	for input, length := range map[string]string{"": "5", `{}`: "5", `{"text":"hi"}`: "2"} {
		run, err := s.startOf("weekly", input, "")
		if err != nil || !strings.Contains(string(run.State), `"length":`+length) {
			s.Errorf("%s: %+v, %v", input, run, err)
		}
	}
	_, err := s.startOf("weekly", `{"text":5}`, "")
	e := s.wants(err, lifecycle.Invalid, wf.CodeInputInvalid)
	if e.Diagnostics[0].Doc != "input" || len(e.NextActions) == 0 || e.NextActions[0].Method != "runs.start" {
		s.Errorf("%+v", e)
	}
	d, err := s.api.SaveDeployment(s.ctx, &lifecycle.SaveDeployment{DeploymentChange: deployment("weekly"), Defaults: json.RawMessage(`{"text":5}`)})
	if err != nil || d.Valid || len(d.Diagnostics) != 1 || d.Diagnostics[0].Path != "/defaults/text" || d.Diagnostics[0].Code != wf.CodeInputInvalid {
		s.Errorf("%+v, %v", d, err)
	}
	s.advised(d.Advice)
	s.deployed(doubtful, lifecycle.SaveDeployment{DeploymentChange: deployment("fails"), InDoubt: wf.DoubtFail})
	if run, err := s.startOf("fails", "", ""); err != nil || run.Status != wf.StatusFailed || run.Error.Code != wf.CodeInDoubt {
		s.Errorf("%+v, %v", run, err)
	}
	s.deployed(doubtful, lifecycle.SaveDeployment{DeploymentChange: deployment("asks")})
	if run, err := s.startOf("asks", "", ""); err != nil || run.Status != wf.StatusInterrupted || len(run.Doubts) != 1 {
		s.Errorf("%+v, %v", run, err)
	}
}

// A deployment lets no more runs be under way than it says.
func (s *suite) limitedRuns() {
	most := 2
	s.deployed(asking, lifecycle.SaveDeployment{DeploymentChange: deployment("ask")})
	for _, id := range []string{"one", "two"} { // the first begins before there is a limit
		if _, err := s.startOf("ask", "", id); err != nil {
			s.Fatal(err)
		}
		if _, err := s.api.SaveDeployment(s.ctx, &lifecycle.SaveDeployment{DeploymentChange: deployment("ask"), MaxRuns: &most}); err != nil {
			s.Fatal(err)
		}
	}
	_, err := s.startOf("ask", "", "three")
	s.wants(err, lifecycle.Conflict, "deployment_busy")
	if run, err := s.startOf("ask", "", "one"); err != nil || run.RunID != "one" {
		s.Errorf("started again: %v, %v", run, err)
	}
	if _, err := s.api.CancelRun(s.ctx, &lifecycle.CancelRun{RunID: "two"}); err != nil {
		s.Fatal(err)
	}
	_, err = s.startOf("ask", `[]`, "broken")
	s.wants(err, lifecycle.Invalid, wf.CodeInputInvalid)
	if _, err := s.startOf("ask", "", "three"); err != nil {
		s.Error(err)
	}
	_, err = s.startOf("ask", "", "four")
	s.wants(err, lifecycle.Conflict, "deployment_busy")
}

// Before anything runs it is told what a run may do.
func (s *suite) previews() {
	s.deployed(doubtful, lifecycle.SaveDeployment{DeploymentChange: deployment("pay")})
	may, err := s.api.PreviewDeployment(s.ctx, &lifecycle.PreviewDeployment{Deployment: "pay"})
	if err != nil || len(may.Irreversible) != 1 || may.Irreversible[0].Ref != "demo.lost" || len(may.Sources) != 1 || may.Sources[0].Calls.AtLeast != 1 || !strings.Contains(may.Text, "cannot be undone:") {
		s.Errorf("%+v, %v", may, err)
	}
	s.advised(may.Advice)
	broken := s.deployed(counting, lifecycle.SaveDeployment{DeploymentChange: deployment("broken"), Bindings: source.Bindings{}})
	not, err := s.api.PreviewDeployment(s.ctx, &lifecycle.PreviewDeployment{Deployment: "broken"})
	if err != nil || not.Valid || len(not.Diagnostics) != 1 || not.Diagnostics[0].Code != broken.Diagnostics[0].Code || not.Advice.NextActions[0].Kind != "repair" {
		s.Errorf("of what cannot run: %+v, %v", not, err)
	}
	s.advised(not.Advice)
	s.deployed(asking, lifecycle.SaveDeployment{DeploymentChange: deployment("ask")})
	if may, err := s.api.PreviewDeployment(s.ctx, &lifecycle.PreviewDeployment{Deployment: "ask"}); err != nil || len(may.Interrupts) != 1 || len(may.Sources) != 0 {
		s.Errorf("%+v, %v", may, err)
	}
}

// A draft that is made for a deployment is saved as the next version of its artifact, which is deployed there.
func (s *suite) draftsForDeployments() {
	a := s.saved(lifecycle.CreateArtifact{Plan: json.RawMessage(counting), Artifact: "lengths"})
	for _, id := range []string{"first", "weekly"} {
		p := lifecycle.SaveDeployment{DeploymentChange: deployment(id), Artifact: a.Artifact, Bindings: source.Bindings{{Logical: "demo", Source: "demo"}}}
		if _, err := s.api.SaveDeployment(s.ctx, &p); err != nil {
			s.Fatal(err)
		}
	}
	d := s.draft(lifecycle.CreateDraft{DraftID: "d", Deployment: "weekly"})
	if d.From != "artifact:lengths@1" || d.Deployment != "weekly" || d.Name != "counting" {
		s.Fatalf("it is %+v", d)
	}
	if _, err := s.apply("d", 0, `{"op": "set-name", "description": "Counts twice"}`); err != nil {
		s.Fatal(err)
	}
	saved, err := s.api.SaveDraft(s.ctx, &lifecycle.SaveDraft{DraftChange: lifecycle.DraftChange{DraftID: "d"}})
	if err != nil || saved.Artifact != "lengths@2" {
		s.Fatalf("saved: %+v, %v", saved, err)
	}
	s.advised(saved.Advice)
	want := []string{"weekly", "first"}
	for i, n := range saved.Advice.NextActions[:2] {
		out, err := lifecycle.Call(s.ctx, s.api, n.Method, n.Params)
		if d, ok := out.(*lifecycle.Deployment); err != nil || !ok || d.Deployment != want[i] || d.Artifact != "lengths@2" || !d.Valid || d.Revision != 2 {
			s.Errorf("%s: %+v, %v", n.CLI, out, err)
		}
	}
	old, err := s.api.ShowArtifact(s.ctx, &lifecycle.ShowArtifact{Artifact: "lengths@1"})
	if err != nil {
		s.Fatal(err)
	}
	s.advised(old.Advice)
	for _, n := range old.Advice.NextActions {
		var p lifecycle.SaveDeployment
		if json.Unmarshal(n.Params, &p) == nil && n.Method == "deployments.save" && slices.Contains(want, p.Deployment) {
			s.Errorf("an older version is advised for %s", p.Deployment)
		}
	}
}

// A saved workflow that runs another one is bound as a whole.
func (s *suite) deployedInside() {
	s.saved(lifecycle.CreateArtifact{Plan: json.RawMessage(counting)})
	s.deployed(`{"name": "outer", "input_schema": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}},
		"nodes": [{"id": "sub", "type": "subgraph", "workflow": "counting@1", "input": {"text": "input.text"}, "next": "__end__"}]}`,
		lifecycle.SaveDeployment{DeploymentChange: deployment("outer"), Bindings: source.Bindings{{Logical: "demo", Source: "twin"}}})
	run, err := s.startOf("outer", `{"text":"a"}`, "")
	if err != nil || run.Status != wf.StatusCompleted || len(run.Deployed.Contracts) != 1 || run.Deployed.Contracts[0].Ref != "twin.count" {
		s.Errorf("%+v, %v", run, err)
	}
}

func (s *suite) deploymentPages() {
	a := s.saved(lifecycle.CreateArtifact{Plan: json.RawMessage(asking)})
	off := false
	for i := range 7 {
		p := &lifecycle.SaveDeployment{DeploymentChange: deployment(fmt.Sprintf("d%d", i)), Artifact: a.Artifact}
		if i%2 == 1 {
			p.Enabled = &off
		}
		if _, err := s.api.SaveDeployment(s.ctx, p); err != nil {
			s.Fatal(err)
		}
	}
	s.deployed(counting, lifecycle.SaveDeployment{DeploymentChange: deployment("weekly")})
	for want, p := range map[string]lifecycle.ListDeployments{
		"d0 d1 d2 d3 d4 d5 d6 weekly": {}, "d1 d3 d5": {Enabled: &off}, "d0 d1 d2 d3 d4 d5 d6": {Artifact: "asking"}, "weekly": {Artifact: "counting@1"}, "": {Artifact: "count"}, "d3": {Prefix: "d3"},
	} {
		var got []string
		for {
			p.Limit = 2
			page, err := s.api.ListDeployments(s.ctx, &p)
			if err != nil {
				s.Fatal(err)
			}
			s.advised(page.Advice)
			for _, d := range page.Deployments {
				got = append(got, d.Deployment)
			}
			if p.Cursor = page.Next; p.Cursor == "" {
				break
			}
		}
		if strings.Join(got, " ") != want {
			s.Errorf("%+v lists %v, expected %s", p, got, want)
		}
	}
}

func (s *suite) status() {
	st, err := s.api.GetStatus(s.ctx, &lifecycle.GetStatus{})
	if err != nil || len(st.Sources) != 3 || st.Sources[0].Source != "demo" || st.Versions.Plan != wf.Format || st.Versions.Kernel == 0 || st.Store.Durability == "" {
		s.Fatalf("%+v, %v", st, err)
	}
	s.advised(st.Advice)
	s.deployed(asking, lifecycle.SaveDeployment{DeploymentChange: deployment("ask")})
	s.draft(lifecycle.CreateDraft{DraftID: "d"})
	if _, err := s.startOf("ask", "", ""); err != nil {
		s.Fatal(err)
	}
	s.begin(counting, `{"text":"a"}`, "")
	st, err = s.api.GetStatus(s.ctx, &lifecycle.GetStatus{})
	if c := st.Counts; err != nil || c.Drafts != 1 || c.Artifacts != 1 || c.Deployments != 1 || c.Runs[wf.StatusInterrupted] != 1 || c.Runs[wf.StatusCompleted] != 1 || len(c.More) != 0 {
		s.Errorf("%+v, %v", st, err)
	}
	s.advised(st.Advice)
}
