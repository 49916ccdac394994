package wf

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"lda.chat/wf/internal/value"
)

// pathMarks find what stands for a path in a longer text, as templates of this and of other languages have it.
var pathMarks = regexp.MustCompile(`\$?\{\{([^{}]*)\}\}|\$?\{([^{}]*)\}|\$\.(?:input|state|steps|item|context)(?:\.[A-Za-z_][A-Za-z0-9_-]*|\[[0-9]+\])+`)

// markedPath is the path that such a mark stands for.
func markedPath(mark string, groups ...string) (path Path, ok bool) {
	inner := strings.TrimPrefix(mark, "$.")
	for _, group := range groups {
		if group != "" {
			inner = strings.TrimPrefix(strings.TrimSpace(group), "$.")
		}
	}
	path, err := ParsePath(inner)
	return path, err == nil && len(path.Parts) > 0
}

// templateOf turns a text with such marks into a template of ours; ok is false if it has none, or others too.
func templateOf(text string) (template string, ok bool) {
	var b strings.Builder
	at := 0
	for _, m := range pathMarks.FindAllStringSubmatchIndex(text, -1) {
		group := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return text[m[2*i]:m[2*i+1]]
		}
		path, isPath := markedPath(group(0), group(1), group(2))
		if !isPath {
			return "", false
		}
		b.WriteString(doubleBraces.Replace(text[at:m[0]]) + "{" + path.String() + "}")
		at = m[1]
	}
	if at == 0 {
		return "", false
	}
	b.WriteString(doubleBraces.Replace(text[at:]))
	_, err := ParseTemplate(b.String())
	return b.String(), err == nil
}

// hasMarks reports whether a text, as it stands, may have been meant for somebody to fill in.
func hasMarks(text string) bool {
	return strings.Contains(text, "{{") || strings.Contains(text, "${") || slices.ContainsFunc(pathMarks.FindAllString(text, -1), func(mark string) bool {
		_, isPath := markedPath(mark, strings.Trim(mark, "${}"))
		return isPath
	})
}

// bareTemplate reports a text with paths in it that stands where an operand is read, and reads it as the template it is meant for.
func (r *reader) bareTemplate(v value.Value, s, at string) (parts []Operand, ok bool) {
	if isRooted(s) || !strings.ContainsAny(s, "{$") {
		return nil, false
	}
	if _, wrapped := unwrapPath(s); wrapped {
		return nil, false
	}
	text, ok := templateOf(s)
	if !ok {
		return nil, false
	}
	template, _ := ParseTemplate(text)
	fixed := value.Object(value.Member{Key: "text", Value: value.String(text)})
	r.add(Diagnostic{Code: "template_bare", Path: at, RepairHint: "write " + shorten(fixed.String(), 120),
		Message: fmt.Sprintf(`a text with paths in it is a template, an object with "text"; found %s`, quoteShort(s)),
		Fixes:   []Fix{r.replace(v, at, fixed, FixSafe)}})
	return template.Text, true
}
