package lifecycle

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/internal/jsonpatch"
	"lda.chat/wf/internal/value"
	"lda.chat/wf/lifecycle/edit"
)

// repairs is the table of what repairs which finding of a draft: the edits that somebody would make, the best first. What is not in it
// is repaired by the patch that the finding has.
var repairs = map[wf.Code]func(*repairer, *finding){
	"nodes_missing":       (*repairer).firstStep,
	"node_unknown":        (*repairer).callOther,
	"workflow_unknown":    (*repairer).runOther,
	codeArtifactNotFound:  (*repairer).runOther,
	"input_unbound":       (*repairer).bind,
	"result_unbound":      (*repairer).bind,
	"state_never_written": (*repairer).writeState,
	"outcome_unwired":     (*repairer).lead,
	"edge_to_unknown":     (*repairer).leadOther,
}

// Bounds of looking for repairs: each is tried on the plan before it is advised.
const (
	mostTried     = 16
	mostTriedSize = 256 << 10 // bytes of a plan; of larger ones only safe fixes are advised
)

// repairer looks for what repairs a draft.
type repairer struct {
	*Service
	ctx   context.Context
	d     *draft
	c     *checked
	tries int
	found []NextAction
}

// finding is one with what it is about.
type finding struct {
	*wf.Diagnostic
	in    string       // the workflow inside the plan that it is in; "": the plan
	scope *wf.Workflow // that workflow; nil if the plan cannot be read
}

// repairsOf are the calls that repair a draft: all that is safe at once, then what repairs the first error for which something is known.
func (s *Service) repairsOf(ctx context.Context, d *draft, c *checked, found wf.Diagnostics) []NextAction {
	r := &repairer{Service: s, ctx: ctx, d: d, c: c}
	safe := slices.ContainsFunc(found, func(f wf.Diagnostic) bool {
		return slices.ContainsFunc(f.Fixes, func(fix wf.Fix) bool { return fix.Applicability == wf.FixSafe && fix.Patch != nil })
	})
	if safe && r.try(nil, func(d *draft) error { return second(s.edits(ctx, d, "", &edit.Fix{})) }) {
		r.found = append(r.found, action(toRepair, "drafts.fix", FixDraft{DraftChange: d.change()}, "apply what is safe, each fix checked",
			"draft", "fix", d.id, "--revision", fmt.Sprint(d.revision)))
	}
	for i := range found {
		f := &found[i]
		if len(r.found) >= mostActions-1 || f.Severity != wf.SeverityError {
			break // errors come first
		}
		if f.Doc != "" && !strings.HasPrefix(f.Doc, d.subject()) {
			continue // it is another document's
		}
		if repair, ok := repairs[f.Code]; ok {
			repair(r, r.about(f))
		} else {
			r.patch(f)
		}
	}
	if len(r.found) == 0 {
		for i := range found {
			if r.write(&found[i]); len(r.found) > 0 {
				break
			}
		}
	}
	return r.found
}

func second[T any](_ T, err error) error { return err }

// about finds the workflow that a finding is in.
func (r *repairer) about(f *wf.Diagnostic) *finding {
	x := &finding{Diagnostic: f, scope: r.c.workflow}
	at, _ := jsonpatch.ParsePointer(f.Path)
	for len(at) >= 2 && at[0] == "workflows" {
		if x.in != "" {
			x.in += "/"
		}
		x.in += at[1]
		if x.scope != nil {
			x.scope = x.scope.Workflows[at[1]]
		}
		at = at[2:]
	}
	return x
}

// try reports whether a change of the draft can be made and does away with a finding; nil: whether it changes anything.
func (r *repairer) try(f *wf.Diagnostic, change func(*draft) error) bool {
	_, ok := r.trial(f, change)
	return ok
}

// trial makes a change of a copy of the draft.
func (r *repairer) trial(f *wf.Diagnostic, change func(*draft) error) (left summary, ok bool) {
	if r.tries++; r.tries > mostTried || len(r.d.Document) > mostTriedSize && f != nil {
		return left, false
	}
	d := *r.d
	d.Kept = nil
	if err := change(&d); err != nil || d.Document == r.d.Document {
		return left, false
	}
	c, err := r.checkDraft(r.ctx, &d)
	if err != nil {
		return left, false
	}
	return d.Summary, f == nil || !slices.ContainsFunc(c.found, func(x wf.Diagnostic) bool { return x.Code == f.Code && x.Step == f.Step && x.Message == f.Message })
}

