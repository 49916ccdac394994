package corpus

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lda.chat/wf/internal/value"
)

// counts are the least numbers of arguments.
var counts = map[string]int{"calls": 2, "starts": 2, "order": 1, "input": 2, "visits": 2, "open": 0, "request": 2, "out": 0, "cancelled": 1,
	"same_key": 1, "now": 1, "finding": 2, "refused": 1}

var reported = []string{"status", "outcome", "output", "state", "error"}

func (a *action) expect(rest string) error {
	what, rest := word(rest)
	a.args = []string{what}
	if least, ok := counts[what]; ok {
		if what == "input" || what == "request" {
			id, text := word(rest)
			a.args = append(a.args, id)
			v, err := value.Parse([]byte(text))
			a.payload = v
			return err
		}
		a.args = append(a.args, strings.Fields(rest)...)
		if len(a.args)-1 < least {
			return fmt.Errorf("%q needs more", what)
		}
		return nil
	}
	root, _, _ := strings.Cut(strings.Map(func(r rune) rune {
		if r == '[' {
			return '.'
		}
		return r
	}, what), ".")
	if !slices.Contains(reported, root) {
		return fmt.Errorf("nobody knows %q", what)
	}
	if _, err := pathOf(what); err != nil {
		return err
	}
	if text, ok := strings.CutPrefix(rest, "has "); ok {
		part, err := strconv.Unquote(strings.TrimSpace(text))
		a.args = append(a.args, part)
		return err
	}
	switch {
	case rest == "":
		return fmt.Errorf("the value is missing")
	case rest == "absent":
	default:
		v, err := value.Parse([]byte(rest))
		if err != nil {
			v = value.String(rest)
		}
		a.payload = v
	}
	return nil
}

// pathOf reads state.items[0].title.
func pathOf(text string) (value.Path, error) {
	var p value.Path
	for part := range strings.SplitSeq(strings.ReplaceAll(text, "[", ".["), ".") {
		digits, ok := strings.CutPrefix(part, "[")
		if !ok {
			p = append(p, value.Part{Key: part})
			continue
		}
		n, err := strconv.Atoi(strings.TrimSuffix(digits, "]"))
		if err != nil || n < 0 {
			return nil, fmt.Errorf("%q is no position", part)
		}
		p = append(p, value.Part{Index: n, IsIndex: true})
	}
	return p, nil
}
