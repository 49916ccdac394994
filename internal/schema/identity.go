package schema

import (
	"net/url"
	"strings"
)

// resource is a part of the document with an address of its own: the document, and every schema with an $id. References
// are relative to it.
type resource struct {
	address *url.URL
	pointer string
	anchors map[string]*node
}

// maxAddress bounds what every reference below an $id starts from.
const maxAddress = 1_000

// identity reads the keywords that name a schema.
func (r *reader) identity() {
	n := r.n
	if n.home == nil {
		n.home = r.resource(n, &url.URL{})
	}
	keyword := "$id"
	if r.dialect == draft4 {
		keyword = "id"
	}
	if n.raw.Get("$ref").IsAbsent() || !r.dialect.refAlone() {
		if id, ok := r.text(keyword); ok {
			r.identify(id, r.place(keyword))
		}
	}
	for _, keyword := range []string{"$anchor", "$dynamicAnchor"} {
		if name, ok := r.text(keyword); ok {
			r.anchor(name, r.place(keyword))
		}
	}
}

func (r *reader) identify(id, pointer string) {
	if r.dialect.refAlone() && strings.HasPrefix(id, "#") {
		r.anchor(id[1:], pointer)
		return
	}
	address, err := url.Parse(id)
	if err != nil {
		r.refuse(pointer, CodeInvalid, "is not a URI reference")
		return
	}
	full := r.n.home.address.ResolveReference(address)
	if n := len(full.String()); n > maxAddress {
		r.stop(pointer, "the address of a schema has %d bytes; at most %d are allowed", n, maxAddress)
		return
	}
	if r.n.pointer != "" {
		r.n.home = r.resource(r.n, full)
		return
	}
	r.n.home.address = withoutFragment(address)
	r.resources[r.n.home.address.String()] = r.n.home
}

func (r *reader) resource(n *node, address *url.URL) *resource {
	h := &resource{address: withoutFragment(address), pointer: n.pointer, anchors: map[string]*node{}}
	key := h.address.String()
	if other := r.resources[key]; other != nil && other.pointer != n.pointer {
		r.refuse(r.place("$id"), CodeInvalid, "is also the address of the schema at %q", cutText(other.pointer, maxAddress))
	}
	r.resources[key] = h
	return h
}

func (r *reader) anchor(name, pointer string) {
	if other := r.n.home.anchors[name]; other != nil && other != r.n {
		r.refuse(pointer, CodeInvalid, "the anchor %q is also at %q", cutText(name, maxAddress), cutText(other.pointer, maxAddress))
	}
	r.n.home.anchors[name] = r.n
}

func withoutFragment(u *url.URL) *url.URL {
	c := *u
	c.Fragment, c.RawFragment = "", ""
	return &c
}
