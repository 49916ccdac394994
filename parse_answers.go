package wf

import (
	"fmt"
	"slices"
	"strings"

	"lda.chat/wf/internal/value"
)

// A condition with a check has the outcomes true and false. Other languages give the two ways on fields or words of their own.
var (
	yesFields = []string{"then", "if_true", "on_true", "when_true", "true", "yes"}
	noFields  = []string{"else", "otherwise", "if_false", "on_false", "when_false", "false", "no"}
	yesWords  = []string{"true", "yes", "y", "then", "if_true", "on_true"}
	noWords   = []string{"false", "no", "n", "else", "otherwise", "default", "if_false", "on_false"}
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

// answerWord is the outcome of a condition that a word of another language means.
func answerWord(o Outcome) (meant Outcome, ok bool) {
	switch word := strings.ToLower(string(o)); {
	case o == outcomeTrue || o == outcomeFalse:
		return o, false
	case slices.Contains(yesWords, word):
		return outcomeTrue, true
	case slices.Contains(noWords, word):
		return outcomeFalse, true
	}
	return o, false
}

// answerOutcomes reports, once a step, edges of conditions for yes and no, and reads them as true and false.
func (r *reader) answerOutcomes(steps map[string]Step) {
	meant := map[string][]int{} // routes by the step that they leave
	var order []string
	for i := range r.routes {
		e := &r.routes[i]
		s, isCondition := steps[e.From].(*ConditionStep)
		if _, ok := answerWord(e.Outcome); !ok || e.implied || !isCondition || s.Check == nil {
			continue
		}
		if slices.ContainsFunc(s.Catch, func(c Catch) bool { return c.Outcome == e.Outcome }) {
			continue
		}
		if meant[e.From] == nil {
			order = append(order, e.From)
		}
		meant[e.From] = append(meant[e.From], i)
	}
	if len(order) == 0 {
		return
	}
	taken := map[Edge]bool{} // steps and outcomes
	for i := range r.routes {
		taken[Edge{From: r.routes[i].From, Outcome: r.routes[i].Outcome}] = true
	}
	for _, id := range order {
		r.answerFinding(id, meant[id], taken)
	}
}

func (r *reader) answerFinding(id string, list []int, taken map[Edge]bool) {
	var words []Outcome
	for _, i := range list {
		to, _ := answerWord(r.routes[i].Outcome)
		if key := (Edge{From: id, Outcome: to}); taken[key] {
			return // then nobody knows which of the two is meant
		} else {
			taken[key] = true
		}
		words = append(words, r.routes[i].Outcome)
	}
	d := Diagnostic{Code: "outcome_unknown", Path: r.routes[list[0]].at, Expected: jsonOf([]Outcome{outcomeTrue, outcomeFalse}), Actual: jsonOf(words),
		RepairHint: `write "true" and "false"`, Message: fmt.Sprintf("a condition with a check has the outcomes true and false, found %s", listText(words))}
	var tests, ops []value.Value
	for _, i := range list {
		e := &r.routes[i]
		to, _ := answerWord(e.Outcome)
		test, op := r.renameOutcome(e, to)
		tests, ops = append(tests, test), append(ops, op)
		e.Outcome = to
	}
	if !slices.ContainsFunc(ops, value.Value.IsAbsent) {
		d.Fixes = []Fix{patch("Write true and false", FixSafe, slices.Concat(tests, ops)...)}
	}
	r.step = id
	r.add(d)
	r.step = ""
}

// renameOutcome is how an edge of the text comes to have another outcome; absent if it has none under its own name.
func (r *reader) renameOutcome(e *route, to Outcome) (test, op value.Value) {
	if r.doc == nil {
		return test, op
	}
	here := valueAt(r.doc.Root, e.at)
	switch cut := strings.LastIndex(e.at, "/"); {
	case e.at[cut+1:] == string(e.Outcome): // the key of a map
		return opTest(e.at, here), opMove(e.at, child(e.at[:cut], string(to)))
	case value.Equal(here.Get("outcome"), value.String(string(e.Outcome))):
		at := child(e.at, "outcome")
		return opTest(at, here.Get("outcome")), opReplace(at, value.String(string(to)))
	}
	return test, op
}
