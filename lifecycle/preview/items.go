package preview

import (
	"fmt"
	"strconv"

	"lda.chat/wf"
	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

// items is how many elements a foreach goes over: a literal list has them, and schemas bound them. bounded is false if nothing says how
// many there are at most.
func (p *previewer) items(f *flow, s *wf.ForeachStep) (least, most int64, bounded bool) {
	if s.Over.List != nil {
		n := int64(len(s.Over.List))
		return n, n, true
	}
	if len(s.Over.Value) > 0 {
		v, _ := value.Parse(s.Over.Value)
		return int64(v.Len()), int64(v.Len()), true
	}
	if s.Over.Path == nil {
		return 0, 0, false
	}
	least, most, bounded = p.lengthAt(f, *s.Over.Path)
	if len(s.Over.Default) > 0 {
		v, _ := value.Parse(s.Over.Default)
		least, most = min(least, int64(v.Len())), max(most, int64(v.Len()))
	}
	return least, most, bounded
}

// lengthAt is how long an array may be that stands at a path, by the schema of what it is in.
func (p *previewer) lengthAt(f *flow, path wf.Path) (least, most int64, bounded bool) {
	raw, parts := f.w.InputSchema, path.Parts
	switch path.Root {
	case wf.RootInput:
	case wf.RootState:
		raw = f.w.StateSchema
	case wf.RootSteps:
		if len(parts) == 0 {
			return 0, 0, false
		}
		raw, parts = p.outputOf(f, parts[0].Name), parts[1:]
	default:
		return 0, 0, false
	}
	s, _ := schema.Parse(raw, nil)
	if s == nil {
		return 0, 0, false
	}
	var at value.Path
	for _, part := range parts {
		at = append(at, value.Part{Key: part.Name, Index: part.Index, IsIndex: part.IsIndex})
	}
	s, _ = s.Lookup(at)
	if s == nil {
		return 0, 0, false
	}
	v := s.Value()
	if low, ok := v.Get("minItems").AsInt(); ok && path.Root != wf.RootState { // a default, or nothing at all, can stand in the state
		least = low
	}
	most, bounded = v.Get("maxItems").AsInt()
	return least, most, bounded
}

// outputOf is the schema of what a step gives, nil if nobody says.
func (p *previewer) outputOf(f *flow, id string) wf.Schema {
	i, ok := f.index[id]
	if !ok {
		return nil
	}
	switch s := f.w.Nodes[i].(type) {
	case *wf.NodeStep:
		if def := p.contract(f, s.Node); len(s.OutputSchema) == 0 && def != nil {
			return def.OutputSchema
		}
		return s.OutputSchema
	case *wf.SubgraphStep:
		if child, ok := p.child(f, s); ok {
			return child.w.OutputSchema
		}
	}
	return nil
}

// waitText says how long a step waits.
func waitText(s *wf.WaitStep) string {
	switch {
	case s.Seconds != nil && s.Seconds.Path != nil:
		return fmt.Sprintf("as many seconds as %s says", s.Seconds.Path)
	case s.Seconds != nil && len(s.Seconds.Value) > 0:
		return string(s.Seconds.Value) + " s"
	case s.Until != nil && s.Until.Path != nil:
		return fmt.Sprintf("until %s", s.Until.Path)
	case s.Until != nil && len(s.Until.Value) > 0:
		return "until " + string(s.Until.Value)
	}
	return "as long as the plan works out"
}

// fields are the secret fields of a workflow's input and state.
func (f *flow) fields() []Secret {
	var list []Secret
	for _, of := range []struct {
		kind string
		raw  wf.Schema
	}{{"input", f.w.InputSchema}, {"state", f.w.StateSchema}} {
		s, _ := schema.Parse(of.raw, nil)
		if s == nil {
			continue
		}
		for _, property := range s.Properties() {
			if is, _ := property.Ext("x-secret").AsBool(); is {
				at := f.at + "/" + of.kind + "_schema"
				if pointers := property.Pointers(); len(pointers) > 0 {
					at += pointers[0]
				}
				list = append(list, Secret{of.kind, property.Name, f.name, at})
			}
		}
	}
	return list
}

// credentials are those that workflows name in literals, each where it is named first.
func credentials(flows []*flow) []Secret {
	var list []Secret
	seen := map[string]bool{}
	for _, f := range flows {
		note := func(name, at string) {
			if !seen[name] {
				seen[name] = true
				list = append(list, Secret{"name", name, f.name, at})
			}
		}
		canonical, err := value.Parse(f.w.Canonical())
		if err != nil {
			continue // not for what we wrote ourselves
		}
		for i, step := range canonical.Get("nodes").Items() {
			named(step, f.pointer(i), note)
		}
		named(canonical.Get("output"), f.at+"/output", note)
	}
	return list
}

// named visits {"$secret": name} in a value.
func named(v value.Value, at string, visit func(name, at string)) {
	if name, ok := v.Get("$secret").AsString(); ok && v.Len() == 1 {
		visit(name, at)
		return
	}
	for key, inner := range v.Members() {
		named(inner, at+"/"+escape(key), visit)
	}
	for i, inner := range v.Items() {
		named(inner, at+"/"+strconv.Itoa(i), visit)
	}
}
