package lifecycle

import (
	"context"
	"fmt"
	"slices"

	"lda.chat/wf/source"
)

// ListSources are the parameters of sources.list.
type ListSources struct{}

// InspectSource are the parameters of sources.inspect.
type InspectSource struct {
	Source string `json:"source" jsonschema_description:"which source"`
	Full   bool   `json:"full,omitempty" jsonschema_description:"tell all; else of the capabilities all but the first 20 are left out"`
}

// SourceList is the sources, by their ids.
type SourceList struct {
	Sources []ListedSource `json:"sources"`
	Advice  *Advice        `json:"advice,omitempty"`
}

// ListedSource is a source in a list.
type ListedSource struct {
	Source       string `json:"source"`
	Platform     bool   `json:"platform,omitempty"` // it is there by itself: nobody binds it
	Capabilities int    `json:"capabilities"`
}

// InspectedSource is what a source has.
type InspectedSource struct {
	ListedSource
	Refs    []string  `json:"refs"` // of its capabilities
	Omitted []Omitted `json:"omitted,omitempty"`
	Advice  *Advice   `json:"advice,omitempty"`
}

// ListSources implements [Sources].
func (s *Service) ListSources(context.Context, *ListSources) (*SourceList, error) {
	list := &SourceList{Sources: []ListedSource{}}
	var actions []NextAction
	for _, id := range s.set.IDs() {
		list.Sources = append(list.Sources, ListedSource{Source: id, Platform: source.IsPlatform(id), Capabilities: len(s.refsOf(id))})
		if len(actions) == 0 {
			actions = append(actions, inspectSource(id))
		}
	}
	list.Advice = advise(plural(len(list.Sources), "source", "sources"), false, actions...)
	return list, nil
}

func inspectSource(id string) NextAction {
	return action(toInspect, "sources.inspect", InspectSource{Source: id}, "what the source has", "source", "inspect", id)
}

// refsOf are the refs of a source's capabilities, sorted.
func (s *Service) refsOf(id string) []string {
	return slices.DeleteFunc(s.set.Refs(), func(ref string) bool {
		of, _ := source.Of(ref)
		return of != id
	})
}

// InspectSource implements [Sources].
func (s *Service) InspectSource(_ context.Context, p *InspectSource) (*InspectedSource, error) {
	if ids := s.set.IDs(); !slices.Contains(ids, p.Source) {
		return nil, unknownSource("source", p.Source, ids)
	}
	refs := s.refsOf(p.Source)
	in := &InspectedSource{ListedSource: ListedSource{Source: p.Source, Platform: source.IsPlatform(p.Source), Capabilities: len(refs)}, Refs: refs}
	if in.Refs == nil {
		in.Refs = []string{}
	}
	if more := len(refs) - Most; more > 0 && !p.Full {
		in.Refs, in.Omitted = refs[:Most], append(in.Omitted, Omitted{Field: "refs", Count: more})
	}
	in.Advice = advise(plural(len(refs), "capability", "capabilities"), false,
		action(toInspect, "capabilities.list", ListCapabilities{Source: p.Source}, "what they are", "cap", "list", "--source", p.Source))
	return in, nil
}

// unknownSource is the error of a source that is not there.
func unknownSource(param, id string, known []string) *Error {
	e := failed(NotFound, codeSourceUnknown, fmt.Sprintf("there is no source %q", clip(id)), meant(id, known))
	e.Diagnostics[0].Doc, e.Diagnostics[0].Path = "params", "/"+param
	return e.next(action(toInspect, "sources.list", ListSources{}, "which sources there are", "source", "list"))
}
