package source

import (
	"fmt"
	"slices"

	"lda.chat/wf"
)

// Bound makes the plan that a deployment's runs are of: with the refs of the sources that stand for the logical ones, and with the
// contracts that the runs are held to, so that neither changes under a run. contract gives these by the plan's own refs, nil for one that
// is not known; what the plan brings along itself goes before. The plan that is given stays as it is. It fails for a source that nothing
// binds, and where two capabilities with other contracts become one.
func (b Bindings) Bound(w *wf.Workflow, contract func(ref string) *wf.NodeDef) (*wf.Workflow, error) {
	w = w.Clone()
	for _, use := range Uses(w) {
		if _, ok := b.Resolve(use.Ref); !ok {
			id, _ := Of(use.Ref)
			return nil, fmt.Errorf("nothing binds the source %q, of which the plan calls %q", id, use.Ref)
		}
	}
	for _, ref := range unbrought(w, nil, nil) {
		if def := contract(ref); def != nil {
			own := *def
			own.Name = ref
			w.NodeDefs = append(w.NodeDefs, &own)
		}
	}
	return w, b.rename(w)
}

// unbrought adds to refs those of capabilities that are called without a contract of the plan, each once.
func unbrought(w *wf.Workflow, around []*wf.Workflow, refs []string) []string {
	around = append(slices.Clip(around), w)
	for _, s := range w.Nodes {
		if step, ok := s.(*wf.NodeStep); ok && step != nil && brought(around, step.Node) == nil && !slices.Contains(refs, step.Node) {
			refs = append(refs, step.Node)
		}
	}
	for _, name := range sortedNames(w.Workflows) {
		if inner := w.Workflows[name]; inner != nil {
			refs = unbrought(inner, around, refs)
		}
	}
	return refs
}

// rename gives a plan the refs of bound sources.
func (b Bindings) rename(w *wf.Workflow) error {
	for _, s := range w.Nodes {
		if step, ok := s.(*wf.NodeStep); ok && step != nil {
			if ref, bound := b.Resolve(step.Node); bound {
				step.Node = ref
			}
		}
	}
	defs := w.NodeDefs[:0]
	for _, def := range w.NodeDefs {
		was := def.Name
		if ref, bound := b.Resolve(was); bound {
			def.Name = ref
		}
		i := slices.IndexFunc(defs, func(d *wf.NodeDef) bool { return d.Name == def.Name })
		if i >= 0 && ContractHash(defs[i]) != ContractHash(def) {
			return fmt.Errorf("%q and another capability of the plan both become %q, and their contracts differ: bind their sources to different ones", was, def.Name)
		}
		if i < 0 {
			defs = append(defs, def)
		}
	}
	w.NodeDefs = defs
	for _, name := range sortedNames(w.Workflows) {
		if inner := w.Workflows[name]; inner != nil {
			if err := b.rename(inner); err != nil {
				return err
			}
		}
	}
	return nil
}
