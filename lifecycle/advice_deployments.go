package lifecycle

import (
	"encoding/json"
	"fmt"
	"slices"

	"lda.chat/wf"
	"lda.chat/wf/internal/value"
	"lda.chat/wf/lifecycle/gate"
	"lda.chat/wf/source"
)

func showDeployment(id, reason string) NextAction {
	return action(toInspect, "deployments.show", ShowDeployment{Deployment: id}, reason, "deploy", "show", id)
}

func previewDeployment(id string) NextAction {
	return action(toInspect, "deployments.preview", PreviewDeployment{Deployment: id}, "what a run may do, before it does", "deploy", "preview", id)
}

func enableDeployment(d *deployment) NextAction {
	return action(toContinue, "deployments.enable", EnableDeployment{d.change()}, "let runs begin", "deploy", "enable", d.id, "--revision", fmt.Sprint(d.revision))
}

func disableDeployment(d *deployment, reason string) NextAction {
	return action(toContinue, "deployments.disable", DisableDeployment{d.change()}, reason, "deploy", "disable", d.id, "--revision", fmt.Sprint(d.revision))
}

func warnDeployment(d *deployment) NextAction {
	return saveDeployment(toRepair, &SaveDeployment{DeploymentChange: d.change(), DriftPolicy: gate.DriftWarn}, "let its runs go on with a warning")
}

func listRuns(deployment, reason string, status ...wf.RunStatus) NextAction {
	p := ListRuns{Deployment: deployment, Status: status}
	return action(toInspect, "runs.list", p, reason, append([]string{"run", "list"}, p.words()...)...)
}

// saveDeployment is a call of deployments.save.
func saveDeployment(kind string, p *SaveDeployment, reason string) NextAction {
	words := []string{"deploy", "save", p.Deployment}
	add := func(flag, text string) {
		if text != "" {
			words = append(words, flag, text)
		}
	}
	add("--artifact", p.Artifact)
	for _, b := range p.Bindings {
		add("--binding", b.Logical+"="+b.Source)
	}
	if p.Bindings != nil && len(p.Bindings) == 0 {
		words = append(words, "--no-bindings")
	}
	add("--drift-policy", string(p.DriftPolicy))
	if p.Revision > 0 {
		add("--revision", fmt.Sprint(p.Revision))
	}
	return action(kind, "deployments.save", p, reason, words...)
}

// deployArtifact is the call that deploys an artifact under its name, each source bound to the one of its own name.
func deployArtifact(name, artifact string, logical []string) NextAction {
	p := &SaveDeployment{DeploymentChange: DeploymentChange{Deployment: name}, Artifact: artifact, Bindings: source.Bindings{}}
	for _, id := range logical {
		p.Bindings = append(p.Bindings, source.Binding{Logical: id, Source: id})
	}
	return saveDeployment(toContinue, p, "deploy it, each source standing for itself")
}

// advice says what to do next with a deployment.
func (r *readied) advice() *Advice {
	switch {
	case r.found.HasErrors():
		n := 0
		for _, f := range r.found {
			if f.Severity == wf.SeverityError {
				n++
			}
		}
		return advise(fmt.Sprintf("the deployment cannot run: it has %s", plural(n, "error", "errors")), true, r.repairs()...)
	case !r.Enabled:
		return advise("the deployment could run, and is disabled", true, enableDeployment(r.deployment), previewDeployment(r.id))
	}
	a := advise("runs of the deployment can be started", true, r.start("start a run; this is the least input that it takes"), previewDeployment(r.id), listRuns(r.id, "which runs it has had"))
	for _, f := range r.found {
		if f.Severity == wf.SeverityWarning && len(a.Warnings) < Most {
			a.Warnings = append(a.Warnings, f.Message)
		}
	}
	return a
}

// start is the call that starts a run with the least input.
func (r *readied) start(reason string) NextAction {
	p := StartRun{Deployment: r.id, Wait: true}
	words := []string{"run", "start", "--deployment", r.id}
	least, _ := value.Parse(LeastOf(r.plan.InputSchema))
	defaults, _ := value.Parse(r.Defaults)
	var members []value.Member
	for name, v := range least.Members() {
		if defaults.Get(name).IsAbsent() {
			members = append(members, value.Member{Key: name, Value: v})
		}
	}
	if len(members) > 0 {
		p.Input = value.Object(members...).JSON()
		words = append(words, "--input", string(p.Input))
	}
	return action(toContinue, "runs.start", p, reason, words...)
}

// repairs are the calls that repair what is found, those first that nobody has to think about.
func (r *readied) repairs() []NextAction {
	var actions []NextAction
	for _, trust := range []wf.Applicability{wf.FixSafe, wf.FixUnsafe} {
		for _, f := range r.found {
			i := slices.IndexFunc(f.Fixes, func(fix wf.Fix) bool { return fix.Applicability == trust && fix.Call != nil })
			if f.Severity != wf.SeverityError || i < 0 {
				continue
			}
			if a, ok := repairBy(&f.Fixes[i]); ok {
				actions = append(actions, a)
			}
		}
	}
	if len(actions) == 0 {
		actions = append(actions, action(toInspect, "sources.list", ListSources{}, "which sources could be bound", "source", "list"),
			showArtifact(r.Artifact, "what the artifact needs"))
	}
	return actions
}

// repairBy is the call of a fix.
func repairBy(fix *wf.Fix) (NextAction, bool) {
	var save SaveDeployment
	var draft CreateDraft
	switch fix.Call.Method {
	case "deployments.save":
		err := json.Unmarshal(fix.Call.Params, &save)
		return saveDeployment(toRepair, &save, fix.Title), err == nil
	case "drafts.create":
		err := json.Unmarshal(fix.Call.Params, &draft)
		return action(toRepair, fix.Call.Method, draft, fix.Title, "draft", "create", draft.DraftID, "--artifact", draft.Artifact), err == nil
	}
	return NextAction{}, false
}

// advice says what to do next with a list of deployments.
func (l *DeploymentList) advice(p *ListDeployments) *Advice {
	var actions []NextAction
	if len(l.Deployments) > 0 {
		actions = append(actions, showDeployment(l.Deployments[0].Deployment, "how the deployment stands"))
	}
	if l.Next != "" {
		more := *p
		more.Cursor = l.Next
		words := []string{"deploy", "list"}
		if p.Artifact != "" {
			words = append(words, "--artifact", p.Artifact)
		}
		if p.Enabled != nil {
			words = append(words, fmt.Sprintf("--enabled=%t", *p.Enabled))
		}
		actions = append(actions, action(toInspect, "deployments.list", more, "the next page", pageWords(words, "--prefix", p.Prefix, p.Limit, l.Next)...))
	}
	if len(l.Deployments) == 0 {
		return advise("no deployment is as it was asked for", false, append(actions, action(toInspect, "artifacts.list", ListArtifacts{}, "which artifacts could be deployed", "artifact", "list"))...)
	}
	return advise(plural(len(l.Deployments), "deployment", "deployments"), true, actions...)
}
