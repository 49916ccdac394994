package wf

import (
	"fmt"
	"slices"
	"strings"

	"lda.chat/wf/internal/value"
)

// Edges as other systems write them: a list of routes on a step, a map of them as its next, a map in the place of the list of
// edges, an edge from a start that is no step, and other names of the end.

// routesForm reports edges of a step that are written in another form than next and on.
func (o object) routesForm(v value.Value, at, hint string, fixes ...Fix) {
	o.add(Diagnostic{Code: "routes_form", Path: at, RepairHint: hint, Fixes: fixes,
		Message: fmt.Sprintf(`a step's edges are "next", a step's id, or "on", a map from outcomes to steps; found %s`, describe(v))})
}

// otherNext reads a next that is no step's id.
func (o object) otherNext(v value.Value, at string, s Step) {
	id := s.StepID()
	switch only := v.Index(0); {
	case v.Kind() == value.KindObject && v.Len() > 0 && !o.has("on") && isRouteMap(v):
		o.routesForm(v, at, `write it as "on"`, o.renameAt(at, v, "on", FixSafe))
		o.routeMap(v, at, id)
	case v.Kind() == value.KindArray && v.Len() == 1 && only.Kind() == value.KindString:
		o.routesForm(v, at, "write "+only.String(), o.replace(v, at, only, FixSafe))
		o.routes = append(o.routes, route{Edge: Edge{From: id, To: o.reader.target(only, element(at, 0))}, at: at, step: s, implied: true})
	case v.Kind() == value.KindArray && v.Len() > 1:
		o.routesForm(v, at, "to go on with several steps side by side, lead to a fork")
		o.routes = append(o.routes, o.unreadRoute(id, at))
	default:
		o.wrongType(v, at, "a step's id")
		o.routes = append(o.routes, o.unreadRoute(id, at))
	}
}

// otherOn reads an on that is no map.
func (o object) otherOn(v value.Value, at string, s Step) {
	id := s.StepID()
	switch {
	case isNameText(v) && !o.has("next"):
		o.routesForm(v, at, `write it as "next"`, o.renameAt(at, v, "next", FixSafe))
		o.routes = append(o.routes, route{Edge: Edge{From: id, To: o.reader.target(v, at)}, at: at, step: s, implied: true})
	case v.Kind() == value.KindArray && v.Len() > 0:
		var fixes []Fix
		if routes, ok := routesOf(v, id); ok {
			fixes = []Fix{o.replace(v, at, routes, FixSafe)}
		}
		o.routesForm(v, at, `write a map from outcomes to steps, such as {"ok": "render"}`, fixes...)
		if fixes == nil {
			o.routes = append(o.routes, o.unreadRoute(id, at))
			return
		}
		for i, item := range v.Items() {
			o.edge(item, element(at, i), id)
		}
	default:
		o.wrongType(v, at, `a map from outcomes to steps, such as {"ok": "render"}`)
		o.routes = append(o.routes, o.unreadRoute(id, at))
	}
}

func (o object) unreadRoute(id, at string) route {
	e := holeRoute(at)
	e.From = id
	return e
}

// isRouteMap reports whether a value is a map from outcomes to steps, not one route.
func isRouteMap(v value.Value) bool {
	for key, to := range v.Members() {
		isText := to.Kind() == value.KindString
		if slices.Contains([]string{"to", "target", "step"}, key) || !isText && to.Get("to").IsAbsent() && to.Get("target").IsAbsent() {
			return false
		}
	}
	return true
}

