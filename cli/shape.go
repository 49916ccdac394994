package cli

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"lda.chat/wf"
	"lda.chat/wf/internal/value"
)

// shapeInfo is a shape as `wf schema` shows it.
type shapeInfo struct {
	Name      string           `json:"name"`
	Doc       string           `json:"doc"`
	Example   json.RawMessage  `json:"example,omitempty"`   // in the form that authors write
	Canonical json.RawMessage  `json:"canonical,omitempty"` // the same as it is saved; --verbose
	Schema    json.RawMessage  `json:"schema,omitempty"`    // of the canonical form; --verbose, or there is no example
	Reducers  []wf.ReducerSpec `json:"reducers,omitempty"`  // that every binary has
}

// shapes are those of plans and the configuration.
var shapes = sync.OnceValue(func() []shapeInfo {
	var all []shapeInfo
	for _, s := range wf.Shapes() {
		all = append(all, shapeInfo{Name: s.Name, Doc: s.Doc, Example: s.Short, Canonical: s.Example, Schema: s.Schema})
	}
	if step, ok := partOf("step"); ok { // the kinds together
		step.Doc += " Each kind is a type of its own: " + strings.Join(stepShapes(all), ", ") + "."
		step.Example, step.Canonical = all[1].Example, all[1].Canonical
		all = slices.Insert(all, 1, step)
	}
	reducer := json.RawMessage(`{"type": "object", "properties": {"log": {"type": "array", "x-reducer": "append"}}}`)
	canonical := json.RawMessage(`{"type": "object", "properties": {"log": {"type": "array", "x-reducer": "wf.std.append"}}}`)
	return append(all, shapeInfo{
		Name: "reducer", Doc: "How a write changes a field of the state: x-reducer of a top-level property of the state's schema. " +
			"A field without one is replaced.",
		Example: reducer, Canonical: canonical, Reducers: wf.StandardReducers(),
	}, shapeInfo{
		Name: "config", Doc: "The file " + configName + ": which sources a command has at hand.",
		Example: json.RawMessage(configExample), Canonical: json.RawMessage(configExample), Schema: configSchema,
	})
})

const stepSuffix = "_step"

func stepShapes(all []shapeInfo) []string {
	var names []string
	for _, s := range all {
		if strings.HasSuffix(s.Name, stepSuffix) {
			names = append(names, s.Name)
		}
	}
	return names
}

func shapeNames() []string {
	var names []string
	for _, s := range shapes() {
		names = append(names, s.Name)
	}
	return names
}

// partOf is a shape that only stands within others, and has no example of its own.
func partOf(name string) (shapeInfo, bool) {
	text, ok := wf.SchemaOf(name)
	if !ok {
		return shapeInfo{}, false
	}
	schema, _ := value.Parse(text)
	doc, _ := schema.Get("description").AsString()
	return shapeInfo{Name: name, Doc: doc, Schema: text}, true
}

// otherNames are what shapes are called where they stand.
var otherNames = map[string]string{
	"plan": "workflow", "nodes": "step", "contract": "node_def", "capability": "node_def", "input": "input_binding",
	"request": "input_binding", "output": "output_binding", "resume": "output_binding", "when": "condition", "check": "condition",
	"x_reducer": "reducer", "finding": "diagnostic", configName: "config", "branches": "branch",
}

// shapeNamed finds a shape by its name, or by what it is called elsewhere: a type of steps ("foreach", "step.foreach"), a
// field of a plan ("nodes"), in the plural, with hyphens.
func shapeNamed(asked string) (shapeInfo, bool) {
	name := strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(asked))
	kind := name
	for _, affix := range []string{"step.", "steps.", "nodes.", "step_"} {
		kind = strings.TrimPrefix(kind, affix)
	}
	kind = strings.TrimSuffix(kind, ".step")
	for _, candidate := range []string{asked, name, otherNames[name], strings.TrimSuffix(name, "s"), kind + stepSuffix, kind} {
		for _, s := range shapes() {
			if s.Name == candidate && (kind == name || strings.HasSuffix(candidate, stepSuffix)) {
				return s, true
			}
		}
		if s, ok := partOf(candidate); ok && kind == name {
			return s, true
		}
	}
	return shapeInfo{}, false
}

// shapeHint says which shape a name that is none may have meant.
func shapeHint(asked string) string {
	var within []string
	for _, name := range shapeNames() {
		if slices.Contains(strings.Split(name, "_"), strings.TrimSuffix(strings.ToLower(asked), "s")) {
			within = append(within, `"`+name+`"`)
		}
	}
	if len(within) > 0 && len(within) < 4 {
		return "did you mean " + strings.Join(within, " or ") + "?"
	}
	known := shapeNames()
	for _, name := range stepShapes(shapes()) {
		known = append(known, strings.TrimSuffix(name, stepSuffix))
	}
	for _, name := range []string{asked, asked[strings.LastIndexByte(asked, '.')+1:]} {
		if hint := nearest(name, known); hint != "" {
			return hint
		}
	}
	return `"wf schema --format table" lists the types, each with what it is`
}
