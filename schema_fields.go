package wf

import (
	"encoding/json"
	"reflect"
	"strings"
	"time"
)

// structTypes are the Go types whose fields are a shape's fields.
var structTypes = map[string]reflect.Type{
	"workflow": reflect.TypeFor[Workflow](), "edge": reflect.TypeFor[Edge](), "limits": reflect.TypeFor[Limits](),
	"node_def": reflect.TypeFor[NodeDef](), "retry": reflect.TypeFor[Retry](), "catch": reflect.TypeFor[Catch](),
	"case": reflect.TypeFor[Case](), "branch": reflect.TypeFor[ForkBranch](), "output_binding": reflect.TypeFor[outputBindingFields](),
	"node_step": reflect.TypeFor[NodeStep](), "set_step": reflect.TypeFor[SetStep](), "condition_step": reflect.TypeFor[ConditionStep](),
	"foreach_step": reflect.TypeFor[ForeachStep](), "fork_step": reflect.TypeFor[ForkStep](), "join_step": reflect.TypeFor[JoinStep](),
	"interrupt_step": reflect.TypeFor[InterruptStep](), "wait_step": reflect.TypeFor[WaitStep](),
	"subgraph_step": reflect.TypeFor[SubgraphStep](), "fail_step": reflect.TypeFor[FailStep](), "end_step": reflect.TypeFor[EndStep](),
	"diagnostic": reflect.TypeFor[Diagnostic](), "related": reflect.TypeFor[Related](), "fix": reflect.TypeFor[Fix](), "fix_call": reflect.TypeFor[FixCall](),
	"run": reflect.TypeFor[RunInfo](), "frame": reflect.TypeFor[FrameInfo](), "error": reflect.TypeFor[Error](),
	"trace_entry": reflect.TypeFor[TraceEntry](), "trace_retry": reflect.TypeFor[TraceRetry](), "trace_write": reflect.TypeFor[TraceWrite](),
	"interrupt": reflect.TypeFor[Interrupt](), "doubt": reflect.TypeFor[Doubt](),
}

// outputBindingFields are the fields of an [OutputBinding], whose source is one of two things.
type outputBindingFields struct {
	Source   *Operand `json:"source"`
	Target   Path     `json:"target"`
	IfAbsent string   `json:"if_absent,omitempty"`
}

// heldShapes names the shapes that fields of a Go type hold.
var heldShapes = map[reflect.Type]string{
	reflect.TypeFor[Path](): "path", reflect.TypeFor[Operand](): "operand", reflect.TypeFor[Condition](): "condition",
	reflect.TypeFor[Step](): "step", reflect.TypeFor[InputBinding](): "input_binding", reflect.TypeFor[OutputBinding](): "output_binding",
	reflect.TypeFor[Outcome](): "name", reflect.TypeFor[Code](): "code",
}

// shapeName names the shape of a Go type.
func shapeName(t reflect.Type) (string, bool) {
	if name, ok := heldShapes[t]; ok {
		return name, true
	}
	for name, known := range structTypes {
		if known == t {
			return name, true
		}
	}
	return "", false
}

// structShape is the schema of a struct's JSON: its fields by their tags; a field without omitempty is required.
func structShape(name string) fields {
	properties, required := structFields(name, structTypes[name])
	f := fields{{"type", "object"}, {"description", definitionDocs[name]}, {"properties", properties}}
	f.add("required", textsOf(required))
	f.set("additionalProperties", false)
	return f
}

func structFields(name string, t reflect.Type) (properties fields, required []string) {
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Anonymous {
			inner, needed := structFields(name, field.Type)
			properties, required = append(properties, inner...), append(required, needed...)
			step := strings.TrimSuffix(name, "_step")
			properties = append(properties[:1], append(fields{{"type", fields{{"const", step}}}}, properties[1:]...)...)
			required = append(required, "type")
			continue
		}
		key, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if !field.IsExported() || key == "-" || key == "catch" && (name == "end_step" || name == "join_step") {
			continue
		}
		schema, given := fieldShapes[name+"."+key]
		switch {
		case given:
		case key == "id":
			schema = ref("name")
		default:
			schema = typeShape(field.Type, key)
		}
		if doc := fieldDoc(name, key); doc != "" {
			schema = append(fields{{"description", doc}}, schema...)
		}
		properties.set(key, schema)
		if !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero") {
			required = append(required, key)
		}
	}
	return properties, required
}

