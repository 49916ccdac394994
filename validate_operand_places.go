package wf

import (
	"fmt"
	"slices"
	"time"

	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

// checkOtherOperands checks the operands that stand outside bindings and conditions.
func (c *checker) checkOtherOperands() {
	for i, s := range c.w.Nodes {
		at, in := c.node(i), c.at(i)
		switch s := s.(type) {
		case *ForeachStep:
			if len(s.Over.kinds()) > 0 { // else checkSteps has said so
				c.checkOperand(&s.Over, at.key("over"), in, nil)
				c.checkOver(&s.Over, at.key("over"), in)
			}
			if s.Result != nil {
				inside := in
				inside.body = s.As
				c.checkOperand(s.Result, at.key("result"), inside, nil)
			}
		case *WaitStep:
			if s.Seconds != nil {
				c.checkOperand(s.Seconds, at.key("seconds"), in, nil)
				c.checkTimed(s.Seconds, at.key("seconds"), in, typesNumber)
				c.checkWaitLiteral(s.Seconds, at.key("seconds"), i, "a number of seconds, from 0 on", waitSeconds, isSeconds)
			}
			if s.Until != nil {
				c.checkOperand(s.Until, at.key("until"), in, nil)
				c.checkTimed(s.Until, at.key("until"), in, typesString)
				c.checkWaitLiteral(s.Until, at.key("until"), i, "a time such as \"2030-01-31T08:00:00Z\" (RFC 3339)", waitTimes, isTime)
			}
		case *FailStep:
			if s.Message != nil {
				c.checkOperand(s.Message, at.key("message"), in, nil)
			}
		}
	}
}

// checkOver checks that what a foreach goes through can be an array.
func (c *checker) checkOver(o *Operand, at *place, in pathScope) {
	var types []string
	switch {
	case o.Path != nil:
		if s := c.schemaOf(o.Path); s != nil {
			types = s.Types()
		}
	case len(o.Value) > 0:
		if v, err := value.Parse(o.Value); err == nil {
			types = []string{v.Kind().String()}
		}
	case o.Text != nil:
		types = []string{"string"}
	case o.Object != nil:
		types = []string{"object"}
	}
	if len(types) > 0 && !slices.Contains(types, "array") {
		c.report("over_not_array", at, in.step, fmt.Sprintf("a foreach goes through an array, this is %s", listSome(types)),
			"name the array inside it, or turn an object into an array with wf.std.entries").expects("array", types)
	}
}

// schemaOf is what is known about the value of a path, nil for nothing.
func (c *checker) schemaOf(p *Path) *schema.Schema {
	switch p.Root {
	case RootInput:
		return c.below(c.input, p.Parts...)
	case RootState:
		return c.below(c.state, p.Parts...)
	case RootSteps:
		if len(p.Parts) == 0 {
			return nil
		}
		if step, ok := c.tree.index[p.Parts[0].Name]; ok {
			out, _ := c.outputOf(step)
			return c.below(out.schema, p.Parts[1:]...)
		}
	}
	return nil
}

// checkWaitLiteral checks a literal that says how long to wait, or until when. judge says whether a value has the kind that is
// expected, and whether a timer can keep it.
func (c *checker) checkWaitLiteral(o *Operand, at *place, step int, expected, bounds string, judge func(value.Value) (kind, inRange bool)) {
	for _, l := range [...]struct {
		member string
		raw    []byte
	}{{"value", o.Value}, {"default", o.Default}} {
		v, err := value.Parse(l.raw)
		if len(l.raw) == 0 || err != nil {
			continue
		}
		switch kind, inRange := judge(v); {
		case !kind:
			c.report("literal_invalid", at.key(l.member), step, fmt.Sprintf("the literal is %s, it must be %s", clip(v.String()), expected), "write "+expected)
		case !inRange:
			c.report("timer_out_of_range", at.key(l.member), step, fmt.Sprintf("the literal is %s, it must lie between %s", clip(v.String()), bounds), "write "+expected)
		}
	}
	if o.Object != nil || o.List != nil {
		c.report("literal_invalid", at, step, "this makes a value that says no time, it must be "+expected, "write "+expected)
	}
}

// waitSeconds and waitTimes say which literals of waits a timer can keep.
var waitSeconds = fmt.Sprintf("0 and %d seconds (a hundred years)", maxSeconds)

const waitTimes = "the years 1678 and 2261"

func isSeconds(v value.Value) (kind, inRange bool) {
	seconds, ok := v.AsFloat()
	return v.Kind() == value.KindNumber, ok && seconds >= 0 && seconds <= maxSeconds
}

func isTime(v value.Value) (kind, inRange bool) {
	text, ok := v.AsString()
	if !ok {
		return false, false
	}
	_, err := time.Parse(time.RFC3339, text)
	_, inRange = value.ParseTimestamp(text)
	return err == nil, inRange
}
