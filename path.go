package wf

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Root is where a path begins.
type Root string

// The roots of paths.
const (
	RootInput   Root = "input"
	RootState   Root = "state"
	RootSteps   Root = "steps"   // first part: a step id
	RootItem    Root = "item"    // first part: the "as" name of a foreach
	RootContext Root = "context" // run_id, workflow, step, visit, now, started_at, scheduled_at, outcome, retry_count, index.<as>
	RootLocal   Root = "local"   // the step's own input or output, a workflow's own output
)

// Path addresses a value: a root and the parts below it. A root alone is the whole value.
type Path struct {
	Root  Root   `json:"root"`
	Parts []Part `json:"parts"`
}

// Part is one step of a path: an object's member, or an array's element.
type Part struct {
	Name    string
	Index   int // when IsIndex
	IsIndex bool
}

// Name and index parts.
func namePart(name string) Part { return Part{Name: name} }
func indexPart(i int) Part      { return Part{Index: i, IsIndex: true} }

// String writes the path as text: state.items[0].title, state["odd name"].
func (p Path) String() string {
	var b strings.Builder
	b.WriteString(string(p.Root))
	for _, part := range p.Parts {
		switch {
		case part.IsIndex:
			b.WriteString("[" + strconv.Itoa(part.Index) + "]")
		case isPlainName(part.Name):
			b.WriteString("." + part.Name)
		default:
			quoted, _ := json.Marshal(part.Name)
			b.WriteString("[" + string(quoted) + "]")
		}
	}
	return b.String()
}

// isPlainName reports whether a member's name can stand after a dot.
func isPlainName(name string) bool {
	for i, r := range name {
		switch {
		case r == '_' || r == '-' && i > 0, r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9' && i > 0:
		default:
			return false
		}
	}
	return name != ""
}
