package wf

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"lda.chat/wf/internal/schema"
)

// checkConditions checks the conditions of all steps.
func (c *checker) checkConditions() {
	for i, s := range c.w.Nodes {
		in := c.at(i)
		switch s := s.(type) {
		case *ConditionStep:
			if s.Check != nil {
				c.checkCondition(s.Check, c.node(i).key("check"), in)
			}
			for k := range s.Cases {
				at := c.node(i).key("cases").at(k).key("when")
				if s.Cases[k].When == nil {
					c.report("field_missing", at, i, "the case has no condition", "say when it holds; what else happens is the step's default")
					continue
				}
				c.checkCondition(s.Cases[k].When, at, in)
			}
		case *ForkStep:
			for k := range s.Branches {
				if when := s.Branches[k].When; when != nil {
					c.checkCondition(when, c.node(i).key("branches").at(k).key("when"), in)
				}
			}
		}
	}
}

// checkCondition checks a condition and those inside it.
func (c *checker) checkCondition(q *Condition, at *place, in pathScope) {
	if in.depth > maxNesting {
		c.report("too_deep", at, in.step, fmt.Sprintf("conditions nest at most %d levels", maxNesting), "split it over several steps")
		return
	}
	if c.isHole(q.Op) {
		return
	}
	c.checkOperator(q, at, in.step)
	c.checkConditionTypes(q, at, in)
	c.proveCondition(q, at, in)
	in.inCondition = true
	inner := in.deeper()
	for i, arg := range q.Args {
		if arg == nil {
			c.report("field_missing", at.key("args").at(i), in.step, "the condition is empty", "remove it, or fill it in")
			continue
		}
		c.checkCondition(arg, at.key("args").at(i), inner)
	}
	if q.Arg != nil {
		c.checkCondition(q.Arg, at.key("arg"), inner)
	}
	operandScope := in
	operandScope.depth = 0
	for _, o := range [...]struct {
		name string
		of   *Operand
	}{{"left", q.Left}, {"right", q.Right}, {"over", q.Over}} {
		if o.of != nil {
			c.checkOperand(o.of, at.key(o.name), operandScope, nil)
		}
	}
	if q.Path != nil {
		c.checkPath(q.Path, at.key("path"), in)
	}
	if q.Pattern != "" {
		if _, err := regexp.Compile(q.Pattern); err != nil {
			reason := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
			c.report("pattern_invalid", at.key("pattern"), in.step, fmt.Sprintf("the pattern %q is no RE2 expression: %s", clip(q.Pattern), reason),
				"RE2 has no look-around and no back-references; see https://github.com/google/re2/wiki/Syntax")
		}
	}
	c.checkWord("type", q.Type, at, in.step, jsonTypes...)
	if q.As != "" && c.checkName(`"as" name`, q.As, at.key("as"), in.step) {
		inner = inner.withItem(q.As, c.elements(q.Over, operandScope))
	}
	if q.Check != nil {
		c.checkCondition(q.Check, at.key("check"), inner)
	}
}

// elements is what surely holds for each element of what a condition goes through, nil if nothing is known.
func (c *checker) elements(over *Operand, in pathScope) *schema.Schema {
	if over == nil || over.Path == nil || len(over.Default) > 0 {
		return nil
	}
	return elementOf(c.checkShared, c.sourceSchema(over.Path, in))
}

// checkOperator checks that a condition has a known operator, with the members that it needs and no others.
func (c *checker) checkOperator(q *Condition, at *place, step int) {
	if !slices.Contains(operators, q.Op) {
		c.reportOperator(q, at.key("op"), step)
		return
	}
	needs, has := operatorFields(q.Op)[1:], q.fields()
	for _, name := range needs {
		if !slices.Contains(has, name) {
			c.report("field_missing", at.key(name), step, fmt.Sprintf("operator %q has no %s", q.Op, name),
				fmt.Sprintf("%q needs %s", q.Op, strings.Join(needs, ", ")))
		}
	}
	for _, name := range has {
		if !slices.Contains(needs, name) {
			c.report("field_unknown", at.key(name), step, fmt.Sprintf("operator %q takes no %s", q.Op, name),
				fmt.Sprintf("remove it; %q needs %s", q.Op, strings.Join(needs, ", "))).
				fix("Remove it", FixUnsafe, testOp(at.key("op"), q.Op), removeOp(at.key(name)))
		}
	}
}

func (c *checker) reportOperator(q *Condition, at *place, step int) {
	list := strings.Join(operators, ", ")
	if q.Op == "" {
		c.report("field_missing", at, step, "the condition has no operator", "the operators are "+list)
		return
	}
	d := c.report("operator_unknown", at, step, fmt.Sprintf("there is no operator %q", clip(q.Op)), "the operators are "+list)
	meant, ok := operatorNamed(q.Op)
	if !ok {
		meant, ok = c.nearest(q.Op, operators)
	}
	if ok {
		d.RepairHint = fmt.Sprintf("did you mean %q?", meant)
		d.fix(fmt.Sprintf("Write %q", meant), FixUnsafe, testOp(at, q.Op), replaceOp(at, meant))
	}
}

// fields lists the members that a condition has beside its operator.
func (q *Condition) fields() []string {
	var list []string
	for _, f := range [...]struct {
		name string
		set  bool
	}{
		{"args", len(q.Args) > 0}, {"arg", q.Arg != nil}, {"left", q.Left != nil}, {"right", q.Right != nil},
		{"pattern", q.Pattern != ""}, {"type", q.Type != ""}, {"path", q.Path != nil}, {"over", q.Over != nil},
		{"as", q.As != ""}, {"check", q.Check != nil},
	} {
		if f.set {
			list = append(list, f.name)
		}
	}
	return list
}
