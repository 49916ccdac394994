package wf

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"lda.chat/wf/internal/value"
)

// checkMarks warns of a literal that has, in a text, what another language would replace by a value: {{state.name}}. A literal
// is handed over as it is. Only what names something that is there counts: other templates may be meant for somebody else.
func (c *checker) checkMarks(o *Operand, at *place, in pathScope) {
	if !bytes.ContainsAny(o.Value, ".[") {
		return
	}
	v, err := value.Parse(o.Value)
	if err != nil {
		return
	}
	c.eachText(v, at.key("value"), maxLiteralDepth, func(text string, place *place) {
		meant, mark, ok := c.meantByMarks(text, in)
		if !ok {
			return
		}
		short := shorten(string(compact(writer{short: true}.operand(meant))), 100)
		d := c.report("literal_template", place, in.step, fmt.Sprintf("a literal is handed over as it is: nothing replaces %s in it", mark),
			fmt.Sprintf("if its value is meant, write %s in the place of the literal", short))
		if v.Kind() == value.KindString {
			kind := meant.kinds()[0]
			written, _ := value.Parse(compact(writer{}.operand(meant)))
			d.fix("Write "+short, FixUnsafe, testOp(place, text), removeOp(place), addOp(at.key(kind), written.Get(kind)))
		}
	})
}

// eachText visits the texts in a value.
func (c *checker) eachText(v value.Value, at *place, levels int, visit func(text string, at *place)) {
	if levels == 0 {
		return
	}
	if s, isText := v.AsString(); isText {
		visit(s, at)
	}
	for i, item := range v.Items() {
		c.eachText(item, at.at(i), levels-1, visit)
	}
	for key, member := range v.Members() {
		c.eachText(member, at.key(key), levels-1, visit)
	}
}

// meantByMarks is the operand that a text with marked paths stands for, and the first of its marks.
func (c *checker) meantByMarks(text string, in pathScope) (meant Operand, mark string, ok bool) {
	if inner, wrapped := unwrapPath(text); wrapped && isRooted(inner) || !wrapped && isRooted(text) {
		if !wrapped {
			inner = text
		}
		path, err := ParsePath(inner)
		return Operand{Path: &path}, quoteShort(text), err == nil && c.isThere(&path, in)
	}
	if !strings.ContainsAny(text, "{$") {
		return meant, "", false
	}
	template, ok := templateOf(text)
	if !ok {
		return meant, "", false
	}
	if meant, _ = ParseTemplate(template); !slices.ContainsFunc(meant.Text, func(o Operand) bool { return o.Path != nil }) {
		return meant, "", false
	}
	for _, part := range meant.Text {
		if part.Path != nil && !c.isThere(part.Path, in) {
			return meant, "", false
		}
	}
	return meant, quoteShort(pathMarks.FindString(text)), true
}

// isThere reports whether a path names something that the plan declares.
func (c *checker) isThere(p *Path, in pathScope) bool {
	if len(p.Parts) == 0 || p.Parts[0].IsIndex {
		return false
	}
	first := p.Parts[0].Name
	switch p.Root {
	case RootInput:
		return c.input != nil && slices.Contains(propertyNames(c.input), first)
	case RootState:
		return c.state != nil && slices.Contains(propertyNames(c.state), first)
	case RootSteps:
		_, ok := c.tree.index[first]
		return ok
	case RootItem:
		return slices.Contains(in.items, first) || c.itemOwner(first, in) >= 0
	case RootContext:
		return slices.Contains(contextNames, first)
	}
	return false
}