// typeShape is the schema of a field by its Go type.
func typeShape(t reflect.Type, key string) fields {
	if name, ok := shapeName(t); ok {
		return ref(name)
	}
	if t == reflect.TypeFor[time.Time]() {
		return fields{{"type", "string"}, {"format", "date-time"}}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return typeShape(t.Elem(), key)
	case reflect.String:
		return fields{{"type", "string"}}
	case reflect.Bool:
		return fields{{"type", "boolean"}}
	case reflect.Int, reflect.Int64:
		return fields{{"type", "integer"}, {"minimum", int64(1)}}
	case reflect.Float64:
		return fields{{"type", "number"}, {"minimum", int64(0)}, {"maximum", int64(maxSeconds)}}
	case reflect.Map:
		return fields{{"type", "object"}, {"additionalProperties", typeShape(t.Elem(), key)}}
	case reflect.Slice:
		if t != reflect.TypeFor[json.RawMessage]() {
			return fields{{"type", "array"}, {"items", typeShape(t.Elem(), key)}}
		}
		if strings.Contains(key, "schema") {
			return ref("schema")
		}
	}
	return fields{}
}

func ref(name string) fields { return fields{{"$ref", definitionPrefix + name}} }

// fieldShapes are the fields of which their Go type does not say everything.
var fieldShapes = map[string]fields{
	"workflow.format":            {{"const", Format}},
	"workflow.name":              ref("dotted_name"),
	"workflow.start":             ref("name"),
	"workflow.outcomes":          nameList("name"),
	"node_def.name":              ref("dotted_name"),
	"node_def.outcomes":          nameList("name"),
	"node_def.effect":            words(wordsOf(effects)...),
	"retry.backoff":              {{"type", "number"}, {"minimum", int64(1)}, {"maximum", int64(1000)}},
	"edge.from":                  ref("name"),
	"edge.to":                    ref("name"),
	"edge.exhausted":             ref("name"),
	"catch.codes":                {{"type", "array"}, {"items", fields{{"anyOf", []any{ref("code"), fields{{"const", "*"}}}}}}, {"minItems", int64(1)}},
	"catch.error":                ref("state_path"),
	"node_step.node":             ref("dotted_name"),
	"set_step.unset":             {{"type", "array"}, {"items", ref("state_path")}},
	"foreach_step.as":            ref("name"),
	"foreach_step.mode":          words(ModeSerial, ModeParallel),
	"foreach_step.on_item_error": words(OnErrorFail, OnErrorCollect, OnErrorSkip),
	"fork_step.on_branch_error":  words(OnErrorFail, OnErrorCollect),
	"fork_step.join":             ref("name"),
	"interrupt_step.kind":        ref("dotted_name"),
	"interrupt.id":               {{"type", "string"}},
	"doubt.id":                   {{"type", "string"}},
	"interrupt.outcomes":         nameList("name"),
	"doubt.outcomes":             nameList("name"),
	"interrupt.answers":          {{"type", "object"}, {"additionalProperties", ref("schema")}},
	"interrupt_step.outcomes":    nameList("name"),
	"subgraph_step.workflow":     {{"type", "string"}, {"pattern", `^[A-Za-z0-9_.@-]{1,128}$`}},
	"output_binding.source":      {{"anyOf", []any{ref("local_path"), ref("operand")}}},
	"output_binding.target":      ref("state_path"),
	"output_binding.if_absent":   words(AbsentUnset, AbsentKeep, AbsentFail),
	"diagnostic.severity":        words(string(SeverityError), string(SeverityWarning), string(SeverityInfo)),
	"diagnostic.path":            {{"type", "string"}},
	"fix.applicability":          words(string(FixSafe), string(FixUnsafe), string(FixPlaceholder)),
	"run.status":                 words(string(StatusRunning), string(StatusInterrupted), string(StatusCompleted), string(StatusFailed), string(StatusCancelled)),
	"run.steps":                  {{"type", "integer"}, {"minimum", int64(0)}},
	"frame.status":               words("ready", "calling", "backoff", "waiting", "interrupted", "inside", "ended", "closed"),
	"trace_entry.type":           words(wordsOf(stepTypes())...),
	"fix.patch":                  {{"type", "array"}, {"items", fields{{"type", "object"}}}},
}

func words(list ...string) fields { return fields{{"enum", textsOf(list)}} }

func nameList(name string) fields {
	return fields{{"type", "array"}, {"items", ref(name)}, {"minItems", int64(1)}, {"uniqueItems", true}}
}
