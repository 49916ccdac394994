package wf

import (
	"slices"
	"strconv"
	"strings"

	"lda.chat/wf/internal/value"
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

var roots = []Root{RootInput, RootState, RootSteps, RootItem, RootContext, RootLocal}

// Path addresses a value: a root and the parts below it. The roots input, state and local alone are the whole value; the
// others need a first part.
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

// String writes the path as text: state.items[0].title, state["odd name"]. [ParsePath] reads it back.
func (p Path) String() string { return string(p.Root) + partsText(p.Parts) }

// Equal reports whether two paths address the same place.
func (p Path) Equal(q Path) bool { return p.Root == q.Root && slices.Equal(p.Parts, q.Parts) }

// partsText writes what follows the root.
func partsText(parts []Part) string {
	var b strings.Builder
	for _, part := range parts {
		switch {
		case part.IsIndex:
			b.WriteString("[" + strconv.Itoa(part.Index) + "]")
		case isPlainName(part.Name):
			b.WriteString("." + part.Name)
		default:
			b.WriteString("[" + quoteJSON(part.Name) + "]")
		}
	}
	return b.String()
}

// relativeText writes a path below local without its root, as the short form's maps have it: "." is the whole value.
// The root stays where the text would begin like another path.
func relativeText(parts []Part) string {
	text := partsText(parts)
	switch {
	case text == "":
		return "."
	case text[0] == '[':
		return text
	case parts[0].Name == string(RootLocal), len(parts) > 1 && isRooted(text[1:]):
		return string(RootLocal) + text
	}
	return text[1:]
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

// quoteJSON writes a string as JSON, escaping only what JSON needs.
func quoteJSON(s string) string { return string(value.String(s).AppendJSON(nil)) }
