package lifecycle

import (
	"encoding/json"
	"fmt"

	"lda.chat/wf"
)

func showDraftAction(id, reason string) NextAction {
	return action(toInspect, "drafts.show", ShowDraft{DraftID: id}, reason, "draft", "show", id)
}

func showArtifact(ref, reason string) NextAction {
	return action(toInspect, "artifacts.show", ShowArtifact{Artifact: ref}, reason, "artifact", "show", ref)
}

// draftAdvice says what to do next with a draft, from what is found in it.
func (s *Service) draftAdvice(d *Draft) *Advice {
	change := DraftChange{DraftID: d.DraftID, Revision: d.Revision}
	revision := fmt.Sprint(d.Revision)
	var a *Advice
	switch {
	case d.Errors == 0:
		save := SaveDraft{DraftChange: change}
		words := []string{"draft", "save", d.DraftID, "--revision", revision}
		if checkID("artifact", d.Name, mostID) != nil { // a plan's name need not be an id
			save.Artifact = d.DraftID
			words = append(words, "--artifact", d.DraftID)
		}
		a = advise("the draft is complete and can be saved", true,
			action(toContinue, "drafts.save", save, "make an artifact of it, under the next version", words...),
			showDraftAction(d.DraftID, "the plan as it is"))
		a.CanSaveNow = true
	case d.Steps == 0:
		var actions []NextAction
		if refs := s.offered(d.Sources); len(refs) > 0 {
			edits := json.RawMessage(fmt.Sprintf(`[{"op":"add-step","step":{"id":"call","node":%q,"next":"__end__"}}]`, refs[0]))
			actions = append(actions, action(toContinue, "drafts.apply", ApplyDraft{DraftChange: change, Edits: edits}, "add a first step; this one calls the first capability that there is",
				"draft", "apply", d.DraftID, "--revision", revision, "--edits", string(edits)))
		}
		a = advise("the draft has no steps yet", true, append(actions, action(toInspect, "capabilities.list", ListCapabilities{}, "what steps can call", "cap", "list"))...)
	default:
		a = advise(fmt.Sprintf("the draft has %s", plural(d.Errors, "error", "errors")), true, d.repairs(change)...)
	}
	if d.Warnings > 0 {
		a.Warnings = []string{fmt.Sprintf("%s in the plan", plural(d.Warnings, "warning", "warnings"))}
	}
	return a
}

// repairs are the ways to repair a draft: all that is safe at once, the first fix that somebody has to agree to, and what the first
// error means.
func (d *Draft) repairs(change DraftChange) []NextAction {
	var actions []NextAction
	var other *wf.Fix
	safe := false
	var first wf.Code
	for _, f := range d.Diagnostics {
		if f.Severity == wf.SeverityError && first == "" {
			first = f.Code
		}
		for i, fix := range f.Fixes {
			switch {
			case fix.Applicability == wf.FixSafe && fix.Patch != nil:
				safe = true
			case f.Severity == wf.SeverityError && fix.Applicability == wf.FixUnsafe && fix.Call != nil && other == nil:
				other = &f.Fixes[i]
			}
		}
	}
	revision := fmt.Sprint(change.Revision)
	if safe {
		actions = append(actions, action(toRepair, "drafts.fix", FixDraft{DraftChange: change}, "apply what is safe, each fix checked", "draft", "fix", d.DraftID, "--revision", revision))
	}
	if other != nil {
		var p PatchDraft
		if json.Unmarshal(other.Call.Params, &p) == nil {
			words := []string{"draft", "patch", d.DraftID, "--revision", revision, "--patch", string(p.Patch)}
			if p.Of != "" {
				words = append(words, "--of", p.Of)
			}
			actions = append(actions, action(toRepair, other.Call.Method, p, other.Title, words...))
		}
	}
	if len(actions) == 0 {
		actions = append(actions, action(toInspect, "drafts.validate", ValidateDraft{DraftID: d.DraftID, DraftView: DraftView{Full: true}}, "all that is found in it",
			"draft", "validate", d.DraftID, "--full"))
	}
	if first != "" {
		actions = append(actions, explainCode(first))
	}
	return actions
}

func explainCode(code wf.Code) NextAction {
	return action(toInspect, "codes.explain", ExplainCode{Code: string(code)}, "what the first error means", "explain", string(code))
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
