package wf

import (
	"slices"
	"testing"

	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

// compiled is the schema of a shape, ready to check values.
func compiled(t *testing.T, name string) *schema.Schema {
	t.Helper()
	text, ok := SchemaOf(name)
	if !ok {
		t.Fatalf("no shape %q", name)
	}
	s, problems := schema.Parse(text, nil)
	if s == nil || len(problems) > 0 {
		t.Fatalf("schema of %s: %v\n%s", name, problems, text)
	}
	return s
}

func TestShapesMatchTheirSchemas(t *testing.T) {
	t.Parallel()
	for _, shape := range Shapes() {
		t.Run(shape.Name, func(t *testing.T) {
			t.Parallel()
			example, err := value.Parse(shape.Example)
			if err != nil {
				t.Fatal(err)
			}
			if problems := compiled(t, shape.Name).Check(example); len(problems) > 0 {
				t.Errorf("the example is not valid: %v\n%s", problems, shape.Example)
			}
			if shape.Doc == "" || len(shape.Short) == 0 {
				t.Error("no description, or no short form")
			}
		})
	}
}

func TestShapeExamplesReadWithoutFindings(t *testing.T) {
	t.Parallel()
	for _, entry := range shapeTable {
		if entry.example == "" {
			continue
		}
		canonical, short := entry.write(entry.example)
		again, shortAgain := entry.write(string(canonical))
		if string(again) != string(canonical) || string(shortAgain) != string(short) {
			t.Errorf("%s: the canonical example reads differently:\n%s\n%s", entry.name, canonical, again)
		}
		if again, _ := entry.write(string(short)); string(again) != string(canonical) {
			t.Errorf("%s: the short example reads differently:\n%s\n%s", entry.name, canonical, again)
		}
	}
	for _, shape := range Shapes() {
		switch _, isStep := structTypes[shape.Name]; {
		case shape.Name == "workflow":
			parsePlan(t, shape.Short)
		case isStep && len(shape.Name) > 5 && shape.Name[len(shape.Name)-5:] == "_step":
			if _, _, diags := ParseStep(shape.Short); len(diags) > 0 {
				t.Errorf("%s: %v", shape.Name, diags)
			}
		}
	}
}

func TestRandomPlansMatchTheSchema(t *testing.T) {
	t.Parallel()
	s := compiled(t, "workflow")
	for seed := range uint64(100) {
		w := newPlanGen(seed).workflow(1)
		complete(w)
		v, err := value.Parse(w.Canonical())
		if err != nil {
			t.Fatal(err)
		}
		if problems := s.Check(v); len(problems) > 0 {
			t.Fatalf("seed %d: %v\n%s", seed, problems, w.Indented())
		}
	}
}

// complete fills in what a valid plan has and one that is being written may lack.
func complete(w *Workflow) {
	if len(w.Nodes) == 0 {
		w.Nodes = append(w.Nodes, &JoinStep{StepCommon{ID: "only"}})
	}
	for _, s := range w.Nodes {
		if fork, ok := s.(*ForkStep); ok {
			fork.Join = "join"
		}
	}
	for _, nested := range w.Workflows {
		complete(nested)
	}
}

// TestSchemaHasEveryField holds the schemas, which come from the Go types, against the fields that are read.
func TestSchemaHasEveryField(t *testing.T) {
	t.Parallel()
	read := map[string][]string{"workflow": workflowFields, "node_def": nodeDefFields, "edge": edgeFields, "limits": limitFields, "retry": retryFields}
	for _, kind := range stepKinds {
		read[string(kind.typ)+"_step"] = slices.DeleteFunc(current(kind.allFields()), func(f string) bool { return f == "next" || f == "on" })
	}
	for name, fields := range read {
		properties := compiled(t, name).Value().Get("properties")
		for _, field := range fields {
			if properties.Get(field).IsAbsent() {
				t.Errorf("%s: no property %q", name, field)
			}
		}
		if properties.Len() != len(fields) {
			t.Errorf("%s: the schema has %d properties, %d fields are read", name, properties.Len(), len(fields))
		}
	}
}

func TestSchemaRefusesMistakes(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"edge":       `{"from": "a", "to": "b"}`,
		"operand":    `{"path": {"root": "state", "parts": []}, "value": 1}`,
		"condition":  `{"op": "eq", "left": {"value": 1}}`,
		"path":       `{"root": "stat", "parts": []}`,
		"node_step":  `{"id": "a", "type": "set", "node": "x.y"}`,
		"step":       `{"id": "a b", "type": "join"}`,
		"workflow":   `{"format": "wf/1", "name": "p", "start": "a", "nodes": [{"id": "a", "type": "task"}], "edges": []}`,
		"diagnostic": `{"severity": "fatal", "code": "x", "path": "", "message": "m"}`,
	} {
		v, err := value.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if compiled(t, name).Valid(v) {
			t.Errorf("%s accepts %s", name, text)
		}
	}
}

func TestSchemaFiles(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"workflow", "node_def", "diagnostic", "run"} {
		text, _ := SchemaOf(name)
		golden(t, "docs/schema/"+name+".schema.json", text)
	}
	if _, ok := SchemaOf("nothing"); ok {
		t.Error("a schema of nothing")
	}
}
