package wf

import (
	"fmt"
	"strings"

	"lda.chat/wf/internal/value"
)

func readNode(o object, c StepCommon) Step {
	s := &NodeStep{StepCommon: c, Node: hole}
	if v, at, ok := o.need("node", `add the capability's ref: "node": "local.report.extract"`); ok {
		if ref, _ := v.AsString(); strings.Contains(ref, "@") {
			o.savedAsNode(ref, v, at)
		} else {
			s.Node = o.dotted(v, at, "a capability's ref")
		}
	}
	s.Input = o.stepInput()
	s.Output = o.stepOutput()
	s.OutputSchema = o.schema("output_schema")
	s.TimeoutSeconds = o.seconds("timeout_seconds", false)
	s.Retry = o.retry()
	return s
}

// savedAsNode reports a node step that names a saved workflow, which a step runs and does not call.
func (o object) savedAsNode(ref string, v value.Value, at string) {
	d := Diagnostic{Code: "field_name", Path: at, RepairHint: `write "workflow" instead of "node"`,
		Message: fmt.Sprintf(`%s is a saved workflow, which a step runs as "workflow"`, quoteShort(ref))}
	if !o.has("workflow") && !o.has("output_schema") && !o.has("timeout_seconds") {
		fix := o.renameAt(at, v, "workflow", FixSafe)
		if t := o.v.Get("type"); !t.IsAbsent() {
			fix = patch(fix.Title, FixSafe, opTest(at, v), opMove(at, child(o.at, "workflow")), opReplace(child(o.at, "type"), value.String(string(TypeSubgraph))))
		}
		d.Fixes = []Fix{fix}
	}
	o.add(d)
}

func readSubgraph(o object, c StepCommon) Step {
	s := &SubgraphStep{StepCommon: c, Workflow: hole}
	if v, at, ok := o.need("workflow", `add a name in "workflows", or artifact@version`); ok {
		s.Workflow = o.spelled(v, at, "a workflow's name", ".@", "letters, digits, _, -, . and @")
	}
	s.Input = o.stepInput()
	s.Output = o.stepOutput()
	s.Retry = o.retry()
	return s
}

func readSet(o object, c StepCommon) Step {
	s := &SetStep{StepCommon: c, Output: o.outputBindings("output", true)}
	if v, _, ok := o.get("unset"); ok && v.Kind() != value.KindArray {
		s.Unset = []Path{holePath()}
	}
	items, at := o.items("unset", "a list of state paths")
	for i, item := range items {
		s.Unset = append(s.Unset, o.statePath(item, element(at, i), "a field to unset"))
	}
	return s
}

func readInterrupt(o object, c StepCommon) Step {
	s := &InterruptStep{StepCommon: c, Kind: hole}
	if v, at, ok := o.need("kind", `add what is asked for: "kind": "approval"`); ok {
		s.Kind = o.dotted(v, at, "an interrupt's kind")
	}
	s.Request = o.inputBindings("request")
	s.RequestSchema = o.schema("request_schema")
	s.Resume = o.outputBindings("resume", false)
	s.ResumeSchema = o.schema("resume_schema")
	s.Outcomes = o.outcomes("outcomes")
	if !o.has("outcomes") {
		o.missing("outcomes", `add the answers that can be given: "outcomes": ["approved", "rejected"]`)
		s.Outcomes = []Outcome{hole}
	}
	s.ResumeSchemas = o.resumeSchemas()
	s.TimeoutSeconds = o.seconds("timeout_seconds", false)
	if v, at, ok := o.get("timeout_outcome"); ok {
		s.TimeoutOutcome = Outcome(o.name(v, at, "an outcome"))
	}
	return s
}

// resumeSchemas reads the schemas of an interrupt's answers by outcome.
func (o object) resumeSchemas() map[Outcome]Schema {
	v, at, ok := o.get("resume_schemas")
	if !ok {
		return nil
	}
	if v.Kind() != value.KindObject {
		o.wrongType(v, at, "an object of schemas by outcome")
		return map[Outcome]Schema{hole: Schema(hole)}
	}
	schemas := make(map[Outcome]Schema, v.Len())
	for outcome, schema := range v.Members() {
		name := readKey(o.reader, outcome, child(at, outcome), "an outcome", o.name)
		schemas[Outcome(name)] = o.schemaOf(schema, child(at, outcome))
	}
	return schemas
}

func readWait(o object, c StepCommon) Step {
	s := &WaitStep{StepCommon: c, Until: o.optionalOperand("until"), Seconds: o.waitSeconds()}
	switch {
	case s.Seconds != nil && s.Until != nil:
		o.add(Diagnostic{Code: "field_conflict", Path: o.at, RepairHint: "keep one of them",
			Message: `a wait step has either "seconds" or "until", found both`})
		s.Seconds = nil // either would do for what is left to check
	case s.Seconds == nil && s.Until == nil:
		o.missing("seconds", `add how long: "seconds": 60, or "until" with a point of time`)
		s.Seconds = new(holeOperand())
	}
	return s
}

// waitSeconds reads how long a wait takes: an operand, or a span of time that is meant as one.
func (o object) waitSeconds() *Operand {
	v, at, ok := o.get("seconds")
	literal, literalAt := v, at
	if inner := v.Get("value"); !inner.IsAbsent() {
		literal, literalAt = inner, child(at, "value")
	}
	if !ok {
		return nil
	}
	switch span, isText := durationText(literal); {
	case isText:
		o.add(durationFinding(o.reader, literal, literalAt, span))
		if o.checkSeconds(span, literalAt, "seconds", false) {
			return &Operand{Value: span.AppendCanonical(nil)}
		}
		return new(holeOperand())
	case literal.Kind() == value.KindNumber && !o.checkSeconds(literal, literalAt, "seconds", false):
		return new(holeOperand())
	}
	return o.optionalOperand("seconds")
}

func readFail(o object, c StepCommon) Step {
	s := &FailStep{StepCommon: c, Code: hole, Message: o.optionalOperand("message")}
	v, at, ok := o.need("code", `add a name for the failure: "code": "no_stock"`)
	if !ok {
		return s
	}
	s.Code = Code(o.dotted(v, at, "a failure's code"))
	if isEngineCode(s.Code) {
		o.add(Diagnostic{Code: "code_reserved", Path: at, Actual: jsonOf(s.Code), RepairHint: "name it for what went wrong in your own terms, for example \"no_stock\"",
			Message: fmt.Sprintf("%q is a code of the engine: a plan's own failure needs another", s.Code)})
		s.Code = hole
	}
	return s
}

func readEnd(o object, c StepCommon) Step {
	s := &EndStep{StepCommon: c, Outcome: OK, Output: o.inputBindings("output")}
	if v, at, ok := o.get("outcome"); ok {
		s.Outcome = Outcome(o.name(v, at, "an outcome"))
	}
	return s
}
