package wf

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lda.chat/wf/internal/value"
)

// stepKind says what a kind of step has.
type stepKind struct {
	typ    StepType
	what   string   // for messages
	fields []string // its own, beside those of every step
}

// stepKinds are the kinds of steps, in the order of the documentation.
var stepKinds = []stepKind{
	{TypeNode, "a node step", []string{"catch", "retry", "node", "input", "output", "output_schema", "timeout_seconds"}},
	{TypeSet, "a set step", []string{"catch", "output", "unset"}},
	{TypeCondition, "a condition step", []string{"catch", "check", "cases", "default"}},
	{TypeForeach, "a foreach step", []string{"catch", "retry", "over", "as", "result", "mode", "on_item_error", "max_concurrency", "complete", "timeout_seconds", "output"}},
	{TypeFork, "a fork step", []string{"catch", "retry", "branches", "join", "on_branch_error", "complete", "timeout_seconds", "output"}},
	{TypeJoin, "a join step", nil},
	{TypeInterrupt, "an interrupt step", []string{"catch", "kind", "request", "request_schema", "resume", "resume_schema", "outcomes", "resume_schemas", "timeout_seconds", "timeout_outcome"}},
	{TypeWait, "a wait step", []string{"catch", "seconds", "until"}},
	{TypeSubgraph, "a subgraph step", []string{"catch", "retry", "workflow", "input", "output"}},
	{TypeFail, "a fail step", []string{"catch", "code", "message"}},
	{TypeEnd, "an end step", []string{"outcome", "output"}},
}

func stepKindOf(t StepType) stepKind {
	return stepKinds[slices.IndexFunc(stepKinds, func(k stepKind) bool { return k.typ == t })]
}

// readStep reads the fields of one kind of step.
func (o object) readStep(t StepType, c StepCommon) Step {
	switch t {
	case TypeNode:
		return readNode(o, c)
	case TypeSet:
		return readSet(o, c)
	case TypeCondition:
		return readConditionStep(o, c)
	case TypeForeach:
		return readForeach(o, c)
	case TypeFork:
		return readFork(o, c)
	case TypeInterrupt:
		return readInterrupt(o, c)
	case TypeWait:
		return readWait(o, c)
	case TypeSubgraph:
		return readSubgraph(o, c)
	case TypeFail:
		return readFail(o, c)
	case TypeEnd:
		return readEnd(o, c)
	}
	return &JoinStep{c}
}

// allFields are the fields of a kind of step, those of every step first.
func (k stepKind) allFields() []string {
	common := []string{"id", "type", "desc", "next", "on"}
	if k.typ == TypeEnd {
		common = common[:3]
	}
	common = append(common, k.fields...)
	if k.typ == TypeNode || k.typ == TypeSubgraph {
		common = append(common, olderFields...)
	}
	return common
}

// addStep reads a step and keeps its edges for later.
func (r *reader) addStep(w *Workflow, v value.Value, at string) {
	id, _ := v.Get("id").AsString()
	if r.step = id; r.isHole(v.Get("id")) {
		r.step = ""
	}
	defer func() { r.step = "" }()
	if v.Kind() != value.KindObject {
		r.wrongType(v, at, "a step as an object")
		w.Nodes = append(w.Nodes, newHoleStep(hole))
		return
	}
	kind, known := r.stepKind(v, at)
	o := object{reader: r, v: v, at: at, what: "a step"}
	if known {
		o, _ = r.object(v, at, kind.what, kind.allFields())
	}
	c := StepCommon{ID: hole}
	if id, at, ok := o.need("id", `add a name of its own: "id": "extract"`); ok {
		c.ID = o.stepID(id, at)
	}
	if !known {
		s := newHoleStep(c.ID)
		w.Nodes = append(w.Nodes, s)
		o.stepRoutes(s)
		return
	}
	c.Desc = o.text("desc")
	if slices.Contains(kind.fields, "catch") {
		c.Catch = o.catches()
	}
	s := o.readStep(kind.typ, c)
	w.Nodes = append(w.Nodes, s)
	if kind.typ != TypeEnd {
		o.stepRoutes(s)
	}
}

