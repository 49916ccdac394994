package edit_test

import (
	"slices"
	"strings"
	"testing"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle/edit"
)

// To bind a place anew changes that binding and nothing else, and to unbind it takes only that away: of steps of the plans of the
// repository, short and canonical.
func TestBindIsStructural(t *testing.T) {
	t.Parallel()
	every, bound := sparing(8), 0
	for _, p := range plans(t) {
		name, w := p.name, p.w
		for f, doc := range p.forms {
			for n, s := range w.Nodes {
				step, ok := s.(*wf.NodeStep)
				if !ok || twice(w, step.ID) || (n+f+len(name))%every > 0 {
					continue
				}
				for i, b := range step.Input {
					if overlaps(step.Input, i) {
						continue
					}
					want := w.Clone()
					in := want.Nodes[n].(*wf.NodeStep)
					in.Input[i].Operand = wf.Operand{Path: &wf.Path{Root: wf.RootState, Parts: []wf.Part{{Name: "fresh"}}}}
					checkSame(t, name, doc, want, &edit.Bind{Step: step.ID, To: b.Target.String(), From: "state.fresh"})
					in.Input = slices.Delete(in.Input, i, i+1)
					checkSame(t, name, doc, want, &edit.Unbind{Step: step.ID, Input: []string{b.Target.String()}})
					bound++
				}
				for i, b := range step.Output {
					if b.Source == nil || slices.ContainsFunc(step.Output, func(x wf.OutputBinding) bool {
						return x.Source == nil || x.Target.Equal(b.Target) && !x.Source.Equal(*b.Source)
					}) {
						continue
					}
					want := w.Clone()
					out := want.Nodes[n].(*wf.NodeStep)
					out.Output[i].Target, out.Output[i].IfAbsent = wf.Path{Root: wf.RootState, Parts: []wf.Part{{Name: "fresh"}, {Name: "deep"}}}, ""
					checkSame(t, name, doc, want, &edit.Bind{Step: step.ID, To: "state.fresh.deep", From: b.Source.String()})
					out.Output = slices.Delete(out.Output, i, i+1)
					checkSame(t, name, doc, want, &edit.Unbind{Step: step.ID, Output: []string{b.Source.String()}})
					bound++
				}
			}
		}
	}
	if bound < 400/every {
		t.Errorf("only %d places were bound", bound)
	}
}

// overlaps reports whether a binding fills a place that another one fills too.
func overlaps(list []wf.InputBinding, i int) bool {
	for j, b := range list {
		if p, q := list[i].Target.String(), b.Target.String(); i != j && (strings.HasPrefix(p, q) || strings.HasPrefix(q, p)) {
			return true
		}
	}
	return false
}

func checkSame(t *testing.T, name string, doc *edit.Doc, want *wf.Workflow, e edit.Edit) {
	t.Helper()
	next, _, err := doc.Apply([]edit.Edit{e}, nil)
	if err != nil {
		t.Errorf("%s: %+v: %v", name, e, err)
		return
	}
	got, found := wf.ParseWorkflow(next.JSON())
	if got == nil {
		t.Errorf("%s: %+v: %v", name, e, found)
		return
	}
	if sorted(got) != sorted(want) {
		t.Errorf("%s: %+v: it is\n%s\nexpected\n%s", name, e, got.Indented(), want.Indented())
	}
}

// sorted is a plan with its bindings in the order of their places.
func sorted(w *wf.Workflow) string {
	w = w.Clone()
	byTarget := func(a, b wf.InputBinding) int { return strings.Compare(a.Target.String(), b.Target.String()) }
	slices.SortFunc(w.Output, byTarget)
	for _, s := range w.Nodes {
		if node, ok := s.(*wf.NodeStep); ok {
			slices.SortFunc(node.Input, byTarget)
			slices.SortFunc(node.Output, func(a, b wf.OutputBinding) int { return strings.Compare(a.Target.String(), b.Target.String()) })
		}
	}
	return string(w.Indented())
}
