package wf

import (
	"fmt"
	"strings"
)

// DOT draws the workflow in the language of Graphviz, as [Workflow.Mermaid] does, with the regions as clusters.
func (w *Workflow) DOT() string {
	g := newDiagram(w)
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %s {\n  node [shape=box];\n", dotText(w.Name))
	g.region(0, 1, func(depth int, r int, open bool) {
		indent := strings.Repeat("  ", depth)
		if open {
			fmt.Fprintf(&b, "%ssubgraph cluster_%d {\n%s  label=%s;\n", indent, r, indent, dotText(g.title(r)))
		} else {
			fmt.Fprintf(&b, "%s}\n", indent)
		}
	}, func(depth int, n drawnStep) {
		fmt.Fprintf(&b, "%s%s [label=%s, %s];\n", strings.Repeat("  ", depth), n.name, dotText(n.label), dotShapes[n.typ])
	})
	for _, e := range g.arrows {
		var attributes []string
		if e.label != "" {
			attributes = append(attributes, "label="+dotText(e.label))
		}
		if e.dashed {
			attributes = append(attributes, "style=dashed")
		}
		fmt.Fprintf(&b, "  %s -> %s", e.from, e.to)
		if len(attributes) > 0 {
			fmt.Fprintf(&b, " [%s]", strings.Join(attributes, ", "))
		}
		b.WriteString(";\n")
	}
	b.WriteString("}\n")
	return b.String()
}

var dotShapes = map[StepType]string{
	TypeNode: "shape=box", TypeSet: "shape=note", TypeCondition: "shape=diamond", TypeForeach: "shape=box3d",
	TypeFork: "shape=triangle", TypeJoin: "shape=invtriangle", TypeInterrupt: "shape=cds", TypeWait: "shape=oval",
	TypeSubgraph: "shape=component", TypeFail: "shape=octagon", TypeEnd: "shape=oval, peripheries=2",
	drawnStart: "shape=circle", drawnMissing: "shape=box, style=dashed",
}

// dotText quotes a text; in DOT only quotes, backslashes and line ends have a meaning in one.
func dotText(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r < ' ':
			b.WriteByte(' ')
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
