package wf

import "lda.chat/wf/internal/value"

// outcomeCaught is what a failure becomes where only the step is named that it leads to.
const outcomeCaught Outcome = "caught"

// catchTarget reports a catch that is only the step that any failure leads to, and reads it as a catch with an edge.
func (o object) catchTarget() (caught []Catch, ok bool) {
	v, at, _ := o.get("catch")
	on := o.v.Get("on")
	if to, _ := v.AsString(); !isNameText(v) || o.scope.stepIndex(to) < 0 || o.what == "a fork step" || o.what == "a fail step" ||
		!on.IsAbsent() && on.Kind() != value.KindObject || !on.Get(string(outcomeCaught)).IsAbsent() {
		return nil, false
	}
	meant := value.Array(value.Object(value.Member{Key: "codes", Value: value.Array(value.String("*"))},
		value.Member{Key: "outcome", Value: value.String(string(outcomeCaught))}))
	edge := opAdd(child(child(o.at, "on"), string(outcomeCaught)), v)
	if on.IsAbsent() {
		edge = opAdd(child(o.at, "on"), value.Object(value.Member{Key: string(outcomeCaught), Value: v}))
	}
	o.wrongType(v, at, `a list such as [{"codes": ["*"], "outcome": "caught"}], and an edge for the outcome`,
		patch("Catch every failure, and lead it there", FixSafe, opTest(at, v), opReplace(at, meant), edge))
	o.routes = append(o.routes, route{Edge: Edge{From: o.ownID(), Outcome: outcomeCaught, To: o.target(v, at)}, at: at})
	return []Catch{{Codes: []Code{"*"}, Outcome: outcomeCaught}}, true
}