// edit advises an edit, if it does away with the finding. fill are places in it that are to be filled in.
func (r *repairer) edit(f *finding, e edit.Edit, reason string, fill ...string) bool {
	if !r.try(f.Diagnostic, func(d *draft) error { return second(r.edits(r.ctx, d, "", e)) }) {
		return false
	}
	text, err := edit.Marshal([]edit.Edit{e})
	if err != nil {
		return false
	}
	p := ApplyDraft{DraftChange: r.d.change(), Edits: text}
	words := editWords(e)
	line := append([]string{"draft", words[0], r.d.id, "--revision", fmt.Sprint(r.d.revision)}, words[1:]...)
	r.found = append(r.found, action(toRepair, "drafts.apply", p, reason, line...).filling("/edits/0", fill...))
	return true
}

// editWords are the command of an edit, and its flags.
func editWords(e edit.Edit) (words []string) {
	add := func(flag, text string) {
		if text != "" {
			words = append(words, flag, text)
		}
	}
	switch e := e.(type) {
	case *edit.AddStep:
		words = []string{"add-step"}
		step, _ := value.Parse(e.Step)
		for name, v := range step.Members() {
			text, isText := v.AsString()
			if !isText {
				text = v.String()
			}
			switch name {
			case "id":
				add("--id", text)
			case "node":
				add("--capability", text)
			default:
				add("--set", name+"="+text)
			}
		}
		add("--in", e.In)
	case *edit.SetStep:
		words = []string{"set-step", "--step", e.Step}
		for _, name := range sortedKeys(e.Set) {
			v, _ := value.Parse(e.Set[name])
			text, isText := v.AsString()
			if !isText {
				text = v.String()
			}
			add("--set", name+"="+text)
		}
		add("--in", e.In)
	case *edit.Branch:
		words = []string{"branch", "--step", e.Step}
		add("--outcome", e.Outcome)
		add("--to", e.To)
		if e.MaxVisits > 0 {
			add("--max-visits", fmt.Sprint(e.MaxVisits))
		}
		add("--exhausted", e.Exhausted)
		add("--in", e.In)
	case *edit.Bind:
		words = []string{"bind"}
		add("--step", e.Step)
		add("--from", e.From)
		add("--to", e.To)
		add("--in", e.In)
	}
	return words
}

// patch advises the patch of a finding that somebody has to agree to.
func (r *repairer) patch(f *wf.Diagnostic) {
	for i := range f.Fixes {
		fix := &f.Fixes[i]
		var p PatchDraft
		if fix.Applicability != wf.FixUnsafe || fix.Call == nil || json.Unmarshal(fix.Call.Params, &p) != nil {
			continue
		}
		if !r.try(f, func(d *draft) error { return second(r.Service.patch(r.ctx, d, &p)) }) {
			continue
		}
		words := []string{"draft", "patch", r.d.id, "--revision", fmt.Sprint(p.Revision), "--patch", string(p.Patch)}
		if p.Of != "" {
			words = append(words, "--of", p.Of)
		}
		r.found = append(r.found, action(toRepair, fix.Call.Method, p, fix.Title, words...))
		return
	}
}

// write advises to write anew what a finding is about, where it stands in the plan as it is written.
func (r *repairer) write(f *wf.Diagnostic) {
	root, _ := value.Parse([]byte(r.d.Document))
	at, err := jsonpatch.ParsePointer(f.Path)
	if err != nil || f.Severity != wf.SeverityError || len(at) == 0 || !strings.HasPrefix(f.Doc, r.d.subject()) {
		return
	}
	is := at.Find(root)
	if is.IsAbsent() {
		return
	}
	replace := value.Object(value.Member{Key: "op", Value: value.String("replace")}, value.Member{Key: "path", Value: value.String(f.Path)}, value.Member{Key: "value", Value: is})
	p := PatchDraft{DraftChange: r.d.change(), Patch: value.Array(replace).JSON()}
	if len(p.Patch) > Bound {
		return
	}
	r.found = append(r.found, action(toRepair, "drafts.patch", p, "write this place anew: "+clip(f.Message), "draft", "patch", r.d.id,
		"--revision", fmt.Sprint(r.d.revision), "--patch", string(p.Patch)).filling("/patch/0/value", ""))
}
