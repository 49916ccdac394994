package wf

import "lda.chat/wf/internal/value"

// The shapes of a plan write their canonical form, and read it and the short form, strictly. The standard library's
// rules for decoding structs (unknown fields dropped, names matched without case, the last duplicate wins) hold nowhere.

// MarshalJSON writes the canonical form: {"path": …}, {"value": …} and so on.
func (o Operand) MarshalJSON() ([]byte, error) { return compact(writer{}.operand(o)), nil }

// UnmarshalJSON reads an operand, canonical or short. A length is accepted, as in a condition.
func (o *Operand) UnmarshalJSON(data []byte) error {
	return readJSON(data, o, func(r *reader, v value.Value) Operand { return r.operand(v, "", operandPlace{inCondition: true}) })
}

// MarshalJSON writes the canonical form: {"target": …} and the operand's fields.
func (b InputBinding) MarshalJSON() ([]byte, error) { return compact(writer{}.inputBinding(b)), nil }

// UnmarshalJSON reads a binding in its list form.
func (b *InputBinding) UnmarshalJSON(data []byte) error {
	return readJSON(data, b, func(r *reader, v value.Value) InputBinding { return r.inputBinding(v, "") })
}

// MarshalJSON writes the canonical form: {"source": …, "target": …}.
func (b OutputBinding) MarshalJSON() ([]byte, error) { return compact(writer{}.outputBinding(b)), nil }

// UnmarshalJSON reads a binding in its list form.
func (b *OutputBinding) UnmarshalJSON(data []byte) error {
	return readJSON(data, b, func(r *reader, v value.Value) OutputBinding { return r.outputBinding(v, "", false) })
}

// MarshalJSON writes the canonical form: {"op": …} and the operator's fields.
func (c *Condition) MarshalJSON() ([]byte, error) { return compact(writer{}.optionalCondition(c)), nil }

// UnmarshalJSON reads a condition, canonical or short.
func (c *Condition) UnmarshalJSON(data []byte) error {
	return readJSON(data, c, func(r *reader, v value.Value) Condition {
		if read := r.condition(v, "", 0); read != nil {
			return *read
		}
		return Condition{}
	})
}

// MarshalJSON writes the canonical form.
func (d *NodeDef) MarshalJSON() ([]byte, error) { return compact(writer{}.nodeDef(d)), nil }

// UnmarshalJSON reads a contract.
func (d *NodeDef) UnmarshalJSON(data []byte) error {
	return readJSON(data, d, func(r *reader, v value.Value) NodeDef { return *r.nodeDef(v, "") })
}

// UnmarshalJSON reads an edge, strictly.
func (e *Edge) UnmarshalJSON(data []byte) error {
	return readJSON(data, e, func(r *reader, v value.Value) Edge {
		r.addEdge(v, "")
		if len(r.routes) == 0 {
			return Edge{}
		}
		if r.routes[0].implied {
			object{reader: r, v: v, what: "an edge"}.missing("outcome", "add the outcome that it routes")
		}
		return r.routes[0].Edge
	})
}

// stepJSON writes a step's canonical form. Reading one back is for [ParseStep]: its type decides what it is.
func stepJSON(s Step) ([]byte, error) { return compact(writer{}.step(s, nil)), nil }

// MarshalJSON writes the canonical form.
func (s *NodeStep) MarshalJSON() ([]byte, error) { return stepJSON(s) }

// MarshalJSON writes the canonical form.
func (s *SetStep) MarshalJSON() ([]byte, error) { return stepJSON(s) }

// MarshalJSON writes the canonical form.
func (s *ConditionStep) MarshalJSON() ([]byte, error) { return stepJSON(s) }

// MarshalJSON writes the canonical form.
func (s *ForeachStep) MarshalJSON() ([]byte, error) { return stepJSON(s) }

// MarshalJSON writes the canonical form.
func (s *ForkStep) MarshalJSON() ([]byte, error) { return stepJSON(s) }

// MarshalJSON writes the canonical form.
func (s *JoinStep) MarshalJSON() ([]byte, error) { return stepJSON(s) }

// MarshalJSON writes the canonical form.
func (s *InterruptStep) MarshalJSON() ([]byte, error) { return stepJSON(s) }

// MarshalJSON writes the canonical form.
func (s *WaitStep) MarshalJSON() ([]byte, error) { return stepJSON(s) }

// MarshalJSON writes the canonical form.
func (s *SubgraphStep) MarshalJSON() ([]byte, error) { return stepJSON(s) }

// MarshalJSON writes the canonical form.
func (s *FailStep) MarshalJSON() ([]byte, error) { return stepJSON(s) }

// MarshalJSON writes the canonical form.
func (s *EndStep) MarshalJSON() ([]byte, error) { return stepJSON(s) }
