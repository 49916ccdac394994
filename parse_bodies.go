package wf

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lda.chat/wf/internal/value"
)

// bodyFields are other languages' names of what a foreach does for each item.
var bodyFields = []string{"body", "do", "steps", "nodes", "tasks"}

// bodyField reports a body that a foreach holds itself, as the id of a step, or of several, or as steps inside it, and reads it as the
// edges that it stands for: from item to its first step, and from its last to __continue__.
func (o object) bodyField(key, at string) (isOne bool) {
	if o.what != "a foreach step" || !slices.Contains(bodyFields, key) || !o.v.Get("on").Get("item").IsAbsent() {
		return false
	}
	v := o.v.Get(key)
	list := []value.Value{v}
	if v.Kind() == value.KindArray {
		list = list[:0]
		for _, item := range v.Items() {
			list = append(list, item)
		}
	}
	switch {
	case len(list) == 0:
		return false
	case !slices.ContainsFunc(list, func(item value.Value) bool { return !o.isStepName(item) }):
		o.namedBody(v, at, list)
	case !slices.ContainsFunc(list, func(item value.Value) bool { return item.Kind() != value.KindObject }) && !v.Get("id").IsAbsent() == (v.Kind() == value.KindObject):
		o.nestedBody(v, at, list)
	default:
		return false
	}
	return true
}

func (o object) isStepName(v value.Value) bool {
	s, _ := v.AsString()
	return isNameText(v) && o.scope.stepIndex(s) >= 0
}

// bodyFinding is the finding of a body that begins with a step.
func (o object) bodyFinding(at, found, first string) Diagnostic {
	return Diagnostic{Code: "routes_form", Path: at, RepairHint: fmt.Sprintf(`write "on": {"item": %q}, and lead the last step of the body to %q`, first, ToContinue),
		Message: fmt.Sprintf("the body of a foreach are the steps between its outcome item and %s, found %s", ToContinue, found)}
}

// itemEdge reads the edge into the body, and returns the operations that write it.
func (o object) itemEdge(v value.Value, at, first string) []value.Value {
	o.routes = append(o.routes, route{Edge: Edge{From: o.ownID(), Outcome: outcomeItem, To: first}, at: at})
	ops := []value.Value{opTest(at, v), opRemove(at)}
	if o.has("on") {
		return append(ops, opAdd(child(child(o.at, "on"), string(outcomeItem)), value.String(first)))
	}
	return append(ops, opAdd(child(o.at, "on"), value.Object(value.Member{Key: string(outcomeItem), Value: value.String(first)})))
}

// takesItem reports whether an edge for item can be written beside the edges that a foreach has.
func (o object) takesItem() bool {
	on := o.v.Get("on")
	return on.IsAbsent() || on.Kind() == value.KindObject
}

// namedBody reads a body that is the ids of steps that stand in the plan. What of them has no edges leads to the next one; from the last
// it is followed to the end.
func (o object) namedBody(v value.Value, at string, list []value.Value) {
	var ids []string
	for _, item := range list {
		id, _ := item.AsString()
		ids = append(ids, id)
	}
	ops := o.itemEdge(v, at, ids[0])
	link := func(from, to string) {
		nodes := o.scope.plan.Get("nodes")
		if i := o.scope.stepIndex(from); nodes.Kind() == value.KindArray && !o.scope.hasRoutes(from) && isSingleFile(nodes.Index(i)) {
			o.routes = append(o.routes, route{Edge: Edge{From: from, To: to}, at: at, implied: true})
			ops = append(ops, opAdd(child(element(parentOf(o.at), i), "next"), value.String(to)))
		}
	}
	for i := 1; i < len(ids); i++ {
		link(ids[i-1], ids[i])
	}
	link(o.scope.followed(ids[len(ids)-1]), ToContinue)
	d := o.bodyFinding(at, describe(v), ids[0])
	if o.takesItem() {
		d.Fixes = []Fix{patch("Lead item to it, and its end to the next item", FixSafe, ops...)}
	}
	o.add(d)
}

