package cli

import (
	"context"
	"slices"
	"strconv"

	"lda.chat/wf"
	"lda.chat/wf/internal/jsonpatch"
	"lda.chat/wf/internal/value"
)

// planFile is a plan that was read from a file.
type planFile struct {
	arg      string // as it was named on the command line
	name     string // for people
	text     []byte
	workflow *wf.Workflow // nil: it cannot be read
	diags    wf.Diagnostics
	doc      *value.Document // the text, for places; nil: it is no JSON
}

// readPlan reads a plan. What is wrong with the plan itself is in its diags; the error is about the file.
func (a *app) readPlan(ctx context.Context, name string) (*planFile, error) {
	text, err := a.read(ctx, name, "the plan")
	if err != nil {
		return nil, err
	}
	return parsePlan(name, text), nil
}

func parsePlan(name string, text []byte) *planFile {
	p := &planFile{arg: name, name: displayName(name), text: text}
	p.workflow, p.diags = wf.ParseWorkflow(text)
	if doc, err := value.ParseDocument(text); err == nil {
		p.doc = doc
	}
	for i := range p.diags {
		p.locate(&p.diags[i])
	}
	return p
}

// locate names the file in a finding whose place is one of the text, and gives it its line and column. A place that the text
// does not have, as that of a member that is missing, becomes the one around it.
func (p *planFile) locate(d *wf.Diagnostic) {
	d.Doc = p.name
	if p.doc == nil {
		return
	}
	d.Path = p.within(d.Path)
	for i := range d.Related {
		d.Related[i].Doc, d.Related[i].Path = p.name, p.within(d.Related[i].Path)
	}
	if d.Line == 0 && d.Path != "" {
		d.Line, d.Column, _ = p.doc.Position(d.Path)
	}
}

// within gives the innermost place of the text around a place.
func (p *planFile) within(pointer string) string {
	tokens, err := jsonpatch.ParsePointer(pointer)
	if err != nil {
		return ""
	}
	return spot{Value: p.doc.Root}.plain(tokens).at.String()
}

// examine finds all that is wrong with the plan, in reading it and beyond.
func (p *planFile) examine(rt *wf.Runtime) {
	var found wf.Diagnostics
	p.workflow, found = rt.CheckText(p.text)
	p.diags = nil
	p.check(found)
}

// check adds findings: those of the validator, which are about the canonical form, and those of reading, which have a line.
func (p *planFile) check(found wf.Diagnostics) {
	var r *rebaser
	for i := range found {
		d := &found[i]
		if d.Line == 0 && p.doc != nil && p.workflow != nil {
			if r == nil {
				r = p.rebaser()
			}
			r.finding(d)
		}
		p.locate(d)
	}
	p.diags = append(p.diags[:len(p.diags):len(p.diags)], found...)
	p.diags.Sort()
}

// repair is what to do about a plan with errors: apply the safe fixes, look up what the first error means, then check again.
func (p *planFile) repair(config string) []nextAction {
	next := append(p.fixNext(config), explainNext(p.diags)...)
	return append(next, nextAction{
		CLI: "wf plan validate " + quoted(p.arg) + configWords(config), Kind: "repair",
		Params: map[string]any{"plan": p.arg}, Reason: "check again when the findings are repaired",
	})
}

// fixNext advises to apply the safe fixes, if there are some.
func (p *planFile) fixNext(config string) []nextAction {
	n := 0
	for _, d := range p.diags {
		if slices.ContainsFunc(d.Fixes, func(f wf.Fix) bool { return f.Applicability == wf.FixSafe }) {
			n++
		}
	}
	switch n {
	case 0:
		return nil
	case 1:
		return []nextAction{fixNext(p.arg, config, "1 finding has a safe fix")}
	}
	return []nextAction{fixNext(p.arg, config, strconv.Itoa(n)+" findings have safe fixes")}
}

// explainNext advises to look up the first error. A failure may have a code of its function's own, which nobody explains.
func explainNext(diags wf.Diagnostics) []nextAction {
	for _, d := range diags {
		if _, known := lookup(string(d.Code)); known && d.Severity == wf.SeverityError {
			return []nextAction{{
				Method: "codes.explain", CLI: "wf explain " + string(d.Code), Kind: "inspect",
				Params: map[string]any{"code": d.Code}, Reason: "what the code means, with an example that has the problem and one that has not",
			}}
		}
	}
	return nil
}

func configWords(config string) string {
	if config == "" {
		return ""
	}
	return " --config " + quoted(config)
}
