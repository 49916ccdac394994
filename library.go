package wf

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"lda.chat/wf/internal/value"
)

// library finds the programs of runs by the digests of their plans: those that were started here, or are known from the start, with
// the Go functions that they bring; others from the journal.
type library struct {
	keeper *keeper

	mu    sync.Mutex
	known map[string]*edition // built with functions that only this process has
	read  map[string]*edition // others, a bounded number
	order []string            // of read, oldest first
}

// edition is one plan as this runtime can run it.
type edition struct {
	digest   string
	workflow *Workflow
	prog     *program
	missing  []string // capabilities and reducers that this runtime lacks: it can be looked at, and not be advanced here
}

// mostRead bounds how many programs that came from the journal are kept.
const mostRead = 256

// keep makes a plan findable for this runtime and for others.
func (l *library) keep(ctx context.Context, w *Workflow, prog *program) (*edition, error) {
	digest := prog.digestOf(w)
	had := l.at(digest)
	if had != nil && had.prog == prog {
		return had, nil
	}
	e := &edition{digest: digest, workflow: w, prog: prog}
	if had != nil && len(had.missing) == 0 { // the same plan, compiled anew: it may bring other functions
		l.put(e, bringsFunctions(w))
		return e, nil
	}
	if err := l.keeper.journal.PutPlan(ctx, digest, sealed(w, prog).Canonical()); err != nil {
		return nil, fmt.Errorf("the plan could not be kept: %w", err)
	}
	l.put(e, bringsFunctions(w))
	return e, nil
}

// at gives the edition that is at hand, nil if none is.
func (l *library) at(digest string) *edition {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.known[digest]; e != nil {
		return e
	}
	return l.read[digest]
}

// put keeps an edition: for good if nobody but this process has its functions.
func (l *library) put(e *edition, forGood bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.known == nil {
		l.known, l.read = map[string]*edition{}, map[string]*edition{}
	}
	if forGood {
		l.known[e.digest] = e
		return
	}
	if l.read[e.digest] == nil {
		l.order = append(l.order, e.digest)
	}
	l.read[e.digest] = e
	if len(l.order) > mostRead {
		delete(l.read, l.order[0])
		l.order = l.order[1:]
	}
}

// bringsFunctions reports whether a workflow, or one inside it, was built with Go functions of its own.
func bringsFunctions(w *Workflow) bool {
	if len(w.funcs) > 0 {
		return true
	}
	for _, inner := range w.Workflows {
		if inner != nil && bringsFunctions(inner) {
			return true
		}
	}
	return false
}

// sealed is a workflow with the contracts of all that it calls, so that it can be read where nobody offers that, and so
// that a run is held to the contracts that it was started with.
func sealed(w *Workflow, prog *program) *Workflow {
	c := *w
	c.NodeDefs = slices.Clone(w.NodeDefs)
	named := map[string]bool{}
	for _, def := range c.NodeDefs {
		named[def.Name] = true
	}
	for _, n := range prog.nodes {
		if !named[n.ref] {
			named[n.ref] = true
			def := cloneDef(n.def)
			def.Name = n.ref
			c.NodeDefs = append(c.NodeDefs, def)
		}
	}
	return &c
}

// find gives the edition of a digest.
func (l *library) find(ctx context.Context, digest string) (*edition, error) {
	e := l.at(digest)
	if e != nil && len(e.missing) == 0 {
		return e, nil
	}
	if w := l.keeper.rt.workflow(digest); w != nil {
		prog, err := l.keeper.rt.program(w)
		if err != nil {
			return nil, err
		}
		return l.keep(ctx, w, prog)
	}
	text, err := l.keeper.journal.Plan(ctx, digest)
	if err != nil {
		return nil, err
	}
	w, diags := ParseWorkflow(text)
	if err := diags.Err(); err != nil {
		return nil, unreadable(fmt.Errorf("the plan %s cannot be read: %w", digest, err))
	}
	if e, err = l.keeper.rt.edition(digest, w); err != nil {
		return nil, err
	}
	l.put(e, false)
	return e, nil
}

// edition compiles a plan that was found sound when its run was started. What is missing here is stood in for.
func (rt *Runtime) edition(digest string, w *Workflow) (*edition, error) {
	e := &edition{digest: digest, workflow: w}
	find := func(ref string) (*Func, bool) {
		if fn, ok := rt.find(ref); ok {
			return fn, true
		}
		if !slices.Contains(e.missing, ref) {
			e.missing = append(e.missing, ref)
		}
		return standIn(ref, findDef(w, ref)), true
	}
	reducers := map[string]*Reducer{}
	for name, r := range rt.reducers {
		reducers[name] = r
	}
	for _, name := range hostReducers(w) {
		if reducers[name] == nil {
			e.missing = append(e.missing, "the reducer "+name)
			reducers[name] = &Reducer{spec: ReducerSpec{Name: name}, merge: func(value.Value, value.Value) (value.Value, error) {
				return value.Value{}, errors.New("there is no reducer " + name + " here")
			}}
		}
	}
	prog, diags := compile(w, find, reducers)
	if err := diags.Err(); err != nil {
		return nil, unreadable(err)
	}
	prog.digest.Store(&digest)
	e.prog = prog
	return e, nil
}

// lacks is the error of advancing a run here whose capabilities are not at hand.
func (e *edition) lacks() error {
	if len(e.missing) == 0 {
		return nil
	}
	return &Error{Code: CodeCapabilityMissing, Message: fmt.Sprintf("the run cannot be advanced here: nobody offers %s", strings.Join(e.missing, ", "))}
}

// standIn is a capability that is known by its contract only.
func standIn(ref string, def *NodeDef) *Func {
	source, name, _ := strings.Cut(ref, ".")
	contract := NodeDef{Name: name}
	if def != nil {
		contract = *cloneDef(def)
		contract.Name = name
	}
	fn := RawNode(&contract, func(context.Context, json.RawMessage) (*Result, error) {
		return nil, &Error{Code: CodeCapabilityMissing, Message: "nobody offers " + ref + " here"}
	})
	return fn.OfSource(source)
}

// findDef looks for a definition in a workflow and those inside it.
func findDef(w *Workflow, ref string) *NodeDef {
	for _, def := range w.NodeDefs {
		if def.Name == ref {
			return def
		}
	}
	for _, inner := range w.Workflows {
		if inner != nil {
			if def := findDef(inner, ref); def != nil {
				return def
			}
		}
	}
	return nil
}

// hostReducers lists the host's reducers that the state schemas of a workflow name.
func hostReducers(w *Workflow) []string {
	var names []string
	if state, err := value.Parse(w.StateSchema); err == nil {
		for _, property := range state.Get("properties").Members() {
			if name, ok := property.Get("x-reducer").AsString(); ok && !strings.HasPrefix(name, reducerPrefix) && strings.Contains(name, ".") {
				names = append(names, name)
			}
		}
	}
	for _, inner := range w.Workflows {
		if inner != nil {
			names = append(names, hostReducers(inner)...)
		}
	}
	return names
}
