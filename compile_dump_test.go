package wf

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"lda.chat/wf/internal/kernel"
)

// dumpProgram lists what the kernel is given: the program, then those of its subgraphs, in the order in which they are met.
func dumpProgram(prog *program) string {
	var b strings.Builder
	if prog.waits {
		b.WriteString("waits for events from elsewhere\n")
	}
	flows := []*kernel.Program{prog.kernel}
	for i := 0; i < len(flows); i++ {
		d := dumper{&b, prog, flows[i]}
		d.program()
		for j := range flows[i].Ops {
			if child := flows[i].Ops[j].Child; child != nil && !slices.Contains(flows, child) {
				flows = append(flows, child)
			}
		}
	}
	if len(flows) != len(prog.flows) {
		fmt.Fprintf(&b, "%d flows, %d reached\n", len(prog.flows), len(flows))
	}
	return b.String()
}

type dumper struct {
	*strings.Builder
	prog *program
	p    *kernel.Program
}

func (d *dumper) line(format string, args ...any) { fmt.Fprintf(d, format+"\n", args...) }

func (d *dumper) program() {
	p := d.p
	d.line("\nprogram %s: max_steps %d, timeout %v", p.Workflow, p.MaxSteps, time.Duration(p.Timeout))
	for _, m := range p.Defaults {
		d.line("  input.%s defaults to %s", m.Key, m.Value)
	}
	for i, f := range p.Fields {
		d.line("  state.%s (%d): %s shared=%v declared=%v hidden=%d", f.Name, i, f.Op, f.Shared, f.Declared, d.prog.flows[p].hiddenField(int32(i)))
	}
	for r, region := range p.Regions {
		owner := "root"
		if region.Owner >= 0 {
			owner = p.Ops[region.Owner].ID
		}
		d.line("  region %d of %s: starts %s, scope %d, %d ops, keeps %d, counts %d", r, owner, d.target(region.Start), region.Scope, region.Ops, region.Kept, region.Counters)
	}
	for i := range p.Ops {
		d.op(int32(i), &p.Ops[i])
	}
	d.binds("  output", p.Output)
	for _, v := range d.prog.flows[p].veils {
		d.line("  output%s is hidden (%d)", v.at.Pointer(), v.how)
	}
}

func (d *dumper) target(to int32) string {
	if to == kernel.ToNowhere {
		return "nowhere"
	}
	return d.p.Target(to)
}

func (d *dumper) op(i int32, op *kernel.Op) {
	d.line("  %s %s: region %d, number %d, keep %d", op.Kind, op.ID, op.Region, op.Local, op.Keep)
	for k, name := range op.Outcomes {
		e := op.Next[k]
		line := fmt.Sprintf("    %d %s -> %s", k, name, d.target(e.To))
		if e.Counter >= 0 {
			line += fmt.Sprintf(" at most %d by counter %d, then %s", e.Max, e.Counter, d.target(e.Exhausted))
		}
		if int32(k) >= op.Declared {
			line += " (not returned)"
		}
		d.line("%s", line)
	}
	for _, c := range op.Catch {
		d.line("    catches %v any=%v by %d, error to %d%s", c.Codes, c.Any, c.Outcome, c.Slot, c.Path.Pointer())
	}
	if op.Retry != nil {
		d.line("    retries %d times", op.Retry.MaxAttempts)
	}
	if op.Timeout > 0 {
		d.line("    timeout %v", time.Duration(op.Timeout))
	}
	switch {
	case op.Kind == kernel.Node:
		d.line("    calls %d %s", op.Callee, d.prog.nodes[op.Callee].ref)
	case op.Kind == kernel.Join && op.Fork >= 0:
		d.line("    joins %s", d.p.Ops[op.Fork].ID)
	case op.Kind == kernel.Join:
		d.line("    joins nothing")
	case op.Child != nil:
		d.line("    runs %s", op.Child.Workflow)
	}
	if op.Fan != nil {
		d.fan(op.Fan)
	}
	if op.Ask != nil {
		said := d.prog.flows[d.p].inquiries[i]
		d.line("    asks %s: late %d, request checked=%v, answers %v", op.Ask.Kind, op.Ask.TimedOut, op.Ask.CheckRequest != nil, said.outcomes)
		for k, check := range op.Ask.Checks {
			d.line("      %s checked=%v %s", op.Outcomes[k], check != nil, said.answers[said.outcomes[k]])
		}
	}
	d.operand("    for", op.For)
	d.operand("    until", op.Until)
	d.operand("    message", op.Message)
	if op.Check != nil {
		d.condition("    if ", op.Check)
	}
	d.binds("    input", op.Input)
	for i := range op.Writes {
		w := &op.Writes[i]
		d.line("    writes state.%s%s, absent=%d", d.p.Fields[w.Slot].Name, w.Path.Pointer(), w.Absent)
		if w.From == nil {
			d.line("      output%s", w.Source.Pointer())
		}
		d.operand("      from", w.From)
	}
	d.binds("    output", op.Output)
}

func (d *dumper) fan(f *kernel.Fan) {
	d.line("    on error %d, complete %d, limit %d, serial %v, done %d, unmet %d, timed out %d", f.OnError, f.Complete, f.Limit, f.Serial, f.Done, f.Unmet, f.TimedOut)
	if f.Body >= 0 {
		d.line("    body %d", f.Body)
	}
	for _, b := range f.Branches {
		d.line("    branch %s in %d", b.Name, b.Region)
		if b.When != nil {
			d.condition("      if ", b.When)
		}
	}
	d.operand("    over", f.Over)
	d.operand("    result", f.Result)
}

func (d *dumper) binds(what string, binds []kernel.Bind) {
	for i := range binds {
		optional := ""
		if binds[i].Optional {
			optional = "?"
		}
		d.operand(what+binds[i].Target.Pointer()+optional, &binds[i].From)
	}
}

func (d *dumper) condition(what string, c *kernel.Condition) {
	d.operand(what+"left of "+fmt.Sprint(c.Op), c.Left)
	d.operand(what+"right of "+fmt.Sprint(c.Op), c.Right)
	for _, arg := range c.Args {
		d.condition("  "+what, arg)
	}
}

var kernelRoots = [...]string{"literal", "input", "state", "whole state", "steps", "context", "var", "item", "position", "local", "text", "list", "object", "length"}

func (d *dumper) operand(what string, o *kernel.Operand) {
	if o == nil {
		return
	}
	of := fmt.Sprint(o.Index)
	switch o.Root {
	case kernel.Steps, kernel.Item, kernel.ItemAt:
		of = d.p.Ops[o.Index].ID
	case kernel.Literal:
		of = "nothing"
		if !o.Lit.IsAbsent() {
			of = o.Lit.String()
		}
	}
	or := ""
	if !o.Default.IsAbsent() {
		or = " or " + o.Default.String()
	}
	d.line("%s = %s %s%s%s (%s)", what, kernelRoots[o.Root], of, o.Path.Pointer(), or, o.Name)
	for i := range o.Parts {
		key := ""
		if o.Keys != nil {
			key = " " + o.Keys[i]
		}
		d.operand("      part"+key, &o.Parts[i])
	}
}
