package wf

import (
	"strconv"
	"strings"

	"lda.chat/wf/internal/value"
)

// textPlaces says where in a text that was read the things stand that have another place in the canonical form: edges
// and node definitions, which are sorted there, and fields under a wrong name. A nil *textPlaces keeps nothing.
type textPlaces struct {
	routes map[*Workflow][]route
	edges  map[*Workflow]map[Edge][]string // the same by edge, made when somebody asks
	defs   map[*NodeDef]string
	fields map[string]string // by the place that they should have
}

func newTextPlaces() *textPlaces {
	return &textPlaces{routes: map[*Workflow][]route{}, edges: map[*Workflow]map[Edge][]string{}, defs: map[*NodeDef]string{}, fields: map[string]string{}}
}

func (p *textPlaces) field(right, at string) {
	if p != nil {
		p.fields[right] = at
	}
}

func (p *textPlaces) def(d *NodeDef, at string) {
	if p != nil {
		p.defs[d] = at
	}
}

func (p *textPlaces) edgesOf(w *Workflow, routes []route) {
	if p != nil {
		p.routes[w] = routes
	}
}

// edge is where an edge of the canonical form stands in the text.
func (p *textPlaces) edge(w *Workflow, i int) string {
	before := 0 // edges that are the same
	for k := i - 1; k >= 0 && w.Edges[k] == w.Edges[i]; k-- {
		before++
	}
	index := p.edges[w]
	if index == nil {
		index = make(map[Edge][]string, len(w.Edges))
		for _, r := range p.routes[w] {
			index[r.Edge] = append(index[r.Edge], r.at)
		}
		p.edges[w] = index
	}
	return index[w.Edges[i]][before]
}

// find turns a place of the canonical form into the place of the innermost value of the text that holds it.
func (p *textPlaces) find(text value.Value, w *Workflow, pointer string) string {
	at, tokens := "", strings.Split(pointer, "/")[1:]
	for len(tokens) >= 2 && w != nil {
		i, err := strconv.Atoi(tokens[1])
		switch {
		case tokens[0] == "edges" && err == nil && i < len(w.Edges):
			return p.innermost(text, p.edge(w, i), tokens[2:])
		case tokens[0] == "node_defs" && err == nil && i < len(w.NodeDefs):
			return p.innermost(text, p.defs[w.NodeDefs[i]], tokens[2:])
		case tokens[0] != "workflows":
			return p.innermost(text, at, tokens)
		}
		named := at + "/workflows"
		if right, ok := p.fields[named]; ok && valueAt(text, named).IsAbsent() {
			named = right
		}
		at = named + "/" + tokens[1]
		w, tokens = w.Workflows[unescapePointer.Replace(tokens[1])], tokens[2:]
	}
	return p.innermost(text, at, tokens)
}

var unescapePointer = strings.NewReplacer("~1", "/", "~0", "~")

// innermost goes down from a place of the text as far as the tokens lead. What is a list in the canonical form may be a
// map in the text, with the members in the same order.
func (p *textPlaces) innermost(text value.Value, at string, tokens []string) string {
	here := valueAt(text, at)
	for _, token := range tokens {
		next := stepInto(here, token)
		if right, ok := p.fields[at+"/"+token]; ok && next.IsAbsent() {
			at, here = right, valueAt(text, right)
			continue
		}
		if i, err := strconv.Atoi(token); next.IsAbsent() && err == nil && here.Kind() == value.KindObject && i < here.Len() {
			token, next = here.MemberAt(i)
			token = escapePointer.Replace(token)
		}
		if next.IsAbsent() {
			break
		}
		at, here = at+"/"+token, next
	}
	return at
}

func valueAt(text value.Value, pointer string) value.Value {
	for _, token := range strings.Split(pointer, "/")[1:] {
		text = stepInto(text, token)
	}
	return text
}

// stepInto is the member or element that a token of a pointer names.
func stepInto(v value.Value, token string) value.Value {
	if v.Kind() != value.KindArray {
		return v.Get(unescapePointer.Replace(token))
	}
	i, err := strconv.Atoi(token)
	if err != nil || i < 0 {
		return value.Value{}
	}
	return v.Index(i)
}
