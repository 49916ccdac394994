package wf

import "sync"

// definitions are the schemas of all shapes, by name.
var definitions = sync.OnceValue(func() map[string]fields {
	defs := map[string]fields{
		"name":          {{"description", definitionDocs["name"]}, {"type", "string"}, {"pattern", `^[A-Za-z0-9_-]{1,128}$`}},
		"dotted_name":   {{"description", definitionDocs["dotted_name"]}, {"type", "string"}, {"pattern", `^[A-Za-z0-9_.-]{1,128}$`}},
		"code":          {{"description", definitionDocs["code"]}, {"type", "string"}, {"pattern", `^[A-Za-z0-9_.-]{1,128}$`}},
		"schema":        {{"description", definitionDocs["schema"]}, {"type", "object"}},
		"path":          pathShape("path", wordsOf(roots)...),
		"local_path":    pathShape("local_path", string(RootLocal)),
		"state_path":    pathShape("state_path", string(RootState)),
		"operand":       oneOf("operand", operandShapes(nil, nil)...),
		"input_binding": oneOf("input_binding", operandShapes(fields{{"target", ref("local_path")}}, []string{"target"})...),
		"condition":     oneOf("condition", conditionShapes()...),
	}
	for name := range structTypes {
		defs[name] = structShape(name)
	}
	var steps []any
	for _, t := range stepTypes() {
		steps = append(steps, ref(string(t)+"_step"))
	}
	defs["step"] = oneOf("step", steps...)
	return defs
})

func oneOf(name string, shapes ...any) fields {
	return fields{{"description", definitionDocs[name]}, {"oneOf", shapes}}
}

// closed is an object with these members and no others.
func closed(properties fields, required ...string) fields {
	return fields{{"type", "object"}, {"properties", properties}, {"required", textsOf(required)}, {"additionalProperties", false}}
}

func pathShape(name string, roots ...string) fields {
	part := fields{{"anyOf", []any{fields{{"type", "string"}}, fields{{"type", "integer"}, {"minimum", int64(0)}, {"maximum", int64(maxCount)}}}}}
	shape := closed(fields{{"root", words(roots...)}, {"parts", fields{{"type", "array"}, {"items", part}}}}, "root", "parts")
	return append(fields{{"description", definitionDocs[name]}}, shape...)
}

// operandShapes are the kinds of operands, each with the members that stand beside it.
func operandShapes(beside fields, required []string) []any {
	list := fields{{"type", "array"}, {"items", ref("operand")}}
	kinds := fields{
		{"path", ref("path")},
		{"value", fields{{"description", "A literal, any JSON."}}},
		{"text", append(fields{{"description", "Parts that are joined: strings, numbers, booleans."}}, list...)},
		{"object", fields{{"type", "object"}, {"additionalProperties", ref("operand")}}},
		{"list", list},
		{"length", append(fields{{"description", "Of a string, an array or an object; in conditions only."}}, ref("operand")...)},
	}
	var shapes []any
	for _, kind := range kinds {
		if kind.key == "length" && len(beside) > 0 {
			continue
		}
		properties := append(append(fields{}, beside...), kind, field{"default", fields{{"description", "The value where this one is absent."}}})
		shapes = append(shapes, closed(properties, append(append([]string{}, required...), kind.key)...))
	}
	return shapes
}

// conditionShapes are the operators, grouped by the members that they have.
func conditionShapes() []any {
	operand, condition := ref("operand"), ref("condition")
	op := func(names ...string) field { return field{"op", words(names...)} }
	return []any{
		closed(fields{op("and", "or"), {"args", fields{{"type", "array"}, {"items", condition}, {"minItems", int64(1)}}}}, "op", "args"),
		closed(fields{op("not"), {"arg", condition}}, "op", "arg"),
		closed(fields{op(comparisons...), {"left", operand}, {"right", operand}}, "op", "left", "right"),
		closed(fields{op("matches"), {"left", operand}, {"pattern", fields{{"description", "RE2."}, {"type", "string"}}}}, "op", "left", "pattern"),
		closed(fields{op("is"), {"left", operand}, {"type", words(jsonTypes...)}}, "op", "left", "type"),
		closed(fields{op("exists"), {"path", ref("path")}}, "op", "path"),
		closed(fields{op("any", "all"), {"over", operand}, {"as", ref("name")}, {"check", condition}}, "op", "over", "as", "check"),
	}
}
