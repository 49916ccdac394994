package wf

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
)

// Shape describes one shape of a plan's JSON: what `wf schema` shows.
type Shape struct {
	Name    string          `json:"name"`
	Doc     string          `json:"doc"`
	Schema  json.RawMessage `json:"schema"`  // of the canonical form, JSON Schema 2020-12
	Example json.RawMessage `json:"example"` // canonical; valid by the schema
	Short   json.RawMessage `json:"short"`   // the same in the short form, which authors write
}

// Shapes lists every shape that an author writes or reads, the workflow first. The caller must not change it.
func Shapes() []Shape { return slices.Clone(allShapes()) }

var allShapes = sync.OnceValue(func() []Shape {
	list := make([]Shape, len(shapeTable))
	for i, entry := range shapeTable {
		canonical, short := entry.write(entry.example)
		schema, _ := SchemaOf(entry.name)
		list[i] = Shape{Name: entry.name, Doc: definitionDocs[entry.name], Schema: schema, Example: canonical, Short: short}
	}
	return list
})

const dialect = "https://json-schema.org/draft/2020-12/schema"

// SchemaOf returns the JSON Schema of a shape's canonical form, by the shape's name (workflow, step, node_step, edge,
// operand, condition, diagnostic …), as a document that stands by itself. ok is false for a name that there is not.
//
// The schema says what a valid plan looks like, for editors and for models that write structured output. What it cannot
// say, such as that an edge's target exists, [Validate] checks.
func SchemaOf(name string) (schema json.RawMessage, ok bool) {
	defs := definitions()
	root, ok := defs[name]
	if !ok {
		return nil, false
	}
	document := fields{{"$schema", dialect}, {"title", title(name)}}
	document = append(document, root...)
	var nested fields
	for _, used := range reachable(name, defs) {
		nested.set(used, defs[used])
	}
	document.add("$defs", nested)
	return indented(document), true
}

// title makes a heading of a shape's name.
func title(name string) string {
	words := strings.ReplaceAll(name, "_", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// reachable lists the definitions that a shape refers to, directly or through others, sorted; itself if something
// refers to it.
func reachable(name string, defs map[string]fields) []string {
	seen := map[string]bool{}
	queue := []string{name}
	for len(queue) > 0 {
		for _, used := range references(defs[queue[0]]) {
			if !seen[used] {
				seen[used] = true
				queue = append(queue, used)
			}
		}
		queue = queue[1:]
	}
	return sortedKeys(seen)
}

const definitionPrefix = "#/$defs/"

// references lists the definitions that a schema refers to.
func references(node any) []string {
	var names []string
	switch n := node.(type) {
	case fields:
		for _, f := range n {
			if ref, ok := f.node.(string); ok && f.key == "$ref" {
				names = append(names, strings.TrimPrefix(ref, definitionPrefix))
			}
			names = append(names, references(f.node)...)
		}
	case []any:
		for _, item := range n {
			names = append(names, references(item)...)
		}
	}
	return names
}
