package edit_test

import (
	"testing"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle/edit"
)

// A step that is put behind an outcome or before another step stands between what was there, and to remove it gives the plan back: for
// some outcomes and steps of all plans of the repository, short and canonical.
func TestSpliceAndBack(t *testing.T) {
	t.Parallel()
	const id = "spliced-step"
	between := []byte(`{"id": "spliced-step", "type": "wait", "seconds": 1}`)
	every, spliced := sparing(16), 0
	for _, p := range plans(t) {
		name, w := p.name, p.w
		for f, doc := range p.forms {
			back := func(what string, d *edit.Doc) {
				t.Helper()
				d, _, err := d.Apply([]edit.Edit{&edit.RemoveStep{Step: id}}, nil)
				if err != nil {
					t.Errorf("%s: %s: %v", name, what, err)
				} else if got, found := wf.ParseWorkflow(d.JSON()); got == nil || got.Digest() != w.Digest() {
					t.Errorf("%s: %s: %v: back again it is\n%s\nand was\n%s", name, what, found, d.JSON(), doc.JSON())
				}
				spliced++
			}
			for i, e := range w.Edges {
				if (i+f+len(name))%every > 0 || twice(w, e.From) || !has(w, e.From) || routes(w, e) > 1 {
					continue
				}
				what := "after " + e.From + " " + string(e.Outcome)
				next, _, err := doc.Apply([]edit.Edit{&edit.AddStep{Step: between, After: e.From, Outcome: string(e.Outcome)}}, nil)
				if err != nil {
					t.Errorf("%s: %s: %v", name, what, err)
					continue
				}
				got, found := wf.ParseWorkflow(next.JSON())
				if got == nil {
					t.Errorf("%s: %s: %v", name, what, found)
					continue
				}
				if to := leads(got, e.From, e.Outcome); to != id {
					t.Errorf("%s: %s: it leads to %q\n%s", name, what, to, next.JSON())
				}
				if to := leads(got, id, "done"); to != e.To {
					t.Errorf("%s: %s: the new step leads to %q, expected %q\n%s", name, what, to, e.To, next.JSON())
				}
				back(what, next)
			}
			for i, s := range w.Nodes {
				if (i+f+len(name))%every > 0 || s.StepType() == wf.TypeJoin || twice(w, s.StepID()) {
					continue
				}
				next, _, err := doc.Apply([]edit.Edit{&edit.AddStep{Step: between, Before: s.StepID()}}, nil)
				if err != nil {
					t.Errorf("%s: before %s: %v", name, s.StepID(), err)
					continue
				}
				got, found := wf.ParseWorkflow(next.JSON())
				if got == nil {
					t.Errorf("%s: before %s: %v", name, s.StepID(), found)
					continue
				}
				for _, e := range got.Edges {
					if e.From != id && (e.To == s.StepID() || e.Exhausted == s.StepID()) {
						t.Errorf("%s: before %s: an edge of %s goes past the new step", name, s.StepID(), e.From)
					}
				}
				if w.Start == s.StepID() && got.Start != id {
					t.Errorf("%s: before %s: the workflow begins with %s", name, s.StepID(), got.Start)
				}
				back("before "+s.StepID(), next)
			}
		}
	}
	if spliced < 3000/every {
		t.Errorf("only %d steps were spliced in", spliced)
	}
}

// To lead an outcome elsewhere changes that edge and nothing else, and so does taking it away: in plans of the repository, short and
// canonical.
func TestBranchIsStructural(t *testing.T) {
	t.Parallel()
	every, led := sparing(16), 0
	for _, p := range plans(t) {
		name, w := p.name, p.w
		for f, doc := range p.forms {
			for i, e := range w.Edges {
				if (i+f+len(name))%every > 0 || twice(w, e.From) || !has(w, e.From) || routes(w, e) > 1 {
					continue
				}
				for _, b := range []*edit.Branch{
					{Step: e.From, Outcome: string(e.Outcome), To: "somewhere-else"}, {Step: e.From, Outcome: string(e.Outcome), To: e.To, MaxVisits: 77, Exhausted: "there"},
					{Step: e.From, Outcome: string(e.Outcome), Remove: true},
				} {
					want := w.Clone()
					switch {
					case b.Remove:
						want.Edges = append(want.Edges[:i], want.Edges[i+1:]...)
					case b.MaxVisits > 0:
						want.Edges[i].MaxVisits, want.Edges[i].Exhausted = b.MaxVisits, b.Exhausted
					default:
						want.Edges[i].To = b.To
					}
					next, _, err := doc.Apply([]edit.Edit{b}, nil)
					if err != nil {
						t.Errorf("%s: %+v: %v", name, *b, err)
						continue
					}
					got, found := wf.ParseWorkflow(next.JSON())
					if got == nil || got.Digest() != want.Digest() {
						t.Errorf("%s: %+v: %v\nit is\n%s\nand was\n%s", name, *b, found, next.JSON(), doc.JSON())
					}
					led++
				}
			}
		}
	}
	if led < 3000/every {
		t.Errorf("only %d edges were led elsewhere", led)
	}
}

func has(w *wf.Workflow, id string) bool {
	for _, s := range w.Nodes {
		if s.StepID() == id {
			return true
		}
	}
	return false
}

// routes counts the edges of an outcome; two are a mistake.
func routes(w *wf.Workflow, e wf.Edge) (n int) {
	for _, x := range w.Edges {
		if x.From == e.From && x.Outcome == e.Outcome {
			n++
		}
	}
	return n
}

func leads(w *wf.Workflow, from string, outcome wf.Outcome) string {
	for _, e := range w.Edges {
		if e.From == from && e.Outcome == outcome {
			return e.To
		}
	}
	return ""
}
