package wf

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"lda.chat/wf/internal/schema"
)

// checkNear warns of a name that a schema allows without declaring it, if it is nearly one that the schema declares. A
// schema that says something about names it does not list expects any.
func (c *checker) checkNear(where container, p *Path, skip int, at *place, step int) {
	s := where.schema
	for i := skip; i < len(p.Parts) && s != nil; i++ {
		if meant := c.nearDeclared(s, p.Parts[i]); meant != "" {
			better := Path{p.Root, slices.Clone(p.Parts)}
			better.Parts[i] = namePart(meant)
			d := c.report("name_near_miss", at, step, fmt.Sprintf("%s: %s does not declare %s, but %q", p, where, partText(p.Parts[i]), meant),
				fmt.Sprintf("did you mean %s? if not, declare the name too", better))
			place := at.key("parts").at(i)
			d.fix(fmt.Sprintf("Write %s", better), FixUnsafe, testOp(place, p.Parts[i].Name), replaceOp(place, meant))
			return
		}
		s = c.lookup(s, p.Parts[i]).schema
	}
}

// nearDeclared is the declared name that a name of which the schema says nothing was probably meant as; "" if there is none.
func (c *checker) nearDeclared(s *schema.Schema, part Part) string {
	if part.IsIndex || utf8.RuneCountInString(part.Name) < 3 || c.lookup(s, part).schema != nil {
		return ""
	}
	key := member{s, part}
	meant, known := c.near[key]
	if !known {
		names := propertyNames(s)
		if !slices.Contains(names, part.Name) {
			meant, _ = c.nearest(part.Name, names)
		}
		if strings.Map(noDigit, meant) == strings.Map(noDigit, part.Name) {
			meant = "" // page_1 and page_2 are two names
		}
		c.near[key] = meant
	}
	return meant
}

func noDigit(r rune) rune {
	if r >= '0' && r <= '9' {
		return -1
	}
	return r
}
