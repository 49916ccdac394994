package wf

import "slices"

// fieldNames are the fields that the steps of a workflow write.
type fieldNames struct {
	written []string
	meant   map[string]bool // fields that a write probably meant which names one that is not declared
}

// fieldsWritten looks at the targets of all steps, once somebody asks.
func (c *checker) fieldsWritten() *fieldNames {
	if c.targeted != nil {
		return c.targeted
	}
	f := &fieldNames{meant: make(map[string]bool)}
	c.targeted = f
	for _, s := range c.w.Nodes {
		list, _ := writes(s)
		for k := range list {
			if t := &list[k].Target; t.Root == RootState && len(t.Parts) > 0 && !t.Parts[0].IsIndex {
				f.written = append(f.written, t.Parts[0].Name)
			}
		}
	}
	slices.Sort(f.written)
	f.written = slices.Compact(f.written)
	if c.state == nil {
		return f
	}
	for _, name := range f.written {
		meant, part := "", []Part{namePart(name)}
		if _, wrong := c.walk(c.state, part); wrong >= 0 {
			meant, _ = c.nearest(name, propertyNames(c.state))
		} else {
			meant = c.nearDeclared(c.state, part[0])
		}
		f.meant[meant] = true
	}
	return f
}

// offerWritten offers the field that was meant, if the one that is read is not declared.
func (a *assigned) offerWritten(d *Diagnostic, f *fact, r factRead) {
	name := f.path.Parts[0].Name
	if a.fills(f) || r.step == noStep && a.c.w.Output == nil { // taken by its name
		return
	}
	meant, ok := a.c.nearest(name, a.c.fieldsWritten().written)
	if !ok || meant == name {
		return
	}
	d.RepairHint = "did you mean state." + meant + ", which is written?"
	part := a.placeOf(r).key("parts").at(0)
	d.fix("Read state."+meant, FixUnsafe, testOp(part, name), replaceOp(part, meant))
}
