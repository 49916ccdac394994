package cli

import (
	"strconv"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/internal/value"
)

// locate names the file in findings and gives each its line and column in the text. The places of the validator are those
// of the canonical form; the text may be short, so the nearest place around it that the text has is taken.
func (p *planFile) locate(found wf.Diagnostics) {
	var canonical value.Value
	for i := range found {
		d := &found[i]
		d.Doc = p.name
		if d.Line > 0 || p.doc == nil || d.Path == "" {
			continue
		}
		if canonical.IsAbsent() && p.workflow != nil {
			canonical, _ = value.Parse(p.workflow.Canonical())
		}
		d.Line, d.Column = p.position(d.Path, canonical)
	}
}

// position finds the place of the text that belongs to a place of the canonical form; 0 if only the whole text does.
func (p *planFile) position(path string, canonical value.Value) (line, column int) {
	at := ""
	here, there := p.doc.Root, canonical // the same workflow in both
	tokens := strings.Split(path, "/")[1:]
	for len(tokens) > 1 {
		switch list := tokens[0]; list {
		case "workflows":
			name := unescape(tokens[1])
			at += "/workflows/" + tokens[1]
			here, there = here.Get("workflows").Get(name), there.Get("workflows").Get(name)
			tokens = tokens[2:]
			continue
		case "edges":
			// Edges are sorted in the canonical form, and the short form has them on their steps.
			edge := element(there.Get(list), tokens[1])
			return p.edge(at, here, edge)
		case "node_defs":
			name := element(there.Get(list), tokens[1]).Get("name")
			if i := find(here.Get(list), "name", name); i >= 0 {
				tokens[1] = strconv.Itoa(i)
			}
		}
		break
	}
	return p.nearest(at + "/" + strings.Join(tokens, "/"))
}

// nearest gives the position of the innermost value around a place, but for the whole text.
func (p *planFile) nearest(path string) (line, column int) {
	for path != "" {
		if line, column, ok := p.doc.Position(path); ok {
			return line, column
		}
		path = path[:strings.LastIndexByte(path, '/')]
	}
	return 0, 0
}

// edge finds an edge of the canonical form in a workflow's text: in its list, or on its step.
func (p *planFile) edge(at string, here, edge value.Value) (line, column int) {
	from, outcome := edge.Get("from"), edge.Get("outcome")
	for i, e := range here.Get("edges").Items() {
		listed := e.Get("outcome")
		if value.Equal(e.Get("from"), from) && (listed.IsAbsent() || value.Equal(listed, outcome)) {
			return p.nearest(at + "/edges/" + strconv.Itoa(i))
		}
	}
	i := find(here.Get("nodes"), "id", from)
	if i < 0 {
		return 0, 0
	}
	step := here.Get("nodes").Index(i)
	route := at + "/nodes/" + strconv.Itoa(i)
	if name, _ := outcome.AsString(); !step.Get("on").Get(name).IsAbsent() {
		route += "/on/" + name
	} else if !step.Get("next").IsAbsent() {
		route += "/next"
	}
	return p.nearest(route)
}

// find returns the position of the first element with a member of this value, -1 if there is none.
func find(list value.Value, key string, want value.Value) int {
	for i, x := range list.Items() {
		if !want.IsAbsent() && value.Equal(x.Get(key), want) {
			return i
		}
	}
	return -1
}

// element reads one element of an array by the token of a pointer.
func element(list value.Value, token string) value.Value {
	i, err := strconv.Atoi(token)
	if err != nil || i < 0 {
		return value.Value{}
	}
	return list.Index(i)
}

func unescape(token string) string {
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
}
