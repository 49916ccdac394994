// Package preview tells what a plan may do before anybody lets it: which sources it calls and how often, what cannot be undone, whom it
// asks, how long it waits, and which secrets it is given.
package preview

import (
	"cmp"
	"maps"
	"slices"

	"lda.chat/wf"
	"lda.chat/wf/source"
)

// Options say what surrounds a plan. A nil *Options and the zero value are valid. The functions must be pure while a preview is made.
type Options struct {
	// Nodes finds the contracts of capabilities that the plan does not bring along; nil means there are none.
	Nodes func(ref string) (*wf.NodeDef, bool)
	// Workflows finds saved workflows by artifact@version; nil means there are none.
	Workflows func(name string) (*wf.Workflow, bool)
}

// Preview is what a plan may do. It is about runs that come to an end without a failure that nothing catches; a failed one may have done
// less. Calls that are made again after a crash, or because somebody decided so, are not counted. Each list is in the order of the plan,
// the workflows inside it after it; sources and capabilities are in the order of their names.
type Preview struct {
	Workflow     string        `json:"workflow"`
	MaxSteps     int64         `json:"max_steps"`    // the run stops after so many in any case
	Sources      []Source      `json:"sources"`      // that are called
	Irreversible []Call        `json:"irreversible"` // steps that call what must not happen twice (effect "once")
	Interrupts   []Interrupt   `json:"interrupts"`
	Waits        []Wait        `json:"waits"`
	Secrets      []Secret      `json:"secrets"`
	Unknown      []UnknownCall `json:"unknown,omitempty"` // nothing is known of what these do
}

// Count is how often something happens in a run.
type Count struct {
	AtLeast int64    `json:"at_least"`
	AtMost  *int64   `json:"at_most"`        // null: nothing in the plan bounds it
	Open    []string `json:"open,omitempty"` // what does not bound it, in words
}

// Source is a logical source that is called.
type Source struct {
	ID           string       `json:"id"`
	Calls        Count        `json:"calls"`
	Capabilities []Capability `json:"capabilities"`
}

// Capability is one that is called.
type Capability struct {
	Ref    string    `json:"ref"`
	Effect wf.Effect `json:"effect,omitempty"` // "" if nobody says
	Calls  Count     `json:"calls"`            // attempts of retries included
}

// Place is a step.
type Place struct {
	Workflow string `json:"workflow,omitempty"` // the workflow inside the plan, or the saved one, that it stands in
	Step     string `json:"step"`
	Path     string `json:"path"` // JSON Pointer into the plan's canonical form, or that of the saved workflow
}

// Call is a step that calls a capability.
type Call struct {
	Place
	Ref   string `json:"ref"`
	Times Count  `json:"times"` // without attempts of retries, which are made only if nothing has happened
}

// Interrupt is a step that asks somebody.
type Interrupt struct {
	Place
	Kind           string       `json:"kind"`
	Outcomes       []wf.Outcome `json:"outcomes"`
	TimeoutSeconds float64      `json:"timeout_seconds,omitempty"` // 0: it waits for as long as it takes
	Times          Count        `json:"times"`
}

// Wait is a step that lets time pass.
type Wait struct {
	Place
	For   string `json:"for"` // "5 s", or where the time comes from
	Times Count  `json:"times"`
}

// Secret is a value that people are not shown, or a credential that is named.
type Secret struct {
	Kind     string `json:"kind"` // input, state: a field with x-secret; name: of a credential ({"$secret": name})
	Name     string `json:"name"`
	Workflow string `json:"workflow,omitempty"`
	Path     string `json:"path"`
}

// UnknownCall is a step that calls what is not known.
type UnknownCall struct {
	Place
	Ref string `json:"ref"` // of a capability without a contract, or of a saved workflow that is not here
}

// defaultMaxSteps is what a run's steps are bounded by where the plan does not say.
const defaultMaxSteps = 10_000

// Of makes the preview of a plan that has been found valid; of another plan it tells no more than its valid part allows. How often
// something happens is bounded from both sides, for all ways through the plan: what is at least surely is, and what is at most surely
// is not exceeded, though the truth may lie between.
func Of(w *wf.Workflow, opts *Options) *Preview {
	if opts == nil {
		opts = &Options{}
	}
	p := &previewer{opts: opts, flows: map[*wf.Workflow]*flow{}}
	root := p.flow(w, nil, "", "")
	out := &Preview{Workflow: w.Name, MaxSteps: defaultMaxSteps, Sources: []Source{}, Irreversible: []Call{}, Interrupts: []Interrupt{}, Waits: []Wait{}, Secrets: []Secret{}}
	if w.Limits != nil && w.Limits.MaxSteps > 0 {
		out.MaxSteps = w.Limits.MaxSteps
	}
	effects := map[string]wf.Effect{}
	for _, f := range p.order {
		out.Secrets = append(out.Secrets, f.fields()...)
		for _, i := range f.reached() {
			place := Place{f.name, f.w.Nodes[i].StepID(), f.pointer(i)}
			switch s := f.w.Nodes[i].(type) {
			case *wf.NodeStep:
				def := p.contract(f, s.Node)
				if def == nil {
					out.Unknown = append(out.Unknown, UnknownCall{place, s.Node})
					def = &wf.NodeDef{}
				}
				effects[s.Node] = graver(effects[s.Node], def.Effect)
				if def.Effect == wf.EffectOnce {
					out.Irreversible = append(out.Irreversible, Call{place, s.Node, p.times(root, s)})
				}
			case *wf.SubgraphStep:
				if child, _ := p.child(f, s); child == nil {
					out.Unknown = append(out.Unknown, UnknownCall{place, s.Workflow})
				}
			case *wf.InterruptStep:
				out.Interrupts = append(out.Interrupts, Interrupt{place, s.Kind, slices.Clone(s.Outcomes), s.TimeoutSeconds, p.times(root, s)})
			case *wf.WaitStep:
				out.Waits = append(out.Waits, Wait{place, waitText(s), p.times(root, s)})
			}
		}
	}
	out.Secrets = append(out.Secrets, credentials(p.order)...)
	for _, ref := range slices.SortedFunc(maps.Keys(effects), bySource) {
		id, _ := source.Of(ref)
		if n := len(out.Sources); n == 0 || out.Sources[n-1].ID != id {
			out.Sources = append(out.Sources, Source{ID: id, Calls: p.calls(root, func(called string) bool { of, _ := source.Of(called); return of == id })})
		}
		last := &out.Sources[len(out.Sources)-1]
		last.Capabilities = append(last.Capabilities, Capability{ref, effects[ref], p.calls(root, func(called string) bool { return called == ref })})
	}
	return out
}

// bySource orders refs by their sources, then by the names of the capabilities.
func bySource(a, b string) int {
	sourceA, nameA := source.Of(a)
	sourceB, nameB := source.Of(b)
	return cmp.Or(cmp.Compare(sourceA, sourceB), cmp.Compare(nameA, nameB))
}

// gravity orders effects from harmless to not repeatable.
var gravity = []wf.Effect{"", wf.EffectPure, wf.EffectRead, wf.EffectIdempotent, wf.EffectKeyed, wf.EffectOnce}

func graver(a, b wf.Effect) wf.Effect {
	if slices.Index(gravity, b) > slices.Index(gravity, a) {
		return b
	}
	return a
}
