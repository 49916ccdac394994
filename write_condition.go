package wf

func (wr writer) optionalCondition(c *Condition) any {
	if c == nil {
		return nil
	}
	return wr.condition(c)
}

// condition writes a condition; the short form has the operator as its only key.
func (wr writer) condition(c *Condition) any {
	if wr.short {
		if short := wr.shortCondition(c); short != nil {
			return fields{{c.Op, short}}
		}
	}
	f := fields{{"op", c.Op}}
	f.add("args", wr.conditions(c.Args))
	f.add("arg", wr.optionalCondition(c.Arg))
	wr.setOperand(&f, "left", c.Left)
	wr.setOperand(&f, "right", c.Right)
	if c.Op == "matches" {
		f.set("pattern", c.Pattern)
	}
	f.add("type", c.Type)
	if c.Path != nil {
		f.set("path", wr.path(*c.Path))
	}
	wr.setOperand(&f, "over", c.Over)
	f.add("as", c.As)
	f.add("check", wr.optionalCondition(c.Check))
	return f
}

// shortCondition writes what stands beside the operator in the short form; nil if the condition is not whole.
func (wr writer) shortCondition(c *Condition) any {
	switch c.Op {
	case "and", "or":
		return wr.conditions(c.Args)
	case "not":
		return wr.optionalCondition(c.Arg)
	case "exists":
		if c.Path != nil {
			return wr.path(*c.Path)
		}
		return nil
	case "any", "all":
		var f fields
		wr.setOperand(&f, "over", c.Over)
		f.add("as", c.As)
		f.add("check", wr.optionalCondition(c.Check))
		return f
	}
	if c.Left == nil {
		return nil
	}
	left := wr.operand(*c.Left)
	switch {
	case c.Op == "matches":
		return []any{left, c.Pattern}
	case c.Op == "is":
		return []any{left, c.Type}
	case c.Right != nil:
		return []any{left, wr.operand(*c.Right)}
	}
	return nil
}

func (wr writer) conditions(list []*Condition) []any {
	return listOf(list, func(c *Condition) any { return wr.optionalCondition(c) })
}
