package lifecycle

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
	"lda.chat/wf/lifecycle/gate"
	"lda.chat/wf/source"
)

// readied is a revision of a deployment with what its runs are of.
type readied struct {
	*deployment
	artifact *Saved
	plan     *wf.Workflow // with the saved workflows that it runs
	bound    *wf.Workflow // what runs are of; nil if there are errors
	found    wf.Diagnostics
}

// ready finds out what keeps a deployment from running, and makes the plan that its runs are of. As the sources of a service do not
// change, that is done once for each revision.
func (s *Service) ready(ctx context.Context, d *deployment) (*readied, error) {
	if r, ok := s.readied.get(d.doc()); ok {
		return r, nil
	}
	r := &readied{deployment: d}
	var failure *Error
	if r.artifact, failure = s.loadArtifact(ctx, "artifact", d.Artifact); failure != nil {
		return nil, failure
	}
	var err error
	if r.plan, err = s.linkedPlan(ctx, r.artifact); err != nil {
		return nil, err
	}
	required := make([]gate.Required, len(r.artifact.Requires))
	for i, need := range r.artifact.Requires {
		required[i] = need.Required
	}
	r.found = append(gate.Check(d.gated(), required, s.set.Offers()), r.defaults()...)
	if !r.found.HasErrors() {
		r.bind(s)
	}
	r.found.Sort()
	s.readied.put(d.doc(), r)
	return r, nil
}

// defaults checks those members of the input that the deployment gives. What is missing is for the runs to give.
func (r *readied) defaults() (found wf.Diagnostics) {
	given, err := value.Parse(r.Defaults)
	parsed, problems := schema.Parse(r.plan.InputSchema, nil)
	if len(r.plan.InputSchema) == 0 || err != nil || len(problems) > 0 {
		return nil
	}
	for _, v := range parsed.Check(given) {
		if v.Pointer != "" && !given.Get(memberOf(v.Pointer)).IsAbsent() {
			found = append(found, wf.Diagnostic{Severity: wf.SeverityError, Code: wf.CodeInputInvalid, Doc: r.doc(), Path: "/defaults" + v.Pointer,
				Message: "the default " + v.String(), RepairHint: "give a default that fits the input schema of the plan, or none"})
		}
	}
	return found
}

// bind makes the plan that runs are of.
func (r *readied) bind(s *Service) {
	bound, err := r.Bindings.Bound(r.plan, func(ref string) *wf.NodeDef {
		i := slices.IndexFunc(r.artifact.Requires, func(need Requirement) bool { return need.Ref == ref })
		if i < 0 || r.artifact.Requires[i].Saved == nil {
			return nil
		}
		to, _ := r.Bindings.Resolve(ref)
		return held(&r.artifact.Requires[i].Required, s.contract(to))
	})
	if err != nil {
		r.found = append(r.found, wf.Diagnostic{Severity: wf.SeverityError, Code: codeBindingsClash, Doc: r.doc(), Path: "/bindings", Message: err.Error()})
		return
	}
	for _, d := range s.rt.Check(bound) {
		if d.Severity == wf.SeverityError {
			d.Doc, d.Fixes = "artifact:"+r.artifact.key(), nil
			r.found = append(r.found, d)
		}
	}
	if !r.found.HasErrors() {
		r.bound = bound
	}
}

// held is the contract that runs are held to: the saved one, with those of the live one's outcomes that every step leads somewhere.
func held(need *gate.Required, live *wf.NodeDef) *wf.NodeDef {
	def := *need.Saved
	if live == nil {
		return &def
	}
	if len(def.Outcomes) == 0 {
		def.Outcomes = []wf.Outcome{wf.OK}
	}
	def.Outcomes = slices.Clone(def.Outcomes)
	for _, o := range live.Outcomes {
		if slices.Contains(need.Wired, o) && !slices.Contains(def.Outcomes, o) {
			def.Outcomes = append(def.Outcomes, o)
		}
	}
	return &def
}

// input is that of a run: what is given, with the defaults for what is not.
func (r *readied) input(given []byte) ([]byte, *Error) {
	in, err := value.Parse(orObject(given))
	if err != nil || in.Kind() != value.KindObject {
		return orObject(given), nil // the run refuses it, in its own words
	}
	defaults, err := value.Parse(r.Defaults)
	if err != nil {
		return nil, damaged(kindDeployment, r.id, fmt.Errorf("its defaults: %w", err))
	}
	for name, v := range defaults.Members() {
		if in.Get(name).IsAbsent() {
			in = in.With(name, v)
		}
	}
	return in.JSON(), nil
}

// pinned lists the contracts that a bound plan holds runs to, with their hashes.
func pinned(w *wf.Workflow) []gate.Required {
	return gate.Require(w, func(ref string) *wf.NodeDef {
		i := slices.IndexFunc(w.NodeDefs, func(def *wf.NodeDef) bool { return def.Name == ref })
		if i < 0 {
			return nil
		}
		return w.NodeDefs[i]
	})
}

// itself binds the sources that a bound plan names to themselves.
func itself(required []gate.Required) (b source.Bindings) {
	var uses []source.Use
	for _, r := range required {
		uses = append(uses, r.Use)
	}
	for _, id := range source.LogicalSources(uses) {
		b = append(b, source.Binding{Logical: id, Source: id})
	}
	return b
}

// memberOf is the first name of a JSON Pointer.
func memberOf(pointer string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
}
