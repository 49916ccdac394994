package cli

import (
	"slices"
	"strconv"

	"lda.chat/wf/internal/jsonpatch"
	"lda.chat/wf/internal/value"
)

// spot is a value of a plan's text, and where it stands.
type spot struct {
	value.Value
	at jsonpatch.Pointer
}

// into moves to the member or element that a token names; false, and nowhere, if there is none.
func (s *spot) into(token string) bool {
	inner := jsonpatch.Pointer{token}.Find(s.Value)
	if inner.IsAbsent() {
		return false
	}
	s.Value, s.at = inner, append(slices.Clip(s.at), token)
	return true
}

// plain moves as far along tokens as the text goes, where it has the shape of the canonical form.
func (s spot) plain(tokens []string) spot {
	for _, token := range tokens {
		if !s.into(token) {
			break
		}
	}
	return s
}

// member moves to the i-th member of a map.
func (s *spot) member(i int) bool {
	if i < 0 || i >= s.Len() || s.Kind() != value.KindObject {
		return false
	}
	key, _ := s.MemberAt(i)
	return s.into(key)
}

// textPlace finds the place of a workflow's text that says what stands at a place of its canonical form: the innermost
// value around it that the text has. The text may be short: a path is one string, bindings are a map, edges stand on
// their steps. Defaults stand in the canonical form only.
func textPlace(text, canonical value.Value, tokens jsonpatch.Pointer) jsonpatch.Pointer {
	return workflowSpot(spot{Value: text}, canonical, tokens).at
}

func workflowSpot(s spot, canonical value.Value, tokens []string) spot {
	if len(tokens) == 0 {
		return s
	}
	list := canonical.Get(tokens[0])
	if len(tokens) == 1 {
		return s.plain(tokens)
	}
	item := jsonpatch.Pointer{tokens[1]}.Find(list)
	switch tokens[0] {
	case "workflows":
		if s.into("workflows") && s.into(tokens[1]) {
			return workflowSpot(s, item, tokens[2:])
		}
	case "edges":
		return edgeSpot(s, list, item, tokens[1:])
	case "node_defs": // sorted by name in the canonical form
		if !s.into("node_defs") {
			return s
		}
		twins := func(x value.Value) bool { return value.Equal(x.Get("name"), item.Get("name")) }
		if i := nth(s.Value, rank(list, tokens[1], twins), twins); i >= 0 {
			return s.plain(append([]string{strconv.Itoa(i)}, tokens[2:]...))
		}
	case "nodes":
		if s.into("nodes") && s.into(tokens[1]) {
			return stepSpot(s, item, tokens[2:])
		}
	case "output":
		return bindingsSpot(s, false, tokens[1:], "output")
	default:
		return s.plain(tokens)
	}
	return s
}

// rank counts the twins of an element that stand before it.
func rank(list value.Value, token string, isTwin func(value.Value) bool) int {
	n := 0
	for i, x := range list.Items() {
		if strconv.Itoa(i) == token {
			break
		}
		if isTwin(x) {
			n++
		}
	}
	return n
}

// nth gives the position of the n-th twin, from 0; -1 if there are not as many.
func nth(list value.Value, n int, isTwin func(value.Value) bool) int {
	for i, x := range list.Items() {
		if isTwin(x) {
			if n == 0 {
				return i
			}
			n--
		}
	}
	return -1
}

// route is an edge as a text has it: in the list of edges, or on its step.
type route struct {
	spot
	outcome value.Value // absent: it follows from the step
	target  value.Value
	onStep  bool
}

// routesFrom lists a text's edges from a step: those that name their outcome first.
func routesFrom(s spot, from value.Value) []route {
	var named, implied []route
	keep := func(r route) {
		if r.outcome.IsAbsent() {
			implied = append(implied, r)
		} else {
			named = append(named, r)
		}
	}
	for i, step := range s.Get("nodes").Items() {
		if !value.Equal(step.Get("id"), from) {
			continue
		}
		at := s.plain([]string{"nodes", strconv.Itoa(i)})
		if next := at; next.into("next") {
			keep(route{spot: next, target: next.Value, onStep: true})
		}
		for outcome := range step.Get("on").Members() {
			to := at.plain([]string{"on", outcome})
			target := to.Value
			if to.Kind() == value.KindObject {
				target = to.Get("to")
			}
			keep(route{spot: to, outcome: value.String(outcome), target: target, onStep: true})
		}
	}
	for i, e := range s.Get("edges").Items() {
		if value.Equal(e.Get("from"), from) {
			keep(route{spot: s.plain([]string{"edges", strconv.Itoa(i)}), outcome: e.Get("outcome"), target: e.Get("to")})
		}
	}
	return append(named, implied...)
}

// edgeSpot finds an edge of the canonical form, which sorts them. tokens begin with its position.
func edgeSpot(s spot, edges, edge value.Value, tokens []string) spot {
	var found []route
	for _, r := range routesFrom(s, edge.Get("from")) {
		if value.Equal(r.target, edge.Get("to")) && (r.outcome.IsAbsent() || value.Equal(r.outcome, edge.Get("outcome"))) {
			found = append(found, r)
		}
	}
	if edge.IsAbsent() || len(found) == 0 {
		return s
	}
	isTwin := func(x value.Value) bool { return value.Equal(x, edge) }
	r := found[min(rank(edges, tokens[0], isTwin), len(found)-1)]
	if r.onStep && r.Kind() != value.KindObject {
		return r.spot
	}
	return r.plain(tokens[1:])
}