// stepKind finds a step's kind: its type, or what follows from what it calls: a node, or a workflow.
func (r *reader) stepKind(v value.Value, at string) (stepKind, bool) {
	o := object{reader: r, v: v, at: at, what: "a step"}
	t, typeAt, ok := o.get("type")
	if !ok {
		switch {
		case o.has("node") || namesCapability(v):
			return stepKindOf(TypeNode), true
		case o.has("workflow"):
			return stepKindOf(TypeSubgraph), true
		}
		d := Diagnostic{Code: "field_missing", Path: at, Message: `a step needs the field "type", unless it has "node" or "workflow"`,
			Expected: jsonOf(stepTypes()), RepairHint: "add one of " + listText(stepTypes())}
		guess := guessType(v)
		if guess != "" {
			d.RepairHint = fmt.Sprintf("add \"type\": %q", guess)
			d.Fixes = []Fix{patch(fmt.Sprintf("Add \"type\": %q", guess), FixUnsafe, opTest(at, v), opAdd(child(at, "type"), value.String(string(guess))))}
		}
		r.add(d)
		return meantKind(v, guess)
	}
	s, isText := t.AsString()
	for _, kind := range stepKinds {
		if string(kind.typ) == s && isText {
			return kind, true
		}
	}
	if !isText {
		r.wrongType(t, typeAt, "one of "+listText(stepTypes()))
		return stepKind{}, false
	}
	d := Diagnostic{Code: "step_type_unknown", Path: typeAt, Expected: jsonOf(stepTypes()), Actual: jsonOf(s), RepairHint: "write one of them",
		Message: fmt.Sprintf("there is no step type %s; the types are %s", quoteShort(s), listText(stepTypes()))}
	near, ok := typeAliases[strings.ToLower(s)]
	if !ok {
		name, _ := nearestName(s, wordsOf(stepTypes()))
		near = StepType(name)
	}
	if near != "" {
		d.RepairHint = "did you mean " + strconv.Quote(string(near)) + "?"
		trust := FixUnsafe
		if kind, known := meantKind(v, near); ok && known && (hasMark(v, kind) || near == TypeJoin) {
			trust = FixSafe
		}
		d.Fixes = []Fix{r.replace(t, typeAt, string(near), trust)}
	}
	r.add(d)
	return meantKind(v, near)
}

// hasMark reports whether a step has the field, perhaps under another name, that only its kind has.
func hasMark(v value.Value, kind stepKind) bool {
	for key := range v.Members() {
		if to, ok := stepRenames[key]; ok && v.Get(to).IsAbsent() {
			key = to
		}
		if t, ok := typeMarks[key]; ok && t == kind.typ {
			return true
		}
	}
	return false
}

// namesCapability reports whether a step says what it calls, under another name.
func namesCapability(v value.Value) bool {
	for _, key := range []string{"capability", "tool", "uses", "action"} {
		if isDottedText(v.Get(key)) {
			return true
		}
	}
	return false
}

// meantKind is the kind of step that is likely meant, if all that the step has belongs to it.
func meantKind(v value.Value, t StepType) (stepKind, bool) {
	for _, kind := range stepKinds {
		if kind.typ != t {
			continue
		}
		fields := kind.allFields()
		for key := range v.Members() {
			if !slices.Contains(fields, key) && !slices.Contains(fields, stepRenames[key]) && !slices.Contains(fields, otherUnits[key]) && !isOtherWay(t, key) {
				return stepKind{}, false
			}
		}
		return kind, true
	}
	return stepKind{}, false
}

// isOtherWay reports whether a field is how other languages say where a step of a kind leads.
func isOtherWay(t StepType, key string) bool {
	switch t {
	case TypeCondition:
		return slices.Contains(yesFields, key) || slices.Contains(noFields, key)
	case TypeForeach:
		return slices.Contains(bodyFields, key)
	}
	return false
}

