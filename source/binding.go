package source

import (
	"slices"

	"lda.chat/wf"
)

// Binding says which source stands for a logical one, that a plan names.
type Binding struct {
	Logical string `json:"logical"`
	Source  string `json:"source"`
}

// Bindings are those of a deployment. Where a logical source stands twice, which is a mistake, the first counts.
type Bindings []Binding

// Resolve gives the ref of the capability that stands for one of a plan; bound is false if nothing binds its source. Those of the
// platform stand for themselves.
func (b Bindings) Resolve(ref string) (concrete string, bound bool) {
	id, name := Of(ref)
	if IsPlatform(id) {
		return ref, true
	}
	i := slices.IndexFunc(b, func(b Binding) bool { return b.Logical == id })
	if i < 0 {
		return "", false
	}
	return b[i].Source + "." + name, true
}

// Offer is what a source has at hand, as far as checking needs it.
type Offer struct {
	ID        string        `json:"id"`
	Disabled  bool          `json:"disabled,omitempty"` // it is configured, and must not be used
	Failed    string        `json:"failed,omitempty"`   // why its inventory cannot be known now; "" if it is
	Contracts []*wf.NodeDef `json:"contracts"`          // named under the source's id
}

// Contract finds the contract of a capability by its ref, nil if the source does not have it.
func (o *Offer) Contract(ref string) *wf.NodeDef {
	if i := slices.IndexFunc(o.Contracts, func(def *wf.NodeDef) bool { return def.Name == ref }); i >= 0 {
		return o.Contracts[i]
	}
	return nil
}

// Offers is what the sources have, in the order of their ids.
func (s *Set) Offers() []Offer {
	offers := make([]Offer, len(s.ids))
	for i, id := range s.ids {
		offers[i].ID = id
		for _, ref := range s.Refs() {
			if of, _ := Of(ref); of == id {
				offers[i].Contracts = append(offers[i].Contracts, s.nodes[ref].Contract())
			}
		}
	}
	return offers
}
