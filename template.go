package wf

import (
	"encoding/json"
	"fmt"
	"strings"
)

// ParseTemplate reads a text with paths in braces, "Repos-{item.repo}", as the operand that joins its parts. A
// brace that is meant as such is doubled: "{{" and "}}". A doubled brace around a path, as other template languages
// have it, is an error, not a text with braces in it.
func ParseTemplate(text string) (Operand, error) {
	parts := []Operand{}
	var literal strings.Builder
	flush := func() {
		if literal.Len() > 0 {
			parts = append(parts, textLiteral(literal.String()))
			literal.Reset()
		}
	}
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c != '{' && c != '}':
			literal.WriteByte(c)
			i++
		case strings.HasPrefix(text[i:], "{{") && bracedPath(text[i+1:]) != "":
			return Operand{}, fmt.Errorf("template %q: a path stands in single braces: {%s}", text, bracedPath(text[i+1:]))
		case i+1 < len(text) && text[i+1] == c:
			literal.WriteByte(c)
			i += 2
		case c == '}':
			return Operand{}, fmt.Errorf(`template %q: a "}" without a "{" before it; a brace in the text is doubled: "}}"`, text)
		default:
			inside, ok := braced(text[i:])
			if !ok {
				return Operand{}, fmt.Errorf(`template %q: a "{" without a "}" after it; a brace in the text is doubled: "{{"`, text)
			}
			path, err := ParsePath(inside)
			if err != nil {
				return Operand{}, fmt.Errorf("template %q: %w", text, err)
			}
			flush()
			parts = append(parts, Operand{Path: &path})
			i += len(inside) + 2
		}
	}
	flush()
	return Operand{Text: parts}, nil
}

// braced returns what stands between the brace at the beginning of a text and the one that closes it.
func braced(text string) (inside string, ok bool) {
	quoted := false
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && quoted:
			i++
		case c == '}' && !quoted:
			return text[1:i], true
		}
	}
	return "", false
}

// bracedPath returns the path in braces at the beginning of a text, spaces around it left out; "" if there is none.
func bracedPath(text string) string {
	inside, ok := braced(text)
	inside = strings.TrimSpace(inside)
	if _, err := ParsePath(inside); !ok || err != nil {
		return ""
	}
	return inside
}

// templateText writes the parts of a text as a template; false if the template would not read back as these parts.
func templateText(parts []Operand) (string, bool) {
	var b strings.Builder
	for _, part := range parts {
		switch s, isText := jsonString(part.Value); {
		case part.Default != nil:
			return "", false
		case isText:
			b.WriteString(doubleBraces.Replace(s))
		case part.Path != nil:
			b.WriteString("{" + part.Path.String() + "}")
		default:
			return "", false
		}
	}
	back, err := ParseTemplate(b.String())
	return b.String(), err == nil && equalOperands(back.Text, parts)
}

// equalOperands compares the parts of templates: texts and paths.
func equalOperands(a, b []Operand) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if (a[i].Path == nil) != (b[i].Path == nil) || string(a[i].Value) != string(b[i].Value) {
			return false
		}
		if a[i].Path != nil && !a[i].Path.Equal(*b[i].Path) {
			return false
		}
	}
	return true
}

// textLiteral is the operand of a literal text.
func textLiteral(s string) Operand { return Operand{Value: json.RawMessage(quoteJSON(s))} }

var doubleBraces = strings.NewReplacer("{", "{{", "}", "}}")
