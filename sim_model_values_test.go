package wf

import (
	"slices"

	"lda.chat/wf/internal/value"
)

// simDefaults are the fields of a state, as they begin.
var simDefaults = func() map[string]value.Value {
	schema, _ := value.Parse([]byte(simState))
	list := map[string]value.Value{}
	for name, field := range schema.Get("properties").Members() {
		list[name] = field.Get("default")
	}
	return list
}()

// field reads a field as a frame sees it.
func (fr *simFrame) field(name string) value.Value {
	for ; fr.up != nil; fr = fr.up {
		if v, ok := fr.state[name]; ok {
			return v
		}
	}
	return fr.state[name]
}

// write changes a field by its reducer.
func (fr *simFrame) write(field string, in value.Value) {
	if fr.up != nil {
		fr.log = append(fr.log, simWrite{field, in})
	}
	if in.IsAbsent() {
		fr.state[field] = simDefaults[field]
		return
	}
	old := fr.field(field)
	switch field {
	case "log":
		in = old.Append(in)
	case "ext":
		for _, v := range in.Items() {
			old = old.Append(v)
		}
		in = old
	case "uni":
		for _, v := range in.Items() {
			there := false
			for _, x := range old.Items() {
				there = there || value.Equal(x, v)
			}
			if !there {
				old = old.Append(v)
			}
		}
		in = old
	case "sum":
		in = value.Int(intOf(old) + intOf(in))
	case "top":
		in = value.Int(max(intOf(old), intOf(in)))
	case "low":
		in = value.Int(min(intOf(old), intOf(in)))
	case "mo", "dm": // no member of theirs is an object
		for k, v := range in.Members() {
			old = old.With(k, v)
		}
		in = old
	}
	fr.state[field] = in
}

func intOf(v value.Value) int64 { n, _ := v.AsInt(); return n }

// commit makes the writes of a step; false: one that must be there is not.
func (fr *simFrame) commit(list []OutputBinding, local value.Value, keep bool) bool {
	var changes []simWrite
	for _, b := range list {
		field := b.Target.Parts[0].Name
		var in value.Value
		if b.Operand != nil {
			in = fr.read(b.Operand)
		} else if in = local; len(b.Source.Parts) > 0 {
			in = local.Get(b.Source.Parts[0].Name)
		}
		switch {
		case !in.IsAbsent():
		case b.IfAbsent == AbsentFail:
			return false
		case b.IfAbsent == AbsentKeep || b.IfAbsent == "" && (keep || !slices.Contains(simReplaced, field)):
			continue
		}
		changes = append(changes, simWrite{field, in})
	}
	for _, c := range changes {
		fr.write(c.field, c.in)
	}
	return true
}

// bind makes an object of bindings.
func (fr *simFrame) bind(list []InputBinding) value.Value {
	out := value.Object()
	for i := range list {
		v := fr.read(&list[i].Operand)
		parts := list[i].Target.Parts
		if len(parts) > 1 && !v.IsAbsent() {
			v = value.Object(value.Member{Key: parts[1].Name, Value: v})
		}
		if !v.IsAbsent() {
			out = out.With(parts[0].Name, v)
		}
	}
	return out
}

// read gives what an operand is.
func (fr *simFrame) read(o *Operand) value.Value {
	v := fr.operand(o)
	if v.IsAbsent() && o.Default != nil {
		v, _ = value.Parse(o.Default)
	}
	return v
}

func (fr *simFrame) operand(o *Operand) value.Value {
	switch {
	case o.Path != nil:
		return fr.at(o.Path)
	case o.Value != nil:
		v, _ := value.Parse(o.Value)
		return v
	case o.Text != nil:
		text := ""
		for i := range o.Text {
			part := fr.read(&o.Text[i])
			if s, ok := part.AsString(); ok {
				text += s
			} else {
				text += part.String()
			}
		}
		return value.String(text)
	case o.Object != nil:
		var members []value.Member
		for k, x := range o.Object {
			members = append(members, value.Member{Key: k, Value: fr.read(&x)})
		}
		return value.Object(members...)
	}
	items := []value.Value{}
	for i := range o.List {
		v := fr.read(&o.List[i])
		if v.IsAbsent() {
			return v
		}
		items = append(items, v)
	}
	return value.Array(items...)
}

func (fr *simFrame) at(p *Path) value.Value {
	var v value.Value
	parts := p.Parts
	switch p.Root {
	case RootInput:
		v = fr.input
	case RootState:
		v, parts = fr.field(parts[0].Name), parts[1:]
	case RootSteps:
		for f := fr; f != nil && v.IsAbsent(); f = f.up {
			v = f.outs[parts[0].Name]
		}
		parts = parts[1:]
	case RootItem:
		for f := fr; v.IsAbsent(); f = f.up {
			v = f.items[parts[0].Name]
		}
		parts = parts[1:]
	case RootContext:
		return fr.context(parts)
	}
	for _, part := range parts {
		v = v.Get(part.Name)
	}
	return v
}

func (fr *simFrame) context(parts []Part) value.Value {
	switch parts[0].Name {
	case "visit":
		return value.Int(int64(fr.visits[fr.step]))
	case "step":
		if fr.step != "" {
			return value.String(fr.step)
		}
	case "workflow":
		return value.String(fr.f.w.Name)
	case "run_id":
		return value.String("sim")
	case "index":
		for f := fr; ; f = f.up {
			if i, ok := f.indices[parts[1].Name]; ok {
				return value.Int(int64(i))
			}
		}
	case "outcome":
		if fr.prior != "" {
			return value.String(fr.outcome)
		}
	case "retry_count":
		if fr.prior != "" {
			return value.Int(int64(fr.retries))
		}
	}
	return value.Value{}
}

// holds answers a condition.
func (fr *simFrame) holds(c *Condition) bool {
	switch c.Op {
	case "not":
		return !fr.holds(c.Arg)
	case "and":
		return fr.holds(c.Args[0]) && fr.holds(c.Args[1])
	case "or":
		return fr.holds(c.Args[0]) || fr.holds(c.Args[1])
	case "exists":
		return !fr.at(c.Path).IsAbsent()
	}
	left, right := fr.read(c.Left), fr.read(c.Right)
	if c.Op == "in" {
		for _, v := range right.Items() {
			if value.Equal(v, left) {
				return true
			}
		}
		return false
	}
	l, r := intOf(left), intOf(right)
	return map[string]bool{"eq": l == r, "ne": l != r, "lt": l < r, "le": l <= r, "gt": l > r, "ge": l >= r}[c.Op]
}
