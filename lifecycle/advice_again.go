package lifecycle

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/internal/value"
)

// startRun is a call of runs.start; places are those of the input that are to be filled in. The command has its plan
// from a file, which only the caller knows.
func startRun(kind string, p *StartRun, places []string, reason string) NextAction {
	of := []string{"--plan", "PLAN"}
	if p.Deployment != "" {
		of = []string{"--deployment", p.Deployment}
	}
	words := append([]string{"run", "start"}, of...)
	if string(p.Input) == "{}" && len(places) == 0 {
		p.Input = nil
	}
	if p.Input != nil {
		words = append(words, "--input", string(p.Input))
	}
	for _, name := range sortedKeys(p.Labels) {
		words = append(words, "--label", name+"="+p.Labels[name])
	}
	if p.Queued {
		words = append(words, "--queued")
	}
	if p.StepByStep {
		words = append(words, "--step-by-step")
	}
	p.View = View{}
	n := action(kind, "runs.start", p, reason, words...).filling("/input", places...)
	if p.Deployment == "" {
		n = n.filling("/plan", "")
	}
	return n
}

// corrected is the call that starts a run again whose input was refused: what is wrong with it is to be filled in.
func corrected(p *StartRun, w *wf.Workflow, defaults []byte, found wf.Diagnostics) NextAction {
	again := *p
	again.RunID, again.Wait = "", true
	var places []string
	if again.Input, places = mended(beside(w.InputSchema, defaults), given(w, p.Input)); len(places) == 0 { // what is wrong cannot be told by its place
		places = []string{""}
	}
	at := ""
	if len(found) > 0 && found[0].Path != "" {
		at = " at " + found[0].Path
	}
	return startRun(toRepair, &again, places, "start it with the input corrected"+at)
}

// elsewhere is the call that starts a run whose id is taken under one that is made for it.
func elsewhere(p *StartRun, w *wf.Workflow, defaults []byte) NextAction {
	again := *p
	again.RunID, again.Wait = "", true
	var places []string
	again.Input, places = mended(beside(w.InputSchema, defaults), given(w, p.Input))
	return startRun(toContinue, &again, places, "start it under an id that is made for it")
}

// given is the input of a run as it may be told: without the secrets in it.
func given(w *wf.Workflow, input []byte) value.Value {
	in, err := value.Parse(orObject(input))
	if err != nil || in.Kind() != value.KindObject {
		return value.Object()
	}
	var secrets []string
	for _, s := range []wf.Schema{w.InputSchema, w.StateSchema} {
		doc, _ := value.Parse(s)
		for name, p := range doc.Get("properties").Members() {
			v := in.Get(name)
			if isSecret, _ := p.Get("x-secret").AsBool(); !isSecret || v.IsAbsent() {
				continue
			}
			if text, ok := v.AsString(); ok && text != "" {
				secrets = append(secrets, text)
			}
			in = in.With(name, value.String(masked))
		}
	}
	return without(in, secrets)
}

// without masks the texts of a value that secrets are in.
func without(v value.Value, secrets []string) value.Value {
	switch v.Kind() {
	case value.KindString:
		text, _ := v.AsString()
		if slices.ContainsFunc(secrets, func(s string) bool { return strings.Contains(text, s) }) {
			return value.String(masked)
		}
	case value.KindArray:
		items := make([]value.Value, 0, v.Len())
		for _, x := range v.Items() {
			items = append(items, without(x, secrets))
		}
		return value.Array(items...)
	case value.KindObject:
		for name, x := range v.Members() {
			v = v.With(name, without(x, secrets))
		}
	}
	return v
}

// beside is the schema of an input of which a deployment gives a part.
func beside(s wf.Schema, defaults []byte) wf.Schema {
	doc, err := value.Parse(s)
	given, _ := value.Parse(defaults)
	if err != nil || given.Len() == 0 || doc.Kind() != value.KindObject {
		return s
	}
	var required []value.Value
	for _, name := range doc.Get("required").Items() {
		if key, _ := name.AsString(); given.Get(key).IsAbsent() {
			required = append(required, name)
		}
	}
	return wf.Schema(doc.With("required", value.Array(required...)).JSON())
}

