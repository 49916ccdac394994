package schema

import "lda.chat/wf/internal/value"

func (r *arrayRules) valid(v value.Value, fuel int) (int, bool) {
	length := v.Len()
	if length < r.min || length > r.max {
		return fuel, false
	}
	ok := true
	if r.items != nil || len(r.prefix) > 0 {
		for i := range length {
			n := r.items
			if i < len(r.prefix) {
				n = r.prefix[i]
			}
			if n == nil {
				break
			}
			if fuel, ok = n.valid(v.Index(i), fuel); !ok {
				return fuel, false
			}
		}
	}
	if r.contains != nil {
		matches := 0
		for i := range length {
			if r.maxContains == unbounded && matches >= r.minContains {
				break
			}
			if fuel, ok = r.contains.valid(v.Index(i), fuel); ok {
				matches++
			}
			if fuel == 0 {
				return 0, false
			}
		}
		if matches < r.minContains || matches > r.maxContains {
			return fuel, false
		}
	}
	return fuel, !r.unique || unique(v)
}

// unique compares pairs while they are few, then canonical texts.
func unique(v value.Value) bool {
	length := v.Len()
	if length <= 16 {
		for i := range length {
			for j := range i {
				if value.Equal(v.Index(i), v.Index(j)) {
					return false
				}
			}
		}
		return true
	}
	seen := make(map[string]struct{}, length)
	var text []byte
	for i := range length {
		text = v.Index(i).AppendCanonical(text[:0])
		if _, again := seen[string(text)]; again {
			return false
		}
		seen[string(text)] = struct{}{}
	}
	return true
}

func (r *objectRules) valid(v value.Value, fuel int) (int, bool) {
	length := v.Len()
	if length < r.min || length > r.max {
		return fuel, false
	}
	ok, required, next := true, 0, 0
	for i := range length {
		name, x := v.MemberAt(i)
		// Members and rules are both in key order.
		for next < len(r.members) && r.members[next].name < name {
			next++
		}
		known := false
		if next < len(r.members) && r.members[next].name == name {
			m := &r.members[next]
			if m.required {
				required++
			}
			if m.schema != nil {
				known = true
				if fuel, ok = m.schema.valid(x, fuel); !ok {
					return fuel, false
				}
			}
		}
		for j := range r.patterns {
			p := &r.patterns[j]
			if fuel -= fuelOf(p.states, name); fuel <= 0 {
				return 0, false
			}
			if p.re.MatchString(name) {
				known = true
				if fuel, ok = p.schema.valid(x, fuel); !ok {
					return fuel, false
				}
			}
		}
		if r.additional != nil && !known {
			if fuel, ok = r.additional.valid(x, fuel); !ok {
				return fuel, false
			}
		}
		if r.names != nil {
			if fuel, ok = r.names.valid(value.String(name), fuel); !ok {
				return fuel, false
			}
		}
	}
	if required < r.required {
		return fuel, false
	}
	if len(r.dependents) > 0 {
		return r.dependencies(v, fuel)
	}
	return fuel, true
}

func (r *objectRules) dependencies(v value.Value, fuel int) (int, bool) {
	ok := true
	for i := range r.dependents {
		d := &r.dependents[i]
		if v.Get(d.name).IsAbsent() {
			continue
		}
		for _, name := range d.required {
			if v.Get(name).IsAbsent() {
				return fuel, false
			}
		}
		if d.schema != nil {
			if fuel, ok = d.schema.valid(v, fuel); !ok {
				return fuel, false
			}
		}
	}
	return fuel, true
}
