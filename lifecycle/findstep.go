package lifecycle

import (
	"strconv"
	"strings"

	"lda.chat/wf"
)

// Place is where a step stands in a plan.
type Place struct {
	Pointer string       // JSON Pointer of the step
	Step    wf.Step      // the step itself
	Of      *wf.Workflow // the workflow that it is a step of
	Scope   string       // the frame whose state it reads: that of the run, or of the subgraph around it
}

// FindStep finds the step of a run's frame in the plan; ok is false if it is not there. Each part of a frame's path begins with
// the step that it is of; one of a subgraph leads into another workflow of the plan.
func FindStep(w *wf.Workflow, frame, step string) (p Place, ok bool) {
	at, scopes := []string{""}, []*wf.Workflow{w}
	scope, path := "/", ""
	for part := range strings.SplitSeq(strings.Trim(frame, "/"), "/") {
		path += "/" + part
		if end := strings.IndexAny(part, "#~[:"); end >= 0 {
			part = part[:end]
		}
		_, s := stepOf(w, part)
		sub, isSub := s.(*wf.SubgraphStep)
		if !isSub {
			continue
		}
		n := len(scopes) // a step names a workflow of its own, or of one around it
		for n > 0 && scopes[n-1].Workflows[sub.Workflow] == nil {
			n--
		}
		if n == 0 {
			return p, false
		}
		w = scopes[n-1].Workflows[sub.Workflow]
		at = append(at[:n], at[n-1]+"/workflows/"+escape(sub.Workflow))
		scopes = append(scopes[:n], w)
		scope = path
	}
	i, s := stepOf(w, step)
	if s == nil {
		return p, false
	}
	return Place{Pointer: at[len(at)-1] + "/nodes/" + strconv.Itoa(i), Step: s, Of: w, Scope: scope}, true
}

// escape writes a name as a part of a JSON Pointer.
func escape(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

func stepOf(w *wf.Workflow, id string) (int, wf.Step) {
	for i, s := range w.Nodes {
		if s.StepID() == id {
			return i, s
		}
	}
	return -1, nil
}
