package lifecycle

import (
	"context"
	"encoding/json"
	"fmt"

	"lda.chat/wf"
	"lda.chat/wf/internal/value"
)

func showDraftAction(id, reason string) NextAction {
	return action(toInspect, "drafts.show", ShowDraft{DraftID: id}, reason, "draft", "show", id)
}

func (d *draft) change() DraftChange { return DraftChange{DraftID: d.id, Revision: d.revision} }

// saveDraft is the call that makes an artifact of a draft, as the next version of a name.
func saveDraft(d *draft, name string) NextAction {
	return action(toContinue, "drafts.save", SaveDraft{DraftChange: d.change(), Artifact: name}, "make an artifact of it, under the next version",
		"draft", "save", d.id, "--revision", fmt.Sprint(d.revision), "--artifact", name)
}

// draftAdvice says what to do next with a draft, from what is found in it. found is what is told of that.
func (s *Service) draftAdvice(ctx context.Context, d *draft, c *checked, found wf.Diagnostics, did string) *Advice {
	var a *Advice
	show := showDraftAction(d.id, "the plan as it is")
	switch n := d.Summary.Errors; {
	case n == 0:
		a = advise("the draft is complete and can be saved", true, except(did, []NextAction{saveDraft(d, d.artifact()), show})...)
		a.CanSaveNow = true
	case d.Summary.Steps == 0 && d.Summary.First == "nodes_missing":
		a = advise("the draft has no steps yet", true, append(s.repairsOf(ctx, d, c, found),
			action(toInspect, "capabilities.list", ListCapabilities{}, "what steps can call", "cap", "list"))...)
	default:
		repairs := s.repairsOf(ctx, d, c, found)
		if len(repairs) == 0 && len(found) < len(c.found) && did != "drafts.validate" {
			repairs = append(repairs, action(toInspect, "drafts.validate", ValidateDraft{DraftID: d.id, DraftView: DraftView{Full: true}}, "all that is found in it",
				"draft", "validate", d.id, "--full"))
		}
		a = advise(fmt.Sprintf("the draft has %s", plural(n, "error", "errors")), true, append(repairs, except(did, []NextAction{explainCode(d.Summary.First), show})...)...)
	}
	if n := d.Summary.Warnings; n > 0 {
		a.Warnings = []string{fmt.Sprintf("%s in the plan", plural(n, "warning", "warnings"))}
	}
	return a
}

func explainCode(code wf.Code) NextAction {
	return action(toInspect, "codes.explain", ExplainCode{Code: string(code)}, "what the first error means", "explain", string(code))
}

// createElsewhere is the call that begins a draft whose id is taken under one that is free.
func (s *Service) createElsewhere(ctx context.Context, p *CreateDraft) []NextAction {
	if len(p.Plan) > planBound {
		return nil
	}
	other := *p
	other.DraftID = s.free(ctx, kindDraft, p.DraftID)
	words := []string{"draft", "create", other.DraftID}
	for _, f := range [][2]string{{"--name", p.Name}, {"--title", p.Title}, {"--capability", p.Capability}, {"--step", p.Step}, {"--artifact", p.Artifact}, {"--deployment", p.Deployment}} {
		if f[1] != "" {
			words = append(words, f[0], f[1])
		}
	}
	for _, id := range p.Sources {
		words = append(words, "--source", id)
	}
	n := action(toContinue, "drafts.create", other, "begin it under an id that is free", words...)
	if !isNothing(p.Plan) {
		n.CLI += " --plan PLAN"
	}
	return []NextAction{n}
}

// draftOfPlan is the call that begins a draft with a plan that has errors, to repair it there; none for what no draft can begin with.
func (s *Service) draftOfPlan(ctx context.Context, plan json.RawMessage) []NextAction {
	doc, err := value.Parse(plan)
	if err != nil || doc.Kind() != value.KindObject || len(plan) > planBound {
		return nil
	}
	name, _ := doc.Get("name").AsString()
	if checkID("draft_id", name, mostID) != nil {
		name = "plan"
	}
	p := CreateDraft{DraftID: s.free(ctx, kindDraft, name), Plan: plan}
	return []NextAction{action(toRepair, "drafts.create", p, "begin a draft with it, and repair it there", "draft", "create", p.DraftID, "--plan", "PLAN")}
}

// advice says what to do next with a list of drafts.
func (l *DraftList) advice(p *ListDrafts) *Advice {
	var actions []NextAction
	if len(l.Drafts) > 0 {
		actions = append(actions, showDraftAction(l.Drafts[0].DraftID, "where the draft stands"))
	}
	if l.Next != "" {
		more := *p
		more.Cursor = l.Next
		actions = append(actions, action(toInspect, "drafts.list", more, "the next page", pageWords([]string{"draft", "list"}, "--prefix", p.Prefix, p.Limit, l.Next)...))
	}
	if len(l.Drafts) == 0 {
		return advise("no draft is as it was asked for", false, append(actions, action(toInspect, "capabilities.list", ListCapabilities{}, "what a draft can begin with", "cap", "list"))...)
	}
	return advise(plural(len(l.Drafts), "draft", "drafts"), true, actions...)
}
