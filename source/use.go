package source

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"lda.chat/wf"
)

// Use is a capability that a plan calls.
type Use struct {
	Ref    string   `json:"ref"`
	Places []string `json:"places"` // the steps that call it: JSON Pointers into the plan's canonical form, in the order of the plan
	// Wired are the outcomes that every one of these steps leads somewhere, sorted, without those that a contract which the plan brings
	// along does not have: a run refuses them.
	Wired []wf.Outcome `json:"wired,omitempty"`
}

// Uses lists the capabilities that a plan and the workflows inside it call, sorted by ref.
func Uses(w *wf.Workflow) []Use {
	found := map[string]*Use{}
	collectUses(w, nil, "", found)
	list := make([]Use, 0, len(found))
	for _, ref := range slices.Sorted(maps.Keys(found)) {
		slices.Sort(found[ref].Wired)
		list = append(list, *found[ref])
	}
	return list
}

func collectUses(w *wf.Workflow, around []*wf.Workflow, at string, found map[string]*Use) {
	around = append(slices.Clip(around), w)
	routed := map[string][]wf.Outcome{}
	for _, e := range w.Edges {
		routed[e.From] = append(routed[e.From], e.Outcome)
	}
	for i, s := range w.Nodes {
		step, ok := s.(*wf.NodeStep)
		if !ok || step == nil {
			continue
		}
		wired := slices.Compact(slices.Sorted(slices.Values(routed[step.ID])))
		if def := brought(around, step.Node); def != nil {
			wired = common(wired, outcomesOf(def))
		}
		use := found[step.Node]
		if use == nil {
			use = &Use{Ref: step.Node, Wired: wired}
			found[step.Node] = use
		}
		use.Places = append(use.Places, at+"/nodes/"+strconv.Itoa(i))
		use.Wired = common(use.Wired, wired)
	}
	for _, name := range sortedNames(w.Workflows) {
		if inner := w.Workflows[name]; inner != nil {
			collectUses(inner, around, at+"/workflows/"+escape.Replace(name), found)
		}
	}
}

func sortedNames(workflows map[string]*wf.Workflow) []string {
	return slices.Sorted(maps.Keys(workflows))
}

// brought is the contract of a capability that a workflow, or one around it, brings along; nil if none does.
func brought(around []*wf.Workflow, ref string) *wf.NodeDef {
	for _, w := range slices.Backward(around) {
		for _, def := range w.NodeDefs {
			if def != nil && def.Name == ref {
				return def
			}
		}
	}
	return nil
}

func common(a, b []wf.Outcome) []wf.Outcome {
	return slices.DeleteFunc(slices.Clone(a), func(o wf.Outcome) bool { return !slices.Contains(b, o) })
}

// Of splits a ref at its last dot into the id of the source and the name of the capability.
func Of(ref string) (id, name string) {
	dot := max(strings.LastIndexByte(ref, '.'), 0)
	return ref[:dot], strings.TrimPrefix(ref[dot:], ".")
}

// IsPlatform reports whether a source's id is one of the platform's: "wf" and what begins with "wf.". Nobody binds or provides these.
func IsPlatform(id string) bool { return id == "wf" || strings.HasPrefix(id, "wf.") }

// LogicalSources lists the sources that a deployment has to bind for these capabilities, sorted: those of the platform are not among them.
func LogicalSources(uses []Use) []string {
	var ids []string
	for _, u := range uses {
		if id, _ := Of(u.Ref); !IsPlatform(id) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
