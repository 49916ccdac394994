package wf

import (
	"fmt"
	"slices"
	"strings"
)

// judge reports what the reads of a lot of facts do not find: each fact once, at its first read.
func (a *assigned) judge(first int, lot []fact) {
	for i := range lot {
		bit := uint64(1) << i
		var never, some []factRead
		for _, r := range a.reads[lot[i].reads:lot[i].until] {
			x := &a.cells[r.point]
			switch {
			case x.absent&bit == 0 || r.mode == readByName:
			case x.written&bit == 0:
				never = append(never, r)
			case r.mode <= readLoses:
				some = append(some, r)
			case a.c.proof != nil && (r.step == noStep || r.point != a.partial[r.step]):
				a.c.proof.count("reads", -1) // it may find nothing, and says what then is
			}
		}
		if len(never) > 0 {
			a.reportNever(&lot[i], never)
		}
		if len(some) > 0 && len(a.c.tree.problems) == 0 { // else the ways may not be the ones that were meant
			a.reportSome(&lot[i], some, bit)
		}
	}
}

// reportNever reports reads that find nothing on any way. Where each of them says what then happens, it is a warning.
func (a *assigned) reportNever(f *fact, reads []factRead) {
	if f.step == noStep && a.c.fieldsWritten().meant[f.path.Parts[0].Name] {
		return // a write of it is misspelt, which has been told
	}
	at := max(0, slices.IndexFunc(reads, func(r factRead) bool { return r.mode < readMeant }))
	r := reads[at]
	var d *Diagnostic
	if f.step != noStep {
		message, hint := a.whyNotRun(f, r)
		d = a.c.report("step_never_ran", a.placeOf(r), r.step, message, hint)
		d.relate(a.c.node(f.step), "the step whose output is read")
	} else {
		d = a.reportNeverWritten(f, r)
	}
	if r.mode == readMeant {
		d.Severity = SeverityWarning
	}
	a.relateReads(d, slices.Concat(reads[:at], reads[at+1:]))
}

func (a *assigned) reportNeverWritten(f *fact, r factRead) *Diagnostic {
	if writers := a.writers(f, false); len(writers) > 0 {
		message := fmt.Sprintf("%s is read before anything can have written it: only %s does, and no path leads from there to here", f.path, a.namesOf(writers))
		if unset := a.writers(f, true); len(unset) > 0 {
			message = fmt.Sprintf("%s is never there when it is read: only %s writes it, and no path leads from there to here but by %s, where it is unset", f.path, a.namesOf(writers), a.namesOf(unset))
		}
		d := a.c.report("state_never_written", a.placeOf(r), r.step, message,
			"write it on the way here, give it a default in the state schema, or read the value where it is")
		return a.relateWriters(d, f, writers)
	}
	d := a.c.report("state_never_written", a.placeOf(r), r.step,
		fmt.Sprintf("%s is never written: no step writes it, and at the start the state does not have it", f.path),
		"write it in a step before, give it a default in the state schema, or read the value where it is")
	a.offerWritten(d, f, r)
	return d
}

// maxClimbed bounds the search for a fork around both a step and its reader.
const maxClimbed = 50

// whyNotRun says why a step's output is never there.
func (a *assigned) whyNotRun(f *fact, r factRead) (message, hint string) {
	c, t := a.c, a.c.tree
	id, from := c.stepID(f.step), t.of[f.step]
	here := 0
	if from == noRegion {
		return fmt.Sprintf("%s is never there: no path from the start leads to step %q", f.path, id), "wire the step in before, or read another value"
	}
	if r.step != noStep {
		here = t.of[r.step]
	}
	if b := t.ancestry.body[from]; b >= 0 && !t.ancestry.contains(b, here) {
		name := c.stepID(t.regions[b].owner)
		return fmt.Sprintf("%s: what %q puts out stays inside the items of foreach %q", f.path, id, name),
			fmt.Sprintf("give the foreach a result, and read steps.%s.results; or collect it in a state field", name)
	}
	for b, climbed := from, 0; b > 0 && climbed < maxClimbed && !t.ancestry.contains(b, here); b, climbed = t.regions[b].parent, climbed+1 {
		if up := t.regions[b].parent; here != up && t.ancestry.contains(up, here) {
			owner := t.regions[b].owner
			return fmt.Sprintf("%s: %q runs in another branch of fork %q, which is not merged yet", f.path, id, c.stepID(owner)),
				fmt.Sprintf("read it after the join %q", c.w.Nodes[owner].(*ForkStep).Join)
		}
	}
	if f.step == r.step {
		return fmt.Sprintf("%s is the step's own output, which is not there yet when it begins", f.path), "its output bindings read it below local"
	}
	return fmt.Sprintf("%s is read before the step can have run: no path leads from %q to here", f.path, id),
		"wire the step in before, or read another value"
}

