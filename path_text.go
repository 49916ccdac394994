package wf

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lda.chat/wf/internal/value"
)

// ParsePath reads a path written as text: a root (input, state, steps, item, context, local), then any number of
// members (.title, ["odd name"]) and elements ([0]). A member's plain name has letters, digits, "_" and "-" of ASCII
// and begins with a letter or "_". The error says at which byte the text stops being a path, and why.
func ParsePath(text string) (Path, error) {
	root, rest, ok := cutRoot(text)
	if !ok {
		return Path{}, fmt.Errorf("path %q has no root: a path begins with %s", text, rootList())
	}
	parts, err := parseParts(text, len(text)-len(rest))
	if err != nil {
		return Path{}, err
	}
	return Path{Root: root, Parts: parts}, nil
}

// parseLocalPath reads the text of a path below local, whose root may be left out: "title", "items[0]", "." (the
// whole value), "local.title". A longer text that begins like another path is none: it is local.item.title then.
func parseLocalPath(text string) (Path, error) {
	root, rest, rooted := cutRoot(text)
	switch {
	case rooted && root == RootLocal:
		return ParsePath(text)
	case rooted && rest != "":
		return Path{}, fmt.Errorf("%q begins with the root %s, where a path below local is expected; for a field of that name write %q", text, root, "local."+text)
	case text == ".":
		return Path{Root: RootLocal}, nil
	case text == "":
		return Path{}, errors.New(`an empty text is no path: "." is the whole value`)
	}
	prefixed := "." + text
	if text[0] == '[' {
		prefixed = text
	}
	parts, err := parseParts(prefixed, 0)
	return Path{Root: RootLocal, Parts: parts}, err
}

// isRooted reports whether a text begins like a path: with a root that ends there or goes on with "." or "[".
func isRooted(text string) bool { _, _, ok := cutRoot(text); return ok }

// cutRoot takes the root off a text that begins like a path.
func cutRoot(text string) (root Root, rest string, ok bool) {
	name := text
	if i := strings.IndexAny(text, ".["); i >= 0 {
		name, rest = text[:i], text[i:]
	}
	return Root(name), rest, slices.Contains(roots, Root(name))
}

func rootList() string {
	return "input, state, steps, item, context or local"
}

// parseParts reads the parts of a path from a byte offset on.
func parseParts(text string, pos int) ([]Part, error) {
	var parts []Part
	for pos < len(text) {
		var part Part
		var err error
		switch text[pos] {
		case '.':
			part, pos, err = parseMember(text, pos)
		case '[':
			part, pos, err = parseBracket(text, pos)
		default:
			err = pathError(text, pos, `a part begins with "." or "["`)
		}
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return parts, nil
}

// parseMember reads .name; pos is that of the dot.
func parseMember(text string, pos int) (Part, int, error) {
	end := len(text)
	if i := strings.IndexAny(text[pos+1:], ".["); i >= 0 {
		end = pos + 1 + i
	}
	name := text[pos+1 : end]
	switch {
	case name == "":
		return Part{}, 0, pathError(text, pos, "a name is missing after the dot")
	case isPlainName(name):
		return namePart(name), end, nil
	case isDigits(name):
		return Part{}, 0, pathError(text, pos, fmt.Sprintf(`an element is written [%s], a member with that name ["%s"]`, name, name))
	}
	return Part{}, 0, pathError(text, pos, fmt.Sprintf("this name needs brackets and quotes: [%s]", quoteJSON(name)))
}

// parseBracket reads [3] or ["name"]; pos is that of the bracket.
func parseBracket(text string, pos int) (Part, int, error) {
	inside := text[pos+1:]
	if strings.HasPrefix(inside, `"`) {
		return parseQuoted(text, pos)
	}
	digits, _, closed := strings.Cut(inside, "]")
	index, err := strconv.ParseInt(digits, 10, 32)
	switch {
	case !closed:
		return Part{}, 0, pathError(text, pos, `"]" is missing`)
	case digits == "*" || digits == "":
		return Part{}, 0, pathError(text, pos, "a path addresses one value: a foreach step goes through the elements of an array")
	case strings.HasPrefix(digits, "-"):
		return Part{}, 0, pathError(text, pos, "an index counts from 0 at the front; there are no negative ones")
	case strings.HasPrefix(digits, "'"):
		return Part{}, 0, pathError(text, pos, `a name in brackets is a JSON string, in double quotes: ["name"]`)
	case !isDigits(digits) || len(digits) > 1 && digits[0] == '0':
		return Part{}, 0, pathError(text, pos, `brackets hold an index such as [0] or a name in double quotes: ["name"]`)
	case err != nil:
		return Part{}, 0, pathError(text, pos, "the index is too large")
	}
	return indexPart(int(index)), pos + len(digits) + 2, nil
}

// parseQuoted reads ["name"].
func parseQuoted(text string, pos int) (Part, int, error) {
	end := pos + 2
	for end < len(text) && text[end] != '"' {
		if text[end] == '\\' {
			end++
		}
		end++
	}
	if end+1 >= len(text) || text[end+1] != ']' {
		return Part{}, 0, pathError(text, pos, `"]" is missing after the quoted name`)
	}
	quoted, err := value.Parse([]byte(text[pos+1 : end+1]))
	name, ok := quoted.AsString()
	if err != nil || !ok {
		return Part{}, 0, pathError(text, pos, "the quoted name is not a JSON string")
	}
	return namePart(name), end + 2, nil
}

func pathError(text string, pos int, problem string) error {
	return fmt.Errorf("path %q, at character %d: %s", text, len([]rune(text[:pos]))+1, problem)
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
