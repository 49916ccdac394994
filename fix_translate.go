package wf

import (
	"slices"
	"strconv"

	"lda.chat/wf/internal/jsonpatch"
	"lda.chat/wf/internal/value"
)

// The patches of the validator are for the canonical form. A text that is short, or has its edges in another order, has what
// they are about in other places. translated finds those; whoever applies the result must compare what comes out with what
// the patch makes of the canonical form, for not every place has another.

// translated is a patch of the canonical form as one of the text, without its tests.
func translated(patch, text, canonical value.Value) (jsonpatch.Patch, error) {
	var operations []value.Value
	for _, o := range patch.Items() {
		if op, _ := o.Get("op").AsString(); op == "test" {
			continue
		}
		for _, key := range []string{"path", "from"} {
			if s, isText := o.Get(key).AsString(); isText {
				at, err := jsonpatch.ParsePointer(s)
				if err != nil {
					return jsonpatch.Patch{}, err
				}
				o = o.With(key, value.String(placeInText(at, text, canonical).String()))
			}
		}
		operations = append(operations, renamedRoute(o, text))
	}
	return jsonpatch.Parse(value.Array(operations...))
}

// renamedRoute is an operation that gives an edge another outcome as one on a step's map of them, where the outcome is a key.
func renamedRoute(o, text value.Value) value.Value {
	s, _ := o.Get("path").AsString()
	at, err := jsonpatch.ParsePointer(s)
	n := len(at) - 2
	to, isText := o.Get("value").AsString()
	if op, _ := o.Get("op").AsString(); err != nil || op != "replace" || !isText || n < 1 || at[n-1] != "on" || at[n+1] != "outcome" || at[:n+1].Find(text).IsAbsent() {
		return o
	}
	return value.Object(value.Member{Key: "op", Value: value.String("move")}, value.Member{Key: "from", Value: value.String(at[:n+1].String())},
		value.Member{Key: "path", Value: value.String(slices.Concat(at[:n], jsonpatch.Pointer{to}).String())})
}

// placeInText is the place of a workflow's text that belongs to a place of its canonical form.
func placeInText(at jsonpatch.Pointer, text, canonical value.Value) jsonpatch.Pointer {
	if len(at) < 2 {
		return at
	}
	listed := jsonpatch.Pointer(at[:2]).Find(canonical)
	switch at[0] {
	case "workflows":
		inner := placeInText(at[2:], text.Get("workflows").Get(at[1]), listed)
		return slices.Concat(at[:2], inner)
	case "node_defs":
		n := 0 // definitions of this name before this one
		for _, def := range canonical.Get("node_defs").Items() {
			if value.Equal(def.Get("name"), listed.Get("name")) {
				n++
			}
			if value.Equal(def, listed) {
				break
			}
		}
		if i := nthWith(text.Get("node_defs"), n, "name", listed.Get("name")); i >= 0 {
			return slices.Concat(jsonpatch.Pointer{"node_defs", strconv.Itoa(i)}, at[2:])
		}
	case "edges":
		return edgeInText(at, text, listed)
	}
	return at
}

// edgeInText is the place of an edge, or of what is in it: in the list of edges, or on its step.
func edgeInText(at jsonpatch.Pointer, text, edge value.Value) jsonpatch.Pointer {
	for i, e := range text.Get("edges").Items() {
		outcome := e.Get("outcome") // left out if the step has only one
		if value.Equal(e.Get("from"), edge.Get("from")) && (outcome.IsAbsent() || value.Equal(outcome, edge.Get("outcome"))) {
			return slices.Concat(jsonpatch.Pointer{"edges", strconv.Itoa(i)}, at[2:])
		}
	}
	i := nthWith(text.Get("nodes"), 1, "id", edge.Get("from"))
	if i < 0 {
		return at
	}
	step := text.Get("nodes").Index(i)
	outcome, _ := edge.Get("outcome").AsString()
	place, route := jsonpatch.Pointer{"nodes", strconv.Itoa(i), "on", outcome}, step.Get("on").Get(outcome)
	if route.IsAbsent() {
		place, route = jsonpatch.Pointer{"nodes", strconv.Itoa(i), "next"}, step.Get("next")
	}
	if route.Kind() == value.KindString && len(at) == 3 && at[2] == "to" { // the route is its target
		return place
	}
	return slices.Concat(place, at[2:])
}

// nthWith is the position of the n-th element, from 1, with a member of this value; -1: there are fewer.
func nthWith(list value.Value, n int, key string, want value.Value) int {
	for i, item := range list.Items() {
		if !want.IsAbsent() && value.Equal(item.Get(key), want) {
			if n--; n == 0 {
				return i
			}
		}
	}
	return -1
}