// nestedBody reads a body that is steps inside the foreach. They are read as if they stood after all others.
func (o object) nestedBody(v value.Value, at string, list []value.Value) {
	sure := o.takesItem() && strings.HasSuffix(parentOf(o.at), "/nodes")
	seen := map[string]bool{}
	var ids []string
	for _, step := range list {
		id, _ := step.Get("id").AsString()
		sure = sure && isNameText(step.Get("id")) && !seen[id] && o.scope.stepIndex(id) < 0
		seen[id], ids = true, append(ids, id)
	}
	index, err := strconv.Atoi(o.at[strings.LastIndex(o.at, "/")+1:])
	sure = sure && err == nil
	if !isNameText(list[0].Get("id")) {
		ids[0] = hole
	}
	ops := o.itemEdge(v, at, ids[0])
	for i, step := range list {
		to := ToContinue
		if i+1 < len(ids) {
			to = ids[i+1]
		}
		if !ownRoutes(step) {
			if sure = sure && isSingleFile(step); sure {
				step = step.With("next", value.String(to))
			} else {
				o.routes = append(o.routes, o.unreadRoute(ids[i], at))
			}
		}
		place := at
		if v.Kind() == value.KindArray {
			place = element(at, i)
		}
		o.nested = append(o.nested, listItem{step, place})
		ops = append(ops, opAdd(element(parentOf(o.at), index+1+i), step))
	}
	d := o.bodyFinding(at, "steps inside it", ids[0])
	if isHole(ids[0]) {
		d = o.bodyFinding(at, "steps inside it", "…")
	}
	if sure {
		d.Fixes = []Fix{patch("Put the steps beside the others, and lead item to the first", FixSafe, ops...)}
	}
	o.add(d)
}

// parentOf is the place around a place.
func parentOf(at string) string { return at[:max(0, strings.LastIndex(at, "/"))] }

// ownRoutes reports whether a step has edges itself, under whatever name.
func ownRoutes(step value.Value) bool {
	for key := range step.Members() {
		if to := stepRenames[key]; key == "next" || key == "on" || to == "on" || to == "next" {
			return true
		}
	}
	return false
}

// isSingleFile reports whether a step has one way on, as far as it says so itself.
func isSingleFile(step value.Value) bool {
	t, isText := step.Get("type").AsString()
	switch StepType(t) {
	case TypeSet, TypeWait, TypeSubgraph, TypeNode, TypeForeach:
		return true
	}
	return !isText && isDottedText(step.Get("node"))
}

// stepIndex is the position of a step in the text, -1 if there is none of that id.
func (s *scope) stepIndex(id string) int {
	if s.index == nil {
		s.index = make(map[string]int, len(s.steps))
		for i, step := range s.plan.Get("nodes").Items() {
			if id, ok := step.Get("id").AsString(); ok {
				if _, again := s.index[id]; !again {
					s.index[id] = i
				}
			}
		}
	}
	if i, ok := s.index[id]; ok {
		return i
	}
	return -1
}

// hasRoutes reports whether a step has edges, on itself or in the list of edges.
func (s *scope) hasRoutes(id string) bool {
	if ownRoutes(s.plan.Get("nodes").Index(s.stepIndex(id))) {
		return true
	}
	if s.sources == nil {
		s.sources = map[string]bool{}
		for _, key := range []string{"edges", "transitions"} {
			for from := range s.plan.Get(key).Members() {
				s.sources[from] = true
			}
			for _, edge := range s.plan.Get(key).Items() {
				for _, end := range []string{"from", "source"} {
					from, _ := edge.Get(end).AsString()
					s.sources[from] = true
				}
			}
		}
	}
	return s.sources[id]
}

// followed is the last step of those that next leads to from a step.
func (s *scope) followed(id string) string {
	nodes := s.plan.Get("nodes")
	for range nodes.Len() {
		next, _ := nodes.Index(s.stepIndex(id)).Get("next").AsString()
		if s.stepIndex(next) < 0 {
			break
		}
		id = next
	}
	return id
}
