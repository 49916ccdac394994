package cli

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"lda.chat/wf/internal/value"
)

// Bounds of a compact answer, in characters.
const (
	defaultChars = 4000
	leastChars   = 200
)

// bound is how much of a value is kept.
type bound struct{ text, items, depth int }

// bounds go from the whole to nearly nothing; the first whose answer fits is taken.
var bounds = []bound{
	{1 << 30, 1 << 30, 1 << 30}, {2000, 200, 12}, {800, 100, 12}, {400, 40, 10}, {200, 20, 10}, {100, 10, 8},
	{60, 5, 6}, {40, 3, 5}, {30, 2, 4}, {20, 1, 3},
}

// compact writes the envelope as one line of at most so many characters: without its own members that are empty, with
// the result in brief if it has such a form, and, where that is not enough, with long texts and lists cut. Then "cut"
// lists the places, and "whole" is the command that gives all.
func (a *app) compact(out *answer) ([]byte, error) {
	e := a.envelope(out)
	if out.brief != nil {
		e.Result = out.brief
	}
	text, err := encode(e, "")
	if err != nil {
		return nil, err
	}
	whole, err := value.ParseLimits(text, &value.Limits{Bytes: 1 << 30, Depth: 1000})
	if err != nil {
		return nil, err
	}
	for _, b := range bounds {
		c := &cutter{bound: b, cuts: slices.Clone(out.left)}
		line := c.cut(whole, "", 0)
		if len(c.cuts) > 0 {
			line = line.With("cut", c.list()).With("whole", value.String(a.inFull()))
		}
		if text := inOrder(line); utf8.RuneCount(text) <= a.maxChars {
			return append(text, '\n'), nil
		}
	}
	least := value.Object(
		value.Member{Key: "ok", Value: whole.Get("ok")},
		value.Member{Key: "cut", Value: value.Array(value.String("everything else"))},
		value.Member{Key: "whole", Value: value.String(shortened(a.inFull(), leastChars/2))},
	)
	return append(inOrder(least), '\n'), nil
}

// inOrder writes an envelope with its members in reading order.
func inOrder(envelope value.Value) []byte {
	text := []byte{'{'}
	for _, key := range []string{"ok", "result", "diagnostics", "next_actions", "cut", "whole", "meta"} {
		if v := envelope.Get(key); !v.IsAbsent() {
			if len(text) > 1 {
				text = append(text, ',')
			}
			text = append(value.String(key).AppendJSON(text), ':')
			text = v.AppendJSON(text)
		}
	}
	return append(text, '}')
}

// cutter copies a value within a bound and notes what it left out.
type cutter struct {
	bound
	cuts []string
}

func (c *cutter) cut(v value.Value, at string, depth int) value.Value {
	switch v.Kind() {
	case value.KindString:
		s, _ := v.AsString()
		if n := utf8.RuneCountInString(s); n > c.text {
			c.note(at, c.text, n, "characters")
			return value.String(shortened(s, c.text))
		}
	case value.KindArray:
		keep := c.room(at, v.Len(), depth, "items")
		items := make([]value.Value, 0, keep)
		for i := range keep {
			items = append(items, c.cut(v.Index(i), at+"/"+strconv.Itoa(i), depth+1))
		}
		return value.Array(items...)
	case value.KindObject:
		keep := c.room(at, v.Len(), depth, "members")
		var members []value.Member
		for key, x := range v.Members() {
			if len(members) == keep {
				break
			}
			if depth > 0 || !isEmpty(x) {
				members = append(members, value.Member{Key: key, Value: c.cut(x, at+"/"+key, depth+1)})
			}
		}
		return value.Object(members...)
	}
	return v
}

// room says how many of n parts are kept. Of the envelope itself all are.
func (c *cutter) room(at string, n, depth int, what string) int {
	keep := n
	if what == "items" || depth > 3 {
		keep = min(n, c.items)
	}
	if depth >= c.depth {
		keep = 0
	}
	if keep < n {
		c.note(at, keep, n, what)
	}
	return keep
}

func (c *cutter) note(at string, kept, n int, what string) {
	c.cuts = append(c.cuts, at+": "+strconv.Itoa(kept)+" of "+strconv.Itoa(n)+" "+what)
}

// list names the first places.
func (c *cutter) list() value.Value {
	most := min(len(c.cuts), 8, c.items)
	var items []value.Value
	for _, place := range c.cuts[:most] {
		items = append(items, value.String(place))
	}
	if more := len(c.cuts) - most; more > 0 {
		items = append(items, value.String(strconv.Itoa(more)+" more"))
	}
	return value.Array(items...)
}

func isEmpty(v value.Value) bool {
	switch v.Kind() {
	case value.KindNull:
		return true
	case value.KindString:
		s, _ := v.AsString()
		return s == ""
	case value.KindArray, value.KindObject:
		return v.Len() == 0
	}
	return false
}

// shortened keeps the first characters of a text and says that there were more.
func shortened(s string, most int) string {
	n := 0
	for i := range s {
		if n == most {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

// inFull is the command that was given, with the format that leaves nothing out.
func (a *app) inFull() string {
	words := []string{"wf"}
	for i := 0; i < len(a.Args); i++ {
		arg := a.Args[i]
		switch {
		case arg == "-o" || arg == "--format" || arg == "--max-output-chars":
			i++
		case strings.HasPrefix(arg, "-o") || strings.HasPrefix(arg, "--format=") || strings.HasPrefix(arg, "--max-output-chars="):
		default:
			words = append(words, quoted(arg))
		}
	}
	return strings.Join(append(words, "--format", "json"), " ")
}

// quoted writes an argument as a POSIX shell reads it.
func quoted(arg string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./,:=@%+", r)
	}
	if arg != "" && strings.IndexFunc(arg, func(r rune) bool { return !plain(r) }) < 0 {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}
