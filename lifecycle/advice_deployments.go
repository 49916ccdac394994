package lifecycle

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

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
	add("--defaults", string(p.Defaults))
	add("--drift-policy", string(p.DriftPolicy))
	if p.Revision > 0 {
		add("--revision", fmt.Sprint(p.Revision))
	}
	return action(kind, "deployments.save", p, reason, words...)
}

// deploymentAdvice says what to do next with a deployment.
func (s *Service) deploymentAdvice(ctx context.Context, r *readied, did string) *Advice {
	preview := previewDeployment(r.id)
	switch {
	case r.found.HasErrors():
		n := r.found.Errors()
		return advise(fmt.Sprintf("the deployment cannot run: it has %s", plural(n, "error", "errors")), true, except(did, s.repairs(ctx, r))...)
	case !r.Enabled:
		return advise("the deployment could run, and is disabled", true, except(did, []NextAction{enableDeployment(r.deployment), preview})...)
	}
	a := advise("runs of the deployment can be started", true,
		except(did, []NextAction{r.start("start a run; this is the least input that it takes"), preview, listRuns(r.id, "which runs it has had")})...)
	for _, f := range r.found {
		if f.Severity == wf.SeverityWarning && len(a.Warnings) < Most {
			a.Warnings = append(a.Warnings, f.Message)
		}
	}
	return a
}

// start is the call that starts a run with the least input.
func (r *readied) start(reason string) NextAction {
	least, places := LeastOf(beside(r.plan.InputSchema, r.Defaults))
	return startRun(toContinue, &StartRun{Deployment: r.id, Input: least, Wait: true}, places, reason)
}

// repairs are the calls that repair what is found: of each finding the best first, those before all that nobody has to think about.
// Where no call is known, they are those with a part to fill in.
func (s *Service) repairs(ctx context.Context, r *readied) []NextAction {
	var safe, unsafe, open []NextAction
	for i := range r.found {
		f := &r.found[i]
		if f.Severity != wf.SeverityError {
			continue
		}
		for _, fix := range f.Fixes {
			a, ok := s.repairBy(ctx, &fix)
			switch {
			case !ok:
			case len(a.Fill) > 0:
				open = append(open, a)
			case fix.Applicability == wf.FixSafe:
				safe = append(safe, a)
			default:
				unsafe = append(unsafe, a)
			}
		}
		open = append(open, r.rewrite(f)...)
	}
	actions := append(append(safe, unsafe...), open...)
	return append(actions, action(toInspect, "sources.list", ListSources{}, "which sources could be bound", "source", "list"),
		showArtifact(r.Artifact, "what the artifact needs"))
}

// rewrite is the call that writes anew what a finding is about, where no fix says how.
func (r *readied) rewrite(f *wf.Diagnostic) []NextAction {
	var i int
	switch {
	case strings.HasPrefix(f.Path, "/defaults/"):
		shown, others := given(r.plan, r.Defaults), value.Object()
		for name, v := range shown.Members() {
			if name != memberOf(strings.TrimPrefix(f.Path, "/defaults")) {
				others = others.With(name, v)
			}
		}
		input, _ := value.Parse(r.plan.InputSchema)
		optional := wf.Schema(input.With("required", value.Array()).JSON())
		fits, places := mended(optional, shown)
		kept, secrets := mended(optional, others)
		return []NextAction{
			saveDeployment(toRepair, &SaveDeployment{DeploymentChange: r.change(), Defaults: fits}, "give another default: this one does not fit the input").filling("/defaults", places...),
			saveDeployment(toRepair, &SaveDeployment{DeploymentChange: r.change(), Defaults: kept}, "let each run give that itself").filling("/defaults", secrets...),
		}
	case len(f.Fixes) > 0:
	default:
		if n, _ := fmt.Sscanf(f.Path, "/bindings/%d", &i); n == 1 && i < len(r.Bindings) {
			bindings := slices.Clone(r.Bindings)
			bindings[i].Source, _ = unknown.AsString()
			return []NextAction{saveDeployment(toRepair, &SaveDeployment{DeploymentChange: r.change(), Bindings: bindings},
				fmt.Sprintf("bind %q to another source, which has what the plan calls", bindings[i].Logical)).filling(fmt.Sprintf("/bindings/%d/source", i), "")}
		}
	}
	return nil
}

// repairBy is the call of a fix.
func (s *Service) repairBy(ctx context.Context, fix *wf.Fix) (NextAction, bool) {
	var save SaveDeployment
	var draft CreateDraft
	if fix.Call == nil {
		return NextAction{}, false
	}
	switch fix.Call.Method {
	case "deployments.save":
		err := json.Unmarshal(fix.Call.Params, &save)
		i := slices.IndexFunc(save.Bindings, func(b source.Binding) bool { return b.Source == "" })
		if i < 0 {
			return saveDeployment(toRepair, &save, fix.Title), err == nil
		}
		save.Bindings[i].Source, _ = unknown.AsString()
		return saveDeployment(toRepair, &save, fix.Title).filling(fmt.Sprintf("/bindings/%d/source", i), ""), err == nil
	case "drafts.create":
		err := json.Unmarshal(fix.Call.Params, &draft)
		return s.redraft(ctx, &draft, fix.Title), err == nil
	}
	return NextAction{}, false
}

// redraft is the call that begins a draft for a deployment: to go on with the one that there is, or to begin one under an id that is
// free.
func (s *Service) redraft(ctx context.Context, p *CreateDraft, reason string) NextAction {
	if was, failure := s.loadDraft(ctx, p.DraftID); failure == nil {
		d, failure := s.loadDeployment(ctx, p.Deployment)
		if failure == nil && was.Deployment == p.Deployment && was.From == fromArtifact+d.Artifact {
			a := showDraftAction(p.DraftID, "go on with the draft of its artifact that there is")
			a.Kind = toRepair
			return a
		}
		p.DraftID = s.free(ctx, kindDraft, p.DraftID)
	}
	return action(toRepair, "drafts.create", p, reason, "draft", "create", p.DraftID, "--deployment", p.Deployment)
}

// told are findings as they are told: a fix that begins a draft names one that can be begun.
func (s *Service) told(ctx context.Context, found wf.Diagnostics) wf.Diagnostics {
	found = append(wf.Diagnostics{}, found...)
	for i := range found {
		found[i].Fixes = slices.Clone(found[i].Fixes)
		for j := range found[i].Fixes {
			if fix := &found[i].Fixes[j]; fix.Call != nil && fix.Call.Method == "drafts.create" {
				if a, ok := s.repairBy(ctx, fix); ok {
					fix.Call = &wf.FixCall{Method: a.Method, Params: a.Params}
				}
			}
		}
	}
	return found
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
