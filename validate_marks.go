package wf

import (
	"bytes"
	"fmt"
	"regexp"
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

// bareMarks find names in braces in a text.
var bareMarks = regexp.MustCompile(`\{\{?\s*([A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*)\s*\}?\}`)

// checkDoubled warns of a literal part of a template that has a name in braces, as "{{name}}" makes it, if a value is called so.
func (c *checker) checkDoubled(o *Operand, at *place, i int, in pathScope) {
	if !bytes.ContainsAny(o.Value, "{") {
		return
	}
	text, isText := jsonString(o.Value)
	if !isText {
		return
	}
	var parts []Operand
	from, mark := 0, ""
	for _, m := range bareMarks.FindAllStringSubmatchIndex(text, -1) {
		meant, ok := c.meantByName(text[m[2]:m[3]], in)
		if !ok {
			continue
		}
		if mark == "" {
			mark = text[m[0]:m[1]]
		}
		if m[0] > from {
			parts = append(parts, textLiteral(text[from:m[0]]))
		}
		parts, from = append(parts, Operand{Path: &meant}), m[1]
	}
	if mark == "" {
		return
	}
	if from < len(text) {
		parts = append(parts, textLiteral(text[from:]))
	}
	first := slices.IndexFunc(parts, func(o Operand) bool { return o.Path != nil })
	path := "{" + parts[first].Path.String() + "}"
	d := c.report("literal_template", at.at(i).key("value"), in.step,
		fmt.Sprintf("the text has %s in it as it stands: a doubled brace is a brace, and nothing replaces it", quoteShort(mark)),
		fmt.Sprintf("if its value is meant, write %s, in single braces", path))
	ops := []patchOp{testOp(at.at(i).key("value"), text), removeOp(at.at(i))}
	for k := len(parts) - 1; k >= 0; k-- {
		ops = append(ops, patchOp{"add", at.at(i).String(), compact(writer{}.operand(parts[k]))})
	}
	d.fix("Write "+path, FixUnsafe, ops...)
}

// meantByName is the path of a value that is called so in the plan: an item here, an input or a state field.
func (c *checker) meantByName(name string, in pathScope) (Path, bool) {
	local, err := parseLocalPath(name)
	if err != nil || len(local.Parts) == 0 || isRooted(name) {
		return Path{}, false
	}
	for _, root := range [...]Root{RootItem, RootInput, RootState} {
		if p := (Path{root, local.Parts}); c.isThere(&p, in) {
			return p, true
		}
	}
	return Path{}, false
}
