package wf

import (
	"fmt"
	"slices"

	"lda.chat/wf/internal/value"
)

// A condition with a check has the outcomes true and false. Other languages give the two ways on fields of their own.
var (
	yesFields = []string{"then", "if_true", "on_true", "when_true", "true", "yes"}
	noFields  = []string{"else", "otherwise", "if_false", "on_false", "when_false", "false", "no"}
)

// answerFields reports, once, the ways on from a condition that are fields of their own, {"then": "a", "else": "b"}, and reads them as
// its edges.
func (o object) answerFields(key string) (isOne bool) {
	if o.what != "a condition step" || o.has("cases") || !slices.Contains(yesFields, key) && !slices.Contains(noFields, key) {
		return false
	}
	var found, ops []value.Value
	var names []string
	sure, routes := true, value.Object()
	for i, fields := range [][]string{yesFields, noFields} {
		outcome := []Outcome{outcomeTrue, outcomeFalse}[i]
		for _, field := range fields {
			to, at, ok := o.get(field)
			if !ok {
				continue
			}
			sure = sure && isNameText(to) && routes.Get(string(outcome)).IsAbsent()
			routes = routes.With(string(outcome), to)
			found, ops = append(found, opTest(at, to)), append(ops, opRemove(at))
			names = append(names, field)
		}
	}
	if key != slices.Min(names) {
		return true // it was told with the first
	}
	at, id := child(o.at, key), o.ownID()
	d := Diagnostic{Code: "routes_form", Path: at, RepairHint: "write " + shorten(`"on": `+routes.String(), 100),
		Message: fmt.Sprintf("the ways on from a condition are the edges of its outcomes true and false, found %s", listText(names))}
	if sure = sure && !o.has("on") && (!o.has("next") || routes.Len() == 1); sure {
		d.Fixes = []Fix{patch("Write them as \"on\"", FixSafe, slices.Concat(found, ops, []value.Value{opAdd(child(o.at, "on"), routes)})...)}
		for outcome, to := range routes.Members() {
			place := child(o.at, names[0])
			if outcome == string(outcomeFalse) {
				place = child(o.at, names[len(names)-1])
			}
			o.routes = append(o.routes, route{Edge: Edge{From: id, Outcome: Outcome(outcome), To: o.reader.target(to, place)}, at: place})
		}
	} else {
		d.RepairHint = `write "on": {"true": …, "false": …}, with the ids of steps`
		o.routes = append(o.routes, o.unreadRoute(id, at))
	}
	o.add(d)
	return true
}

// ownID is the id of a step, a hole if it has none.
func (o object) ownID() string {
	if id := o.v.Get("id"); isNameText(id) {
		s, _ := id.AsString()
		return s
	}
	return hole
}