// reportSome reports reads that find nothing on some ways, and names one of them.
func (a *assigned) reportSome(f *fact, reads []factRead, bit uint64) {
	r := reads[0]
	way, origin := a.route(r.point, bit)
	what := "nothing has written it"
	if f.step != noStep {
		what = fmt.Sprintf("%q has put out nothing", a.c.stepID(f.step))
	}
	if origin > 0 && a.points[origin].step != noStep {
		id := a.c.stepID(a.points[origin].step)
		if a.cells[origin].kill&bit != 0 {
			what = fmt.Sprintf("it is not there since %q has unset it", id)
		} else {
			what = fmt.Sprintf("%q unsets it if it has no value for it", id)
		}
	}
	message := fmt.Sprintf("%s may not be there: by %s, %s", f.path, way, what)
	switch {
	case way == "":
		message = fmt.Sprintf("%s may not be there: on some way here %s", f.path, what)
	case !strings.Contains(way, " "):
		message = fmt.Sprintf("%s may not be there: where the run begins, %s", f.path, what)
	}
	hint := "write it on that way too, give the read a default, or ask first whether it exists"
	if f.step != noStep {
		hint = "lead every way through the step, give the read a default, or ask first whether it exists"
	} else if a.c.input == nil && a.fills(f) {
		hint = "declare the input in input_schema if one fills the field at the start; else " + hint
	}
	var d *Diagnostic
	if f.step != noStep {
		d = a.c.report("step_maybe_not_run", a.placeOf(r), r.step, message, hint)
		d.relate(a.c.node(f.step), "the step whose output is read")
	} else {
		d = a.c.report("state_maybe_unwritten", a.placeOf(r), r.step, message, hint)
		a.relateWriters(d, f, a.writers(f, false))
	}
	a.relateReads(d, reads[1:])
}

// fills reports whether an input of any name may fill a state field.
func (a *assigned) fills(f *fact) bool {
	if a.c.state == nil {
		return false
	}
	_, declared := a.c.state.Property(f.path.Parts[0].Name)
	return declared
}

// writers are the steps that write a fact, or those that unset it, in the plan's order.
func (a *assigned) writers(f *fact, unset bool) []int {
	var list []int
	for _, e := range a.effects[f.first:f.last] {
		if s := a.points[e.point].step; e.write && (e.kind == effectKill) == unset && s != noStep {
			list = append(list, s)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func (a *assigned) namesOf(steps []int) string {
	ids := make([]string, len(steps))
	for i, s := range steps {
		ids[i] = a.c.stepID(s)
	}
	return listSome(ids)
}

// maxRelated bounds the places that a finding points to.
const maxRelated = 3

func (a *assigned) relateWriters(d *Diagnostic, f *fact, writers []int) *Diagnostic {
	for _, s := range writers[:min(len(writers), maxRelated)] {
		at := a.c.node(s)
		list, member := writes(a.c.w.Nodes[s])
		for k := range list {
			if t := &list[k].Target; t.Root == RootState && (isBelow(t.Parts, f.path.Parts) || isBelow(f.path.Parts, t.Parts)) {
				at = at.key(member).at(k)
				break
			}
		}
		d.relate(at, "written here")
	}
	return d
}

func (a *assigned) relateReads(d *Diagnostic, reads []factRead) {
	last := d.Path
	for _, r := range reads {
		if at := a.placeOf(r); len(d.Related) < 2*maxRelated && at.String() != last {
			last = at.String()
			d.relate(at, "read here too")
		}
	}
}

// placeOf finds the place of a read again. Only reads that are reported need it.
func (a *assigned) placeOf(r factRead) *place {
	list, known := a.places[r.step]
	if !known {
		w := readWalk{c: a.c, placed: true}
		w.visit = func(_ *Path, at *place, _ readMode, _ site) { list = append(list, at) }
		if r.step == noStep {
			w.result()
		} else {
			w.step(r.step)
			w.conditions(r.step, func(Outcome, proven) {})
		}
		a.places[r.step] = list
	}
	return list[r.nth]
}
