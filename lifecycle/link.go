package lifecycle

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/internal/suggest"
	"lda.chat/wf/internal/value"
)

// Pin is a saved workflow that another one runs, as it was when that one was saved.
type Pin struct {
	Artifact string `json:"artifact"` // name@version
	Digest   string `json:"digest"`
}

// linked is a plan's text with copies of the saved workflows that its steps run, each under its name and version.
type linked struct {
	text     []byte
	children []Pin          // sorted
	found    wf.Diagnostics // of children that are not there
}

// link puts copies of saved workflows into a plan. A text that is no plan stays as it is: whoever reads it says so.
func (s *Service) link(ctx context.Context, text []byte) (*linked, error) {
	l := &linked{text: text}
	doc, err := value.ParseDocument(text)
	if err != nil || doc.Root.Kind() != value.KindObject {
		return l, nil
	}
	copies := doc.Root.Get("workflows")
	if copies.Kind() != value.KindObject {
		copies = value.Object()
	}
	steps := map[string][]childStep{}
	subgraphs(doc.Root, "", steps)
	for _, ref := range slices.Sorted(maps.Keys(steps)) {
		if !copies.Get(ref).IsAbsent() {
			continue // the plan brings it along
		}
		child, failure := s.loadArtifact(ctx, "artifact", ref)
		if failure != nil {
			if failure.Kind != NotFound && failure.Kind != BadRequest {
				return nil, failure
			}
			for _, at := range steps[ref] {
				l.found = append(l.found, s.notSaved(ctx, ref, at))
			}
			continue
		}
		plan, err := s.link(ctx, child.Plan)
		if err != nil {
			return nil, err
		}
		if len(plan.found) > 0 {
			return nil, damaged(kindArtifact, ref, fmt.Errorf("%s", plan.found[0].Message))
		}
		copied, err := value.Parse(plan.text)
		if err != nil {
			return nil, damaged(kindArtifact, ref, err)
		}
		copies = copies.With(ref, copied)
		l.children = append(l.children, Pin{Artifact: ref, Digest: child.Digest})
	}
	if len(l.children) > 0 {
		l.text = doc.Root.With("workflows", copies).JSON()
	}
	return l, nil
}

// childStep is a step that runs a saved workflow.
type childStep struct{ at, id string }

// subgraphs finds the steps that run saved workflows, by what they run.
func subgraphs(plan value.Value, at string, found map[string][]childStep) {
	for i, step := range plan.Get("nodes").Items() {
		if ref, ok := step.Get("workflow").AsString(); ok && strings.Contains(ref, "@") {
			id, _ := step.Get("id").AsString()
			found[ref] = append(found[ref], childStep{at + "/nodes/" + strconv.Itoa(i) + "/workflow", id})
		}
	}
	for name, nested := range plan.Get("workflows").Members() {
		subgraphs(nested, at+"/workflows/"+escape(name), found)
	}
}

// notSaved is the finding of a step that runs a workflow which nobody has saved. It expects the versions that there are, or what may have
// been meant.
func (s *Service) notSaved(ctx context.Context, ref string, step childStep) wf.Diagnostic {
	d := wf.Diagnostic{Severity: wf.SeverityError, Code: codeArtifactNotFound, Path: step.at, Step: step.id, Message: fmt.Sprintf("there is no artifact %q", clip(ref)),
		RepairHint: "save it first, or name one that is there: artifacts.list tells which"}
	name, _, _ := strings.Cut(ref, "@")
	if page, err := s.store.ScanRecords(ctx, kindArtifact, "", "", 1000); err == nil {
		var names, versions []string
		for _, r := range page.Records {
			names = append(names, r.Key)
			if strings.HasPrefix(r.Key, name+"@") {
				versions = append(versions, r.Key)
			}
		}
		if len(versions) > 0 {
			d.RepairHint = "there are " + strings.Join(versions[:min(len(versions), Most)], ", ")
		} else if near, ok := suggest.Nearest(ref, names); ok {
			d.RepairHint = fmt.Sprintf("did you mean %q?", near)
			versions = []string{near}
		}
		if len(versions) > 0 {
			d.Expected, _ = json.Marshal(versions[:min(len(versions), Most)])
		}
	}
	return d
}

// unlinked is a plan without the copies that link has put into it.
func unlinked(w *wf.Workflow, children []Pin) *wf.Workflow {
	if len(children) == 0 {
		return w
	}
	own := *w
	own.Workflows = maps.Clone(w.Workflows)
	for _, c := range children {
		delete(own.Workflows, c.Artifact)
	}
	return &own
}

// checked is a plan with all that is found in it.
type checked struct {
	workflow *wf.Workflow // with the saved workflows that it runs; nil if the text cannot be read
	children []Pin
	found    wf.Diagnostics
}

// check reads a plan and checks it as it would run here. sources are those that it may call, none: all.
func (s *Service) check(ctx context.Context, text []byte, sources []string) (*checked, error) {
	l, err := s.link(ctx, text)
	if err != nil {
		return nil, err
	}
	c := &checked{children: l.children}
	if len(sources) > 0 {
		c.workflow, c.found = wf.CheckText(l.text, s.within(sources))
	}
	if !c.found.HasErrors() {
		c.workflow, c.found = s.rt.CheckText(l.text)
	}
	c.found = slices.DeleteFunc(c.found, func(d wf.Diagnostic) bool {
		return (d.Code == wf.CodeWorkflowUnavailable || d.Code == "workflow_unknown") && slices.ContainsFunc(l.found, func(x wf.Diagnostic) bool { return x.Path == d.Path })
	})
	s.suggestSaved(ctx, l.text, c.found)
	c.found = append(c.ofChildren(), l.found...)
	c.found.Sort()
	return c, nil
}

// ofChildren names the artifacts that findings are in. Of what is no error in them was told when they were saved.
func (c *checked) ofChildren() (own wf.Diagnostics) {
	for _, d := range c.found {
		i := slices.IndexFunc(c.children, func(p Pin) bool { return strings.HasPrefix(d.Path, "/workflows/"+escape(p.Artifact)+"/") })
		if i >= 0 {
			if d.Severity != wf.SeverityError {
				continue
			}
			d.Doc, d.Path = "artifact:"+c.children[i].Artifact, strings.TrimPrefix(d.Path, "/workflows/"+escape(c.children[i].Artifact))
			d.Fixes = nil
		}
		own = append(own, d)
	}
	return own
}

// within is what there is to call of some sources.
func (s *Service) within(sources []string) *wf.ValidateOptions {
	may := func(ref string) bool { return s.offers(sources, ref) }
	return &wf.ValidateOptions{
		Nodes: func(ref string) (*wf.NodeDef, bool) {
			fn, ok := s.set.Node(ref)
			if !ok || !may(ref) {
				return nil, false
			}
			return fn.Contract(), true
		},
		KnownRefs: func() []string {
			return slices.DeleteFunc(s.set.Refs(), func(ref string) bool { return !may(ref) })
		},
		Reducers: func(name string) (wf.ReducerSpec, bool) {
			spec, ok := s.reducers[name]
			return spec, ok
		},
	}
}
