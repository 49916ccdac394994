package schema

import (
	"net/url"
	"strings"
)

// link resolves every reference, inside the document only.
func (g *gate) link() {
	for _, n := range g.order {
		if n.refText == "" && n.raw.Get("$ref").IsAbsent() || n.truth != ordinary {
			continue
		}
		g.resolve(n)
	}
}

func (g *gate) resolve(n *node) {
	pointer := child(n.pointer, "$ref")
	ref, err := url.Parse(n.refText)
	if err != nil {
		g.refuse(pointer, CodeInvalid, "%q is not a URI reference", cutText(n.refText, maxAddress))
		return
	}
	home, fragment := n.home, ref.Fragment
	if target := withoutFragment(ref); target.String() != "" {
		address := home.address.ResolveReference(target).String()
		if home = g.resources[address]; home == nil {
			g.refuse(pointer, CodeRefRemote, "%q is in another document, and no document is ever fetched; put the schema under $defs and refer to it as \"#/$defs/name\"", cutText(n.refText, maxAddress))
			return
		}
	}
	switch {
	case fragment == "":
		n.ref = g.nodes[home.pointer]
	case strings.HasPrefix(fragment, "/"):
		n.ref = g.nodes[home.pointer+normalised(fragment)]
	default:
		n.ref = home.anchors[fragment]
	}
	if n.ref == nil {
		g.refuse(pointer, CodeRefMissing, "%q is not a schema in this document", cutText(n.refText, maxAddress))
	}
}

// normalised writes a JSON Pointer the one way we write them.
func normalised(pointer string) string {
	if !strings.Contains(pointer, "~") {
		return pointer
	}
	tokens := strings.Split(pointer[1:], "/")
	for i, t := range tokens {
		tokens[i] = strings.ReplaceAll(strings.ReplaceAll(t, "~1", "/"), "~0", "~")
	}
	return child("", tokens...)
}
