package schema

import (
	"strconv"
	"strings"

	"lda.chat/wf/internal/value"
)

// standalone writes a part of a document so that it can be taken elsewhere: what its references lead to comes along under
// $defs, and the references point there.
func standalone(d *document, n *node) value.Value {
	e := &extract{positions: d.positions, names: map[*node]string{}, taken: map[string]bool{}}
	v := e.rewrite(n)
	if v.Kind() != value.KindObject {
		return v
	}
	var defs []value.Member
	for i := 0; i < len(e.queue); i++ {
		t := e.queue[i]
		defs = append(defs, value.Member{Key: e.names[t], Value: e.rewrite(t)})
	}
	if len(defs) > 0 {
		v = v.With("$defs", value.Object(defs...))
	}
	return v.With("$schema", d.declared)
}

type extract struct {
	positions map[string]*node
	names     map[*node]string
	taken     map[string]bool
	queue     []*node
}

// name gives a definition the name it had, or one made of its pointer.
func (e *extract) name(n *node) string {
	if name, ok := e.names[n]; ok {
		return name
	}
	base := strings.TrimLeft(n.pointer[strings.LastIndexByte(n.pointer, '/')+1:], "~")
	base = strings.Map(func(r rune) rune {
		if r < 0x80 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r)) {
			return r
		}
		return '_'
	}, base)
	if base == "" {
		base = "root"
	}
	name := base
	for i := 2; e.taken[name]; i++ {
		name = base + "_" + strconv.Itoa(i)
	}
	e.taken[name], e.names[n] = true, name
	e.queue = append(e.queue, n)
	return name
}

func (e *extract) rewrite(n *node) value.Value {
	if n.merged {
		keyword, nodes := "allOf", n.allOf
		if n.anyOf != nil {
			keyword, nodes = "anyOf", n.anyOf
		}
		parts := make([]value.Value, len(nodes))
		for i, c := range nodes {
			parts[i] = e.rewrite(c)
		}
		return value.Object(value.Member{Key: keyword, Value: value.Array(parts...)})
	}
	if n.raw.Kind() != value.KindObject {
		return n.raw
	}
	members := make([]value.Member, 0, n.raw.Len())
	for key, v := range n.raw.Members() {
		switch key {
		case "$defs", "definitions", "$id", "$anchor", "$dynamicAnchor", "$schema":
			continue
		case "$ref":
			if n.ref != nil {
				v = value.String("#/$defs/" + e.name(n.ref))
			}
		default:
			v = e.keyword(v, child(n.pointer, key))
		}
		members = append(members, value.Member{Key: key, Value: v})
	}
	return value.Object(members...)
}

// keyword rewrites the schemas in a keyword's value: one, a list, or a table of them.
func (e *extract) keyword(v value.Value, pointer string) value.Value {
	if c := e.positions[pointer]; c != nil {
		return e.rewrite(c)
	}
	switch v.Kind() {
	case value.KindArray:
		items := make([]value.Value, v.Len())
		for i, x := range v.Items() {
			items[i] = x
			if c := e.positions[at(pointer, i)]; c != nil {
				items[i] = e.rewrite(c)
			}
		}
		return value.Array(items...)
	case value.KindObject:
		members := make([]value.Member, 0, v.Len())
		for key, x := range v.Members() {
			if c := e.positions[child(pointer, key)]; c != nil {
				x = e.rewrite(c)
			}
			members = append(members, value.Member{Key: key, Value: x})
		}
		return value.Object(members...)
	}
	return v
}