// again are the calls that start a run again that has failed or was cancelled, or go on from there, as far as nothing happens twice then
// that must not; warnings say what would.
func (s *Service) again(ctx context.Context, h *wf.RunHandle, r *Run) (actions []NextAction, warnings []string) {
	text, err := s.store.Plan(ctx, r.Digest)
	if err != nil {
		return nil, nil
	}
	w, _ := wf.ParseWorkflow(text)
	if w == nil {
		return nil, nil
	}
	harm, err := s.repeated(h, r, w)
	if err != nil {
		return nil, nil
	}
	led := placesOfInput(r, w)
	if len(harm.begun) == 0 {
		actions = s.startAgain(ctx, r, w, led)
	}
	if e := r.Error; len(led) == 0 && e != nil && len(harm.forked) == 0 { // else the same would come of it again, or what must not happen twice
		actions = append(actions, action(toContinue, "runs.fork", ForkRun{RunID: r.RunID, Wait: true}, "go on from where it stopped, as a run of its own", "run", "fork", r.RunID))
	}
	return actions, harm.warning()
}

// startAgain is the call that starts a run with the input of another one, in which what led to its failure is to be corrected. A plan that
// is large is left to whoever has it.
func (s *Service) startAgain(ctx context.Context, r *Run, w *wf.Workflow, led []string) []NextAction {
	input, err := value.Parse(r.Input)
	if err != nil || len(r.Input) > Bound {
		return nil
	}
	p := &StartRun{Input: r.Input, Wait: true}
	if r.Deployment != "" {
		saved, failure := s.loadDeployment(ctx, r.Deployment)
		if failure != nil {
			return nil
		}
		d, err := s.ready(ctx, saved)
		if err != nil {
			return nil
		}
		if d.found.HasErrors() || !d.Enabled {
			return []NextAction{showDeployment(d.id, "why no more runs of its deployment can be started")}
		}
		p.Deployment, w = d.id, d.plan
	} else if p.Plan = w.Short(); len(p.Plan) > Bound {
		return nil
	}
	var places []string
	p.Input, places = mended(w.InputSchema, input)
	reason := "start it again, with the same input"
	if len(led) > 0 {
		reason = "start it again with another input: the failure comes from " + strings.Join(led, ", ")
		for _, at := range led {
			if !slices.Contains(places, at) {
				places = append(places, at)
			}
		}
	}
	return []NextAction{startRun(toContinue, p, places, reason)}
}

// placesOfInput are the places of a run's input that its failure comes from, by the violations that it lists and what the step that
// failed is bound to.
func placesOfInput(r *Run, w *wf.Workflow) (places []string) {
	if r.Error == nil {
		return nil
	}
	violations := violationsOf(r.Error)
	if r.Error.Step == "" && r.Error.Code == wf.CodeInputInvalid {
		for _, v := range violations {
			places = append(places, v.Path)
		}
		return places
	}
	place, ok := FindStep(w, r.Error.Frame, r.Error.Step)
	if !ok || place.Scope != "/" {
		return nil
	}
	for _, v := range violations {
		name := memberOf(v.Path)
		for _, b := range bindingsOf(place.Step) {
			of := b.Operand.Path
			if of == nil || of.Root != wf.RootInput || len(of.Parts) == 0 || len(b.Target.Parts) > 0 && name != "" && b.Target.Parts[0].Name != name {
				continue
			}
			at := ""
			for _, part := range of.Parts {
				if part.IsIndex {
					at += fmt.Sprintf("/%d", part.Index)
				} else {
					at += "/" + escape(part.Name)
				}
			}
			if !slices.Contains(places, at) {
				places = append(places, at)
			}
		}
	}
	return places
}

// bindingsOf are the bindings of a step's input.
func bindingsOf(s wf.Step) []wf.InputBinding {
	switch s := s.(type) {
	case *wf.NodeStep:
		return s.Input
	case *wf.SubgraphStep:
		return s.Input
	}
	return nil
}