// routesOf turns a list of routes, [{"outcome": "ok", "to": "render"}], into a map.
func routesOf(list value.Value, from string) (routes value.Value, ok bool) {
	routes = value.Object()
	for _, item := range list.Items() {
		var outcome string
		var route []value.Member
		for key, v := range item.Members() {
			if to := renames["an edge"][key]; to != "" {
				key = to
			}
			switch s, isText := v.AsString(); {
			case key == "outcome" && isText && outcome == "":
				outcome = s
			case key == "from" && s == from:
			case key == "to" && !isText, key != "to" && key != "max_visits" && key != "exhausted", hasMember(route, key):
				return routes, false
			default:
				route = append(route, value.Member{Key: key, Value: v})
			}
		}
		if outcome == "" || spell(outcome, "") != outcome || !routes.Get(outcome).IsAbsent() || !hasMember(route, "to") {
			return routes, false
		}
		to := value.Object(route...)
		if len(route) == 1 {
			to = route[0].Value
		}
		routes = routes.With(outcome, to)
	}
	return routes, true
}

func hasMember(list []value.Member, key string) bool {
	return slices.ContainsFunc(list, func(m value.Member) bool { return m.Key == key })
}

// edgeMap reports edges that are written as a map, {"read": "render"} or {"review": {"approved": "publish"}}, and returns the list.
func (o object) edgeMap(v value.Value, at string) (list []listItem, ok bool) {
	var edges []value.Value
	add := func(from string, outcome, to value.Value, at string) bool {
		e := value.Object(value.Member{Key: "from", Value: value.String(from)}, value.Member{Key: "outcome", Value: outcome},
			value.Member{Key: "to", Value: to})
		edges, list = append(edges, e), append(list, listItem{e, at})
		return to.Kind() == value.KindString
	}
	for _, from := range o.keys(v, at) {
		to, place := v.Get(from), child(at, from)
		if to.Kind() != value.KindObject {
			if !add(from, value.Value{}, to, place) {
				return nil, false
			}
			continue
		}
		for _, outcome := range o.keys(to, place) {
			if !add(from, value.String(outcome), to.Get(outcome), child(place, outcome)) {
				return nil, false
			}
		}
	}
	o.asMap(v, at, "a list of edges", `{"from": …, "outcome": …, "to": …}`, o.replace(v, at, value.Array(edges...), FixSafe))
	return list, true
}

// startEdge reports an edge from a start that is no step, which only says with which step to begin.
func (o object) startEdge(at string) bool {
	from, _ := o.v.Get("from").AsString()
	if from == "" {
		from, _ = o.v.Get("source").AsString()
	}
	to, toAt, _ := o.get("to")
	if word := bareWord(from); word != "start" || slices.Contains(o.scope.steps, from) || !isNameText(to) {
		return false
	}
	base := at[:strings.LastIndex(at[:strings.LastIndex(at, "/")], "/")]
	d := Diagnostic{Code: "start_edge", Path: at, RepairHint: fmt.Sprintf(`write "start": %s beside "nodes", and no edge`, to),
		Message: fmt.Sprintf("no edge leads to the first step: there is no step %s before it", quoteShort(from))}
	if o.scope.starts == 1 && o.scope.start == "" || value.Equal(to, value.String(o.scope.start)) {
		d.Fixes = []Fix{patch("Say it by \"start\"", FixSafe, opTest(at, o.v), opRemove(at), opAdd(child(base, "start"), to))}
	}
	o.add(d)
	if o.meantStart == "" {
		o.meantStart = o.reader.target(to, toAt)
	}
	return true
}

// target reads a step's id, or one of the ends, where an edge leads.
func (r *reader) target(v value.Value, at string) string {
	s, isText := v.AsString()
	if !isText && !v.IsNull() || isText && (bareWord(s) != "end" || s == ToEnd || slices.Contains(r.scope.steps, s)) {
		return r.name(v, at, "a step's id")
	}
	r.add(Diagnostic{Code: "end_name", Path: at, RepairHint: fmt.Sprintf("write %q", ToEnd),
		Message: fmt.Sprintf("the workflow ends at %q, found %s", ToEnd, describe(v)), Fixes: []Fix{r.replace(v, at, ToEnd, FixSafe)}})
	if !isText {
		return hole
	}
	return ToEnd
}

// bareWord is a word without marks around it, in small letters: __END__ is end.
func bareWord(s string) string { return strings.ToLower(strings.Trim(s, "_$<>[]{}")) }
