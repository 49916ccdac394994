package lifecycle

import (
	"context"
	"slices"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/internal/value"
	"lda.chat/wf/source"
)

// ListCapabilities implements [Capabilities].
func (s *Service) ListCapabilities(ctx context.Context, p *ListCapabilities) (*CapabilityList, error) {
	limit, bad := pageLimit(p.Limit)
	if bad != nil {
		return nil, bad
	}
	if ids := s.set.IDs(); p.Source != "" && !slices.Contains(ids, p.Source) {
		return nil, unknownSource("source", p.Source, ids)
	}
	found, failure := s.callables(ctx, p, limit+1)
	if failure != nil {
		return nil, failure
	}
	list := &CapabilityList{Capabilities: []ListedCapability{}}
	for i := range found {
		if i == limit {
			list.Next = found[i-1].def.Name
			break
		}
		list.Capabilities = append(list.Capabilities, found[i].listed())
	}
	list.Advice = list.advice(p)
	return list, nil
}

// callables are the first of those that are asked for, in their order.
func (s *Service) callables(ctx context.Context, p *ListCapabilities, most int) ([]callable, *Error) {
	var found []callable
	text, behind := strings.ToLower(p.Text), placeOf(p.Cursor)
	for _, ref := range s.set.Refs() {
		id, _ := source.Of(ref)
		if c := (callable{def: s.contract(ref)}); len(found) < most && ref > behind && (p.Source == "" || id == p.Source) && c.mentions(text) {
			found = append(found, c)
		}
	}
	if p.Source != "" {
		return found, nil
	}
	if strings.HasSuffix(behind, "@") {
		behind += strings.Repeat("z", mostVersion) // no version comes later
	}
	workflows := 0
	for a, failure := range s.latestWorkflows(ctx, "", behind) {
		if failure != nil {
			return nil, failure
		}
		def, failure := a.contract()
		if failure != nil {
			return nil, failure
		}
		if c := (callable{def, a}); c.mentions(text) {
			found = append(found, c)
			if workflows++; workflows == most {
				break
			}
		}
	}
	slices.SortFunc(found, func(a, b callable) int { return strings.Compare(a.place(), b.place()) })
	return found[:min(len(found), most)], nil
}

// mentions reports whether a text, in lower case, stands in the ref, the title, the description, or a field's name.
func (c *callable) mentions(text string) bool {
	words := []string{c.def.Name, c.def.Description}
	if c.saved != nil {
		words = append(words, c.saved.Title)
	}
	for _, schema := range []wf.Schema{c.def.InputSchema, c.def.OutputSchema} {
		v, _ := value.Parse(schema)
		words = fieldNames(v, words)
	}
	return strings.Contains(strings.ToLower(strings.Join(words, "\n")), text)
}

// fieldNames adds the names of the fields that a schema declares, at any depth.
func fieldNames(schema value.Value, names []string) []string {
	for key, v := range schema.Members() {
		switch key {
		case "const", "default", "enum", "examples":
		case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
			for name, field := range v.Members() {
				if key == "properties" {
					names = append(names, name)
				}
				names = fieldNames(field, names)
			}
		default:
			names = fieldNames(v, names)
		}
	}
	for _, item := range schema.Items() {
		names = fieldNames(item, names)
	}
	return names
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
