package wf

import "lda.chat/wf/internal/schema"

// kindOf is what a binding does to the place that it writes. out is what is known of the step's output.
func (a *assigned) kindOf(b *OutputBinding, out *schema.Schema, answer bool) effectKind {
	absent := false
	switch {
	case b.IfAbsent == AbsentFail:
	case b.Source != nil:
		absent = a.c.mayMiss(out, b.Source.Parts)
	case b.Operand != nil:
		absent = a.mayBeAbsent(b.Operand, b.IfAbsent != "", 0)
	}
	reducer := a.c.fields[b.Target.Parts[0].Name]
	switch {
	case !absent:
		return effectSure
	case b.IfAbsent == AbsentKeep, b.IfAbsent == "" && (reducer != "" || answer):
		return effectKeep
	}
	return effectMaybe
}

// mayBeAbsent reports whether an operand can come to nothing. That what it reads has been written is asked where it is
// read, unless absence is meant there.
func (a *assigned) mayBeAbsent(o *Operand, meant bool, depth int) bool {
	if len(o.Default) > 0 || depth > maxNesting {
		return false
	}
	switch {
	case o.Path != nil && len(o.Path.Parts) > 0:
		first, rest := o.Path.Parts[0], o.Path.Parts[1:]
		switch o.Path.Root {
		case RootInput:
			if a.c.input != nil {
				if p, known := a.c.input.Property(first.Name); known && !p.Default.IsAbsent() {
					return a.c.mayMiss(p.Schema, rest)
				}
			}
			return a.c.mayMiss(a.c.input, o.Path.Parts)
		case RootState:
			return meant || a.c.mayMiss(a.c.stateField(first.Name), rest)
		case RootSteps:
			if step, known := a.c.tree.index[first.Name]; known {
				out, _ := a.c.outputOf(step)
				return meant || a.c.mayMiss(out.schema, rest)
			}
		case RootContext:
			return first.Name == "scheduled_at" || first.Name == "outcome" || first.Name == "retry_count"
		}
	case o.Text != nil, o.List != nil:
		for _, parts := range [...][]Operand{o.Text, o.List} {
			for i := range parts {
				if a.mayBeAbsent(&parts[i], meant, depth+1) {
					return true
				}
			}
		}
	}
	return false
}

// mayMiss reports whether values of a schema may lack a place, as far as the schema says so.
func (c *checker) mayMiss(s *schema.Schema, parts []Part) bool {
	for _, part := range parts {
		if s == nil {
			return false
		}
		next := c.lookup(s, part)
		if next.presence == schema.Possible {
			if p, _ := s.Property(part.Name); part.IsIndex || !p.Required {
				return true
			}
		}
		s = next.schema
	}
	return false
}
