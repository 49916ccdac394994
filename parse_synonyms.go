package wf

import (
	"slices"
	"strings"

	"lda.chat/wf/internal/value"
)

// synonyms are those renamed fields that say the same here, if their value is of the right shape: nothing else can be meant.
// Keys are "what: found>meant" of [renames], or "found>meant" of a step.
var synonyms = map[string]func(value.Value) bool{
	"a workflow: steps>nodes":            isObjectOrList,
	"a workflow: transitions>edges":      isObjectOrList,
	"a workflow: start_at>start":         isNameText,
	"a workflow: initial>start":          isNameText,
	"a workflow: entry_point>start":      isNameText,
	"a workflow: id>name":                isDottedText,
	"a workflow: input>input_schema":     isSchemaLike,
	"a workflow: inputs>input_schema":    isSchemaLike,
	"a workflow: state>state_schema":     isSchemaLike,
	"a workflow: capabilities>node_defs": isObjectOrList,

	"an edge: condition>outcome":    isNameText,
	"an edge: label>outcome":        isNameText,
	"an edge: when>outcome":         isNameText,
	"an edge: on>outcome":           isNameText,
	"an edge: sourceHandle>outcome": isNameText,
	"an edge: case>outcome":         isNameText,
	"an edge: event>outcome":        isNameText,
	"a route: target>to":            isNameText,
	"a route: next>to":              isNameText,
	"a route: goto>to":              isNameText,

	"a node definition: input>input_schema":       isSchemaLike,
	"a node definition: inputs>input_schema":      isSchemaLike,
	"a node definition: parameters>input_schema":  isSchemaLike,
	"a node definition: args_schema>input_schema": isSchemaLike,
	"a node definition: inputSchema>input_schema": isSchemaLike,
	"a node definition: output>output_schema":     isSchemaLike,
	"a node definition: outputs>output_schema":    isSchemaLike,
	"a node definition: returns>output_schema":    isSchemaLike,

	"an input binding: to>target":     isText,
	"an input binding: name>target":   isText,
	"an input binding: field>target":  isText,
	"an input binding: from>path":     isRootedText,
	"an input binding: source>path":   isRootedText,
	"an output binding: to>target":    isRootedText,
	"an output binding: from>source":  isText,
	"an output binding: field>source": isText,

	"a retry: attempts>max_attempts":                     isNumber,
	"a retry: delay_seconds>initial_interval_seconds":    isNumber,
	"a retry: interval_seconds>initial_interval_seconds": isNumber,
	"a retry: backoff_rate>backoff":                      isNumber,
	"a retry: backoff_multiplier>backoff":                isNumber,
	"a catch: errors>codes":                              isAny,
	"a catch: code>codes":                                isAny,

	"description>desc": isText,
	"name>id":          isStepIDText,
	"capability>node":  isDottedText, "tool>node": isDottedText, "uses>node": isDottedText, "action>node": isDottedText,
	"inputs>input": isBindings, "args>input": isBindings, "arguments>input": isBindings, "params>input": isBindings, "parameters>input": isBindings, "with>input": isBindings,
	"outputs>output": isBindings,
	"transitions>on": isObjectOrList, "edges>on": isObjectOrList, "routes>on": isObjectOrList, "outcomes>on": isRoutes, "goto>next": isNameText,
	"options>outcomes": isNames, "choices>outcomes": isNames, "answers>outcomes": isNames, "decisions>outcomes": isNames,
	"items>over": isAny, "concurrency>max_concurrency": isNumber,
	"condition>check": isAny, "if>check": isAny,
}

// isSynonym reports whether a field can only mean the one that it would be renamed to.
func (o object) isSynonym(from, to string) bool {
	key := o.what + ": " + from + ">" + to
	if o.isStep() {
		key = from + ">" + to
	}
	if strings.HasPrefix(o.what, "a condition with") {
		return true
	}
	fits, ok := synonyms[key]
	return ok && fits(o.v.Get(from))
}

func isAny(value.Value) bool      { return true }
func isText(v value.Value) bool   { return v.Kind() == value.KindString }
func isNumber(v value.Value) bool { return v.Kind() == value.KindNumber }
func isObjectOrList(v value.Value) bool {
	return v.Kind() == value.KindObject || v.Kind() == value.KindArray
}
func isBindings(v value.Value) bool { return isObjectOrList(v) || isRootedText(v) }

func isNameText(v value.Value) bool {
	s, ok := v.AsString()
	return ok && s != "" && len(s) <= maxNameLen && spell(s, "") == s
}

// isStepIDText reports whether a value can be a step's id.
func isStepIDText(v value.Value) bool {
	s, _ := v.AsString()
	return isNameText(v) && !strings.HasPrefix(s, "__")
}

// isNames reports whether a value is a list of names.
func isNames(v value.Value) bool {
	for _, item := range v.Items() {
		if !isNameText(item) {
			return false
		}
	}
	return v.Kind() == value.KindArray && v.Len() > 0
}

func isDottedText(v value.Value) bool {
	s, ok := v.AsString()
	return ok && s != "" && len(s) <= maxNameLen && spell(s, ".") == s
}

// isRootedText reports whether a value is a path as text, perhaps with another language's marks around it.
func isRootedText(v value.Value) bool {
	s, _ := v.AsString()
	inner, wrapped := unwrapPath(s)
	return isRooted(s) || wrapped && isRooted(inner)
}

// isSchemaLike reports whether a value is a schema of an object, or names with types.
func isSchemaLike(v value.Value) bool {
	_, short := shorthand(v, shortMap)
	return short || v.Kind() == value.KindObject && (v.Get("properties").Kind() == value.KindObject || value.Equal(v.Get("type"), value.String("object")))
}

// isRoutes reports whether a value says where outcomes lead, not only which there are.
func isRoutes(v value.Value) bool {
	if v.Kind() == value.KindObject {
		return v.Len() > 0 && isRouteMap(v)
	}
	_, ok := routesOf(v, "")
	return ok && v.Len() > 0
}

// conditionFields are other languages' names of a condition's fields.
var conditionFields = map[string]string{
	"field": "left", "lhs": "left", "a": "left", "value": "right", "rhs": "right", "b": "right", "conditions": "args", "condition": "arg", "regex": "pattern",
}

// otherField is the field that one of another system's stands for.
func (o object) otherField(key string) (to string, ok bool) {
	switch {
	case o.isStep():
		to, ok = stepRenames[key]
	case strings.HasPrefix(o.what, "a condition with"):
		to, ok = conditionFields[key]
		ok = ok && slices.Contains(operatorFields(strings.Trim(strings.TrimPrefix(o.what, "a condition with"), ` "`)), to)
	default:
		to, ok = renames[o.what][key]
	}
	return to, ok
}
