package lifecycle

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/source"
)

// ListCapabilities are the parameters of capabilities.list.
type ListCapabilities struct {
	Source string `json:"source,omitempty" jsonschema_description:"only those of this source"`
	Text   string `json:"text,omitempty" jsonschema_description:"only those with this text in their name or description, in upper or lower case"`
	Limit  int    `json:"limit,omitempty" jsonschema_description:"how many a page has; 50 if it is left out, at most 1000"`
	Cursor string `json:"cursor,omitempty" jsonschema_description:"the next of the page before"`
}

// ShowCapability are the parameters of capabilities.show.
type ShowCapability struct {
	Capability string `json:"capability" jsonschema_description:"which capability: its source, a dot and its name"`
}

// CapabilityList is a page of capabilities, by their refs.
type CapabilityList struct {
	Capabilities []ListedCapability `json:"capabilities"`
	Next         string             `json:"next,omitempty"` // the cursor of the next page; "": this is the last
	Advice       *Advice            `json:"advice,omitempty"`
}

// ListedCapability is a capability in a list.
type ListedCapability struct {
	Capability  string       `json:"capability"`
	Source      string       `json:"source"`
	Outcomes    []wf.Outcome `json:"outcomes"`
	Effect      wf.Effect    `json:"effect,omitempty"`
	Description string       `json:"description,omitempty"`
}

// ShownCapability is a capability with its contract.
type ShownCapability struct {
	Capability string      `json:"capability"`
	Source     string      `json:"source"`
	Contract   *wf.NodeDef `json:"contract"`
	Hash       string      `json:"hash"` // of what it promises: see [source.ContractHash]
	Advice     *Advice     `json:"advice,omitempty"`
}

// ListCapabilities implements [Capabilities].
func (s *Service) ListCapabilities(_ context.Context, p *ListCapabilities) (*CapabilityList, error) {
	limit, bad := pageLimit(p.Limit)
	if bad != nil {
		return nil, bad
	}
	if ids := s.set.IDs(); p.Source != "" && !slices.Contains(ids, p.Source) {
		return nil, unknownSource("source", p.Source, ids)
	}
	list := &CapabilityList{Capabilities: []ListedCapability{}}
	for _, ref := range s.set.Refs() {
		id, _ := source.Of(ref)
		def := s.contract(ref)
		if ref <= p.Cursor || p.Source != "" && id != p.Source || !mentions(def, p.Text) {
			continue
		}
		if len(list.Capabilities) == limit {
			list.Next = list.Capabilities[limit-1].Capability
			break
		}
		outcomes := def.Outcomes
		if len(outcomes) == 0 {
			outcomes = []wf.Outcome{wf.OK}
		}
		list.Capabilities = append(list.Capabilities, ListedCapability{Capability: ref, Source: id, Outcomes: outcomes, Effect: def.Effect, Description: def.Description})
	}
	list.Advice = list.advice(p)
	return list, nil
}

// mentions reports whether a capability's name or description has a text in it.
func mentions(def *wf.NodeDef, text string) bool {
	return strings.Contains(strings.ToLower(def.Name+"\n"+def.Description), strings.ToLower(text))
}

func (l *CapabilityList) advice(p *ListCapabilities) *Advice {
	var actions []NextAction
	if len(l.Capabilities) > 0 {
		actions = append(actions, showCapability(l.Capabilities[0].Capability))
	}
	if l.Next != "" {
		more := *p
		more.Cursor = l.Next
		words := []string{"cap", "list"}
		if p.Source != "" {
			words = append(words, "--source", p.Source)
		}
		actions = append(actions, action(toInspect, "capabilities.list", more, "the next page", pageWords(words, "--text", p.Text, p.Limit, l.Next)...))
	}
	if len(l.Capabilities) == 0 {
		return advise("no capability is as it was asked for", false, action(toInspect, "sources.list", ListSources{}, "which sources there are", "source", "list"))
	}
	return advise(plural(len(l.Capabilities), "capability", "capabilities"), true, actions...)
}

func showCapability(ref string) NextAction {
	return action(toInspect, "capabilities.show", ShowCapability{Capability: ref}, "what it takes and gives", "cap", "show", ref)
}

// ShowCapability implements [Capabilities].
func (s *Service) ShowCapability(ctx context.Context, p *ShowCapability) (*ShownCapability, error) {
	def, failure := s.findCapability(p.Capability, nil)
	if failure != nil {
		return nil, failure
	}
	id, _ := source.Of(p.Capability)
	return &ShownCapability{Capability: p.Capability, Source: id, Contract: def, Hash: source.ContractHash(def),
		Advice: advise("it can be called, and be a step of a plan", true, s.draftOf(ctx, p.Capability), callNow(p.Capability, def.InputSchema))}, nil
}

// findCapability finds a contract among those of some sources, none: all.
func (s *Service) findCapability(ref string, sources []string) (*wf.NodeDef, *Error) {
	if def := s.contract(ref); def != nil && s.offers(sources, ref) {
		return def, nil
	}
	hint := meant(ref, s.offered(sources))
	return nil, failed(NotFound, wf.CodeCapabilityMissing, fmt.Sprintf("no source has the capability %q", clip(ref)), hint).
		next(action(toInspect, "capabilities.list", ListCapabilities{}, "which capabilities there are", "cap", "list"))
}

// offered are the refs of what some sources have, none: all.
func (s *Service) offered(sources []string) []string {
	return slices.DeleteFunc(s.set.Refs(), func(ref string) bool { return !s.offers(sources, ref) })
}

// offers reports whether a capability is of one of some sources, or of the platform; no sources are all.
func (s *Service) offers(sources []string, ref string) bool {
	id, _ := source.Of(ref)
	return len(sources) == 0 || source.IsPlatform(id) || slices.Contains(sources, id)
}

// CallCapability are the parameters of capabilities.call.
type CallCapability struct {
	Capability string          `json:"capability" jsonschema_description:"which capability: its source, a dot and its name"`
	Input      json.RawMessage `json:"input,omitempty" jsonschema_description:"what it is given; nothing is {}"`
	Full       bool            `json:"full,omitempty" jsonschema_description:"tell all; else an output of more than 4 KiB is left out"`
}
