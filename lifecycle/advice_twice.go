package lifecycle

import (
	"fmt"
	"slices"
	"strings"

	"lda.chat/wf"
)

// twice are the steps whose calls another run would make once more, and which do harm then: nothing that does so is advised to be
// done without thinking. A call with a key is one of them, as another run has another key.
type twice struct {
	begun  []string // by a run that begins anew
	forked []string // by one that goes on from where this one stopped
}

// repeated finds them in what a run has done.
func (s *Service) repeated(h *wf.RunHandle, r *Run, w *wf.Workflow) (t twice, err error) {
	trace, err := h.Trace()
	if err != nil {
		return t, err
	}
	last := -1
	if r.Error != nil {
		last = lastOf(trace, r.Error)
	}
	for i := range trace {
		e := &trace[i]
		if e.Attempts == 0 || !s.harmful(w, e) {
			continue
		}
		t.begun = append(t.begun, e.Step)
		if i == last || e.Unfinished || r.Status == wf.StatusCancelled && e.Error != nil {
			t.forked = append(t.forked, e.Step)
		}
	}
	return t, nil
}

// harmful reports whether a visit made a call that must not be made twice.
func (s *Service) harmful(w *wf.Workflow, e *wf.TraceEntry) bool {
	place, ok := FindStep(w, e.Frame, e.Step)
	if !ok {
		return false
	}
	step, ok := place.Step.(*wf.NodeStep)
	if !ok {
		return false
	}
	for _, of := range []*wf.Workflow{place.Of, w} {
		if i := slices.IndexFunc(of.NodeDefs, func(def *wf.NodeDef) bool { return def.Name == step.Node }); i >= 0 {
			return mustBeOnce(of.NodeDefs[i])
		}
	}
	def := s.contract(step.Node)
	return def != nil && mustBeOnce(def)
}

func mustBeOnce(def *wf.NodeDef) bool {
	return def.Effect == wf.EffectOnce || def.Effect == wf.EffectKeyed
}

// warning says what is not advised, and why; none if nothing is.
func (t twice) warning() []string {
	if len(t.begun) == 0 {
		return nil
	}
	said := "a run that is started again makes calls once more that must not be made twice, of " + firstSteps(t.begun)
	if len(t.forked) > 0 {
		said += "; a fork does so too, of " + firstSteps(t.forked)
	}
	return []string{said}
}

// firstSteps are the first of some steps, each once.
func firstSteps(steps []string) string {
	var list []string
	for _, s := range steps {
		if q := fmt.Sprintf("%q", s); !slices.Contains(list, q) {
			list = append(list, q)
		}
	}
	if more := len(list) - 3; more > 0 {
		list = append(list[:3], fmt.Sprintf("%d more", more))
	}
	return strings.Join(list, ", ")
}
