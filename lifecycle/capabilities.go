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
	Source string `json:"source,omitempty" jsonschema_description:"only those of this source, and so no workflows"`
	Text   string `json:"text,omitempty" jsonschema_description:"only those with this text in their ref, title or description, or in the name of a field that they take or return, in upper or lower case"`
	Limit  int    `json:"limit,omitempty" jsonschema_description:"how many a page has; 50 if it is left out, at most 1000"`
	Cursor string `json:"cursor,omitempty" jsonschema_description:"the next of the page before"`
}

// ShowCapability are the parameters of capabilities.show.
type ShowCapability struct {
	Capability string `json:"capability" jsonschema_description:"which capability: its source, a dot and its name; or a saved workflow, name@version, or its name alone for the latest version"`
}

// CallCapability are the parameters of capabilities.call.
type CallCapability struct {
	Capability string          `json:"capability" jsonschema_description:"which capability: its source, a dot and its name"`
	Input      json.RawMessage `json:"input,omitempty" jsonschema_description:"what it is given; nothing is {}"`
	Full       bool            `json:"full,omitempty" jsonschema_description:"tell all; else an output of more than 4 KiB is left out"`
}

// CapabilityList is a page of capabilities, by their refs; workflows by their names, of each the latest version.
type CapabilityList struct {
	Capabilities []ListedCapability `json:"capabilities"`
	Next         string             `json:"next,omitempty"` // the cursor of the next page; "": this is the last
	Advice       *Advice            `json:"advice,omitempty"`
}

// ListedCapability is a capability in a list.
type ListedCapability struct {
	Capability  string       `json:"capability"`
	Source      string       `json:"source,omitempty"`   // "" of a workflow
	Workflow    bool         `json:"workflow,omitempty"` // it is a saved workflow: a step runs it
	Outcomes    []wf.Outcome `json:"outcomes"`
	Effect      wf.Effect    `json:"effect,omitempty"` // "" of a workflow: it is that of all that it calls
	Title       string       `json:"title,omitempty"`  // of a workflow
	Description string       `json:"description,omitempty"`
}

// ShownCapability is a capability with its contract.
type ShownCapability struct {
	Capability string      `json:"capability"`
	Source     string      `json:"source,omitempty"`
	Workflow   bool        `json:"workflow,omitempty"`
	Title      string      `json:"title,omitempty"`
	Contract   *wf.NodeDef `json:"contract"`
	Hash       string      `json:"hash"` // of what it promises: see [source.ContractHash]
	Advice     *Advice     `json:"advice,omitempty"`
}

// callable is what a step can call, or run.
type callable struct {
	def   *wf.NodeDef
	saved *Saved // of a workflow
}

// place is where it stands in lists: versions of a workflow at one place.
func (c *callable) place() string { return placeOf(c.def.Name) }

func placeOf(ref string) string {
	if name, _, isSaved := strings.Cut(ref, "@"); isSaved {
		return name + "@"
	}
	return ref
}

func (c *callable) listed() ListedCapability {
	l := ListedCapability{Capability: c.def.Name, Outcomes: c.def.Outcomes, Effect: c.def.Effect, Description: c.def.Description}
	if len(l.Outcomes) == 0 {
		l.Outcomes = []wf.Outcome{wf.OK}
	}
	if c.saved != nil {
		l.Workflow, l.Title = true, c.saved.Title
	} else {
		l.Source, _ = source.Of(c.def.Name)
	}
	return l
}

// ShowCapability implements [Capabilities].
func (s *Service) ShowCapability(ctx context.Context, p *ShowCapability) (*ShownCapability, error) {
	c, failure := s.findCapability(ctx, p.Capability, nil)
	if failure != nil {
		return nil, failure
	}
	l, def := c.listed(), *c.def
	shown := &ShownCapability{Capability: l.Capability, Source: l.Source, Workflow: l.Workflow, Title: l.Title, Contract: &def, Hash: source.ContractHash(c.def)}
	if c.saved != nil {
		def.Name = c.saved.Name // a contract's name has no version
		shown.Advice = advise("it is a saved workflow: it can be deployed and run, and be a step of a plan", true, s.draftOf(ctx, "outer_"+c.saved.Name, l.Capability, "begin a draft with a step that runs it"),
			deployArtifact(s.free(ctx, kindDeployment, c.saved.Name), c.saved), showArtifact(l.Capability, "what it needs, and its plan"))
		return shown, nil
	}
	_, name := source.Of(l.Capability)
	shown.Advice = advise("it can be called, and be a step of a plan", true, s.draftOf(ctx, name, l.Capability, "begin a draft with a step that calls it"), callNow(l.Capability, c.def.InputSchema))
	return shown, nil
}

// findCapability finds what a step can call, among some sources (none: all), or run.
func (s *Service) findCapability(ctx context.Context, ref string, sources []string) (*callable, *Error) {
	if def := s.contract(ref); def != nil && s.offers(sources, ref) {
		return &callable{def: def}, nil
	}
	a, failure := s.findWorkflow(ctx, ref)
	if failure != nil {
		return nil, failure
	}
	if a != nil {
		def, failure := a.contract()
		return &callable{def, a}, failure
	}
	message, hint := fmt.Sprintf("no source has the capability %q, and no workflow is saved under that name", clip(ref)), meant(ref, append(s.offered(sources), s.savedNames(ctx)...))
	switch {
	case strings.Contains(ref, "@"):
		message, hint = fmt.Sprintf("there is no saved workflow %q", clip(ref)), s.notSaved(ctx, ref, childStep{}).RepairHint
	case hint == "" && len(s.set.IDs()) > 0:
		ids := s.set.IDs()
		hint = "the sources are " + strings.Join(ids[:min(len(ids), Most)], ", ")
	}
	return nil, failed(NotFound, wf.CodeCapabilityMissing, message, hint).next(action(toInspect, "capabilities.list", ListCapabilities{}, "which capabilities there are", "cap", "list"))
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
