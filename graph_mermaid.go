package wf

import (
	"fmt"
	"strings"
)

// Mermaid draws the workflow as a Mermaid flowchart: steps by kind, edges with their outcomes and limits, the bodies
// of foreach steps and the branches of forks as subgraphs. It draws any plan, broken ones too: an edge to a step that does
// not exist leads to a box with a question mark. Workflows inside the plan are not drawn. The text depends on the
// plan only, and ids and descriptions may hold anything.
func (w *Workflow) Mermaid() string {
	g := newDiagram(w)
	var b strings.Builder
	b.WriteString("flowchart TD\n")
	g.region(0, 1, func(depth int, r int, open bool) {
		indent := strings.Repeat("  ", depth)
		if open {
			fmt.Fprintf(&b, "%ssubgraph r%d[%s]\n", indent, r, mermaidText(g.title(r)))
		} else {
			fmt.Fprintf(&b, "%send\n", indent)
		}
	}, func(depth int, n drawnStep) {
		shape := mermaidShapes[n.typ]
		fmt.Fprintf(&b, "%s%s%s%s%s\n", strings.Repeat("  ", depth), n.name, shape[0], mermaidText(n.label), shape[1])
	})
	for _, e := range g.arrows {
		line := "-->"
		if e.dashed {
			line = "-.->"
		}
		if e.label == "" {
			fmt.Fprintf(&b, "  %s %s %s\n", e.from, line, e.to)
		} else {
			fmt.Fprintf(&b, "  %s %s|%s| %s\n", e.from, line, mermaidText(e.label), e.to)
		}
	}
	return b.String()
}

// mermaidShapes are the brackets around a label, which tell the kinds of steps apart.
var mermaidShapes = map[StepType][2]string{
	TypeNode: {"[", "]"}, TypeSet: {"[/", "/]"}, TypeCondition: {"{", "}"}, TypeForeach: {"[[", "]]"},
	TypeFork: {"{{", "}}"}, TypeJoin: {"{{", "}}"}, TypeInterrupt: {">", "]"}, TypeWait: {"([", "])"},
	TypeSubgraph: {"[[", "]]"}, TypeFail: {"[\\", "\\]"}, TypeEnd: {"((", "))"},
	drawnStart: {"((", "))"}, drawnMissing: {"[", "]"},
}

// mermaidText quotes a text: what has a meaning in Mermaid or HTML becomes a character reference.
func mermaidText(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '\n':
			b.WriteString("<br/>")
		case r < ' ':
			b.WriteByte(' ')
		case strings.ContainsRune("\"#&<>`\\|", r):
			fmt.Fprintf(&b, "#%d;", r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
