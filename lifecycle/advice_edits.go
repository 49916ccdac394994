package lifecycle

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/internal/jsonpatch"
	"lda.chat/wf/internal/suggest"
	"lda.chat/wf/internal/value"
	"lda.chat/wf/lifecycle/edit"
	"lda.chat/wf/source"
)

// firstStep adds a step to a workflow that has none: which one is for its author to say.
func (r *repairer) firstStep(f *finding) {
	if f.in != "" {
		return
	}
	if refs := r.offered(r.d.Sources); len(refs) > 0 {
		r.edit(f, newStep("", "call", refs[0]), "add a first step; this one calls the first capability that there is", "/step/node")
	}
}

// newStep is the edit that adds a step which ends the workflow.
func newStep(in, id, ref string) *edit.AddStep {
	step := value.Object(value.Member{Key: "id", Value: value.String(id)}, value.Member{Key: "node", Value: value.String(ref)},
		value.Member{Key: "next", Value: value.String(wf.ToEnd)})
	return &edit.AddStep{In: in, Step: step.JSON()}
}

// setting is the edit that gives a member of a step another text.
func (f *finding) setting(member, text string) *edit.SetStep {
	v, _ := json.Marshal(text)
	return &edit.SetStep{In: f.in, Step: f.Step, Set: map[string]json.RawMessage{member: v}}
}

// meant is the text that the fixes of a finding write; "" if they write none.
func (f *finding) meant() string {
	for _, fix := range f.Fixes {
		patch, _ := value.Parse(fix.Patch)
		if text, ok := patch.Index(patch.Len() - 1).Get("value").AsString(); ok && fix.Applicability == wf.FixUnsafe {
			return text
		}
	}
	return ""
}

// callOther lets a step call a capability that there is: the one that was meant, those of its name elsewhere, or any.
func (r *repairer) callOther(f *finding) {
	refs := r.offered(r.d.Sources)
	if meant, ok := suggest.Nearest(f.LogicalRef, refs); ok && r.edit(f, f.setting("node", meant), fmt.Sprintf("call %q: nobody has %q", meant, clip(f.LogicalRef))) {
		return
	}
	_, name := source.Of(f.LogicalRef)
	same := slices.DeleteFunc(slices.Clone(refs), func(ref string) bool { _, other := source.Of(ref); return other != name })
	if len(same) > 0 {
		refs = same
	}
	switch {
	case len(refs) == 0:
	case len(same) == 1:
		r.edit(f, f.setting("node", same[0]), fmt.Sprintf("call %q: nobody has %q", same[0], clip(f.LogicalRef)))
	default:
		r.edit(f, f.setting("node", refs[0]), fmt.Sprintf("call one that there is, such as %s: nobody has %q", some(refs), clip(f.LogicalRef)), "/set/node")
	}
}

// some names the first of a list.
func some(names []string) string {
	const most = 5
	text := strings.Join(names[:min(len(names), most)], ", ")
	if len(names) > most {
		text += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return text
}

// runOther lets a step run a workflow that there is.
func (r *repairer) runOther(f *finding) {
	var known []string
	if json.Unmarshal(f.Expected, &known) == nil && len(known) > 0 {
		r.edit(f, f.setting("workflow", known[0]), fmt.Sprintf("run %q, which there is", known[0]))
		return
	}
	if meant := f.meant(); meant != "" {
		r.edit(f, f.setting("workflow", meant), fmt.Sprintf("run %q, which there is", meant))
	}
}

// lead leads an outcome somewhere: to the only step that nothing leads to, or out of where the step stands.
func (r *repairer) lead(f *finding) {
	var all, wired []string
	if json.Unmarshal(f.Expected, &all) != nil || json.Unmarshal(orList(f.Actual), &wired) != nil {
		return
	}
	all = slices.DeleteFunc(all, func(o string) bool { return slices.Contains(wired, o) })
	if len(all) == 0 {
		return
	}
	outcome := all[0]
	if id := r.lonely(f); id != "" && r.edit(f, &edit.Branch{In: f.in, Step: f.Step, Outcome: outcome, To: id},
		fmt.Sprintf("lead %q of %q to the step %q, to which nothing leads yet", outcome, f.Step, id)) {
		return
	}
	to := wf.ToEnd
	for _, fix := range f.Fixes {
		patch, _ := value.Parse(fix.Patch)
		for _, o := range patch.Items() {
			if x, _ := o.Get("value").Get("outcome").AsString(); x == outcome {
				to, _ = o.Get("value").Get("to").AsString()
			}
		}
	}
	r.edit(f, &edit.Branch{In: f.in, Step: f.Step, Outcome: outcome, To: to}, fmt.Sprintf("lead %q of %q to %s, or elsewhere", outcome, f.Step, to))
}

func orList(raw json.RawMessage) json.RawMessage {
	if isNothing(raw) {
		return json.RawMessage(`[]`)
	}
	return raw
}

// lonely is the only step of a workflow to which nothing leads; "" if there is none, or more.
func (r *repairer) lonely(f *finding) (id string) {
	for i := range r.c.found {
		x := r.about(&r.c.found[i])
		if x.Code != "step_unreachable" || x.in != f.in {
			continue
		}
		if id != "" {
			return ""
		}
		id = x.Step
	}
	return id
}

// leadOther leads an edge that leads to no step to the one that was meant, or makes that step, or leads it out.
func (r *repairer) leadOther(f *finding) {
	at, _ := jsonpatch.ParsePointer(f.Path)
	if f.scope == nil || len(at) < 3 {
		return
	}
	i, err := strconv.Atoi(at[len(at)-2])
	if err != nil || i >= len(f.scope.Edges) {
		return
	}
	edge := f.scope.Edges[i]
	to := func(id string) *edit.Branch {
		b := &edit.Branch{In: f.in, Step: edge.From, Outcome: string(edge.Outcome), To: id}
		if at[len(at)-1] == "exhausted" {
			b.To, b.MaxVisits, b.Exhausted = edge.To, edge.MaxVisits, id
		}
		return b
	}
	if meant := f.meant(); meant != "" {
		r.edit(f, to(meant), fmt.Sprintf("lead %q of %q to %q", edge.Outcome, edge.From, meant))
		return
	}
	missing := edge.To
	if at[len(at)-1] == "exhausted" {
		missing = edge.Exhausted
	}
	if refs := r.offered(r.d.Sources); len(refs) > 0 {
		r.edit(f, newStep(f.in, missing, refs[0]), fmt.Sprintf("add the step %q; this one calls the first capability that there is", missing), "/step/node")
	}
	r.edit(f, to(wf.ToEnd), fmt.Sprintf("or let %q of %q end the workflow", edge.Outcome, edge.From))
}