func stepTypes() []StepType {
	types := make([]StepType, len(stepKinds))
	for i, kind := range stepKinds {
		types[i] = kind.typ
	}
	return types
}

// typeAliases are other languages' names of our step types.
var typeAliases = map[string]StepType{
	"task": TypeNode, "action": TypeNode, "tool": TypeNode, "call": TypeNode, "function": TypeNode, "activity": TypeNode,
	"assign": TypeSet, "pass": TypeSet, "choice": TypeCondition, "switch": TypeCondition, "if": TypeCondition,
	"branch": TypeCondition, "decision": TypeCondition, "loop": TypeForeach, "map": TypeForeach, "for": TypeForeach,
	"for_each": TypeForeach, "parallel": TypeFork, "merge": TypeJoin, "human": TypeInterrupt, "approval": TypeInterrupt,
	"sleep": TypeWait, "delay": TypeWait, "workflow": TypeSubgraph, "subworkflow": TypeSubgraph, "error": TypeFail,
	"raise": TypeFail, "stop": TypeEnd, "succeed": TypeEnd,
}

// guessType finds the kind of step that alone has a field of the step.
func guessType(v value.Value) StepType {
	for key := range v.Members() {
		if t, ok := typeMarks[key]; ok {
			return t
		}
	}
	return ""
}

// typeMarks are the fields that one kind of step alone has.
var typeMarks = map[string]StepType{
	"node": TypeNode, "check": TypeCondition, "cases": TypeCondition, "over": TypeForeach, "branches": TypeFork,
	"kind": TypeInterrupt, "request": TypeInterrupt, "seconds": TypeWait, "until": TypeWait, "workflow": TypeSubgraph,
	"code": TypeFail, "outcome": TypeEnd, "unset": TypeSet,
}

// stepID reads a step's own id.
func (r *reader) stepID(v value.Value, at string) string {
	id := r.name(v, at, "a step's id")
	if strings.HasPrefix(id, "__") {
		r.add(Diagnostic{Code: "name_invalid", Path: at, RepairHint: "write " + strconv.Quote(strings.Trim(id, "_")),
			Message: fmt.Sprintf("a step's id does not begin with two underscores, found %q: such names are %s, %s and %s", id, ToEnd, ToContinue, ToDiscard)})
	}
	return id
}

// catches reads the field "catch".
func (o object) catches() []Catch {
	items, at := o.items("catch", `a list such as [{"codes": ["timeout"], "outcome": "late"}]`)
	var list []Catch
	if caught, ok := o.catchTarget(); ok {
		return caught
	}
	if v, _, ok := o.get("catch"); ok && v.Kind() != value.KindArray {
		list = append(list, Catch{Codes: []Code{hole}, Outcome: hole})
	}
	for i, item := range items {
		co, ok := o.object(item, element(at, i), "a catch", []string{"codes", "outcome", "error"})
		if !ok {
			list = append(list, Catch{Codes: []Code{hole}, Outcome: hole})
			continue
		}
		c := Catch{Codes: co.codes("codes", true)}
		if len(c.Codes) == 0 && co.v.Get("codes").Len() == 0 && (co.v.Get("codes").IsAbsent() || co.v.Get("codes").Kind() == value.KindArray) {
			co.missing("codes", `add the codes that it catches, or ["*"]`)
			c.Codes = []Code{hole}
		}
		c.Outcome = co.outcome("outcome", `add the outcome that the failure becomes: "outcome": "unavailable"`)
		if v, at, ok := co.get("error"); ok {
			path := co.statePath(v, at, "the place of the error value")
			c.Error = &path
		}
		list = append(list, c)
	}
	return list
}

// outcome reads a field that is an outcome and must be there.
func (o object) outcome(key, hint string) Outcome {
	v, at, ok := o.need(key, hint)
	if !ok {
		return hole
	}
	return Outcome(o.name(v, at, "an outcome"))
}
