package wf

import (
	"context"

	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/internal/rig"
	"lda.chat/wf/internal/value"
)

// spawn runs f on a goroutine of its own.
func (rt *Runtime) spawn(f func()) {
	if rt.rig == nil {
		go f()
		return
	}
	rt.rig.Begin()
	go func() {
		defer rt.rig.End()
		f()
	}()
}

// rigged is a function whose calls the rig makes. What comes back is checked, as it need not come from the function.
func (rt *Runtime) rigged(ref string, f *Func) *Func {
	if rt.rig == nil {
		return f
	}
	real := f.call
	g := *f
	g.inputChecked, g.outputChecked = false, false
	g.call = func(ctx context.Context, input kernel.Bound) (Outcome, value.Value, error) {
		outcome, output, err := rt.rig.Call(ctx, ref, input.Value(), func() (string, value.Value, error) {
			outcome, output, err := real(ctx, input)
			return string(outcome), output, err
		})
		return Outcome(outcome), output, err
	}
	return &g
}

// riggedWorkflow is a workflow that brings its functions rigged, as do those inside it.
func (rt *Runtime) riggedWorkflow(w *Workflow, done map[*Workflow]*Workflow) *Workflow {
	if rt.rig == nil || w == nil {
		return w
	}
	if c, ok := done[w]; ok {
		return c
	}
	c := *w
	done[w] = &c
	c.funcs = make(map[string]*Func, len(w.funcs))
	for ref, f := range w.funcs {
		c.funcs[ref] = rt.rigged(ref, f)
	}
	c.Workflows = make(map[string]*Workflow, len(w.Workflows))
	for name, nested := range w.Workflows {
		c.Workflows[name] = rt.riggedWorkflow(nested, done)
	}
	return &c
}

// rigOf is the simulated world that a clock belongs to, nil for a real one.
func rigOf(c Clock) rig.Rig {
	r, _ := c.(rig.Rig)
	return r
}
