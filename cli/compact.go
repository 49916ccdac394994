package cli

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"lda.chat/wf/internal/value"
	"lda.chat/wf/lifecycle"
)

// Bounds of a compact answer, in characters.
const (
	defaultChars = 4000
	leastChars   = 200
)

// bounds go from the whole to nearly nothing: elements go before texts.
var bounds = []bound{
	{1 << 30, 1 << 30, 1 << 30, 1 << 30}, {2000, 1000, 14, 12}, {800, 200, 14, 12}, {400, 60, 14, 12}, {200, 20, 14, 10}, {120, 10, 14, 8},
	{120, 5, 14, 6}, {120, 3, 14, 5}, {120, 3, 6, 4}, {80, 2, 4, 4}, {60, 2, 3, 3}, {40, 1, 2, 3}, {40, 1, 1, 2}, {40, 1, 1, 1},
}

// compact writes the envelope as one line of at most so many characters: without its own members that are empty, with
// the result in brief if it has such a form, and, where that is not enough, with long texts and lists cut as [cutter]
// does it. Then "cut" lists the places, and "whole" is the command that gives all.
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
	c := &compactor{whole: whole, left: out.left, command: shortened(cmp.Or(out.whole, a.inFull()), a.maxChars/3), most: a.maxChars}
	return append(c.line(), '\n'), nil
}

// compactor finds the bound that keeps most of an envelope.
type compactor struct {
	whole   value.Value
	left    []string // what is left out already
	command string   // that gives all
	most    int      // characters
}

// line takes the first of the bounds whose answer fits, then keeps more elements, and then longer texts, as far as there is room.
func (c *compactor) line() []byte {
	for i, b := range bounds {
		line, fits := c.within(b)
		if !fits {
			continue
		}
		if i == 0 {
			return line
		}
		for _, part := range []*int{&b.items, &b.text} {
			for low, high := *part, c.most; low < high; {
				middle := (low + high + 1) / 2
				kept := *part
				*part = middle
				if more, fits := c.within(b); fits {
					line, low = more, middle
				} else {
					high, *part = middle-1, kept
				}
			}
		}
		return line
	}
	least := value.Object(
		value.Member{Key: "ok", Value: c.whole.Get("ok")},
		value.Member{Key: "cut", Value: value.Array(value.String("everything else"))},
	)
	if line := inOrder(least.With("whole", value.String(c.command))); utf8.RuneCount(line) <= c.most {
		return line
	}
	return inOrder(least)
}

// within cuts the envelope within a bound.
func (c *compactor) within(b bound) (line []byte, fits bool) {
	cut := &cutter{bound: b, most: c.most, cuts: slices.Clone(c.left)}
	envelope := cut.envelope(c.whole)
	if cut.most < 0 {
		return nil, false
	}
	if len(cut.cuts) > 0 {
		envelope = envelope.With("cut", cut.list()).With("whole", value.String(c.command))
	}
	line = inOrder(envelope)
	return line, utf8.RuneCount(line) <= c.most
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

// inFull is the command that was given, with the format that leaves nothing out.
func (a *app) inFull() string { return a.again() + " --format json" }

// again is the command that was given, without its format.
func (a *app) again() string {
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
	return withoutPassword(strings.Join(words, " "))
}

var password = regexp.MustCompile(`(://[^:/@\s']*):[^@/\s']*@`)

// withoutPassword takes the passwords out of the addresses in a text. A server gets it from the environment then.
func withoutPassword(text string) string { return password.ReplaceAllString(text, "$1@") }

// quoted writes an argument as a POSIX shell reads it.
func quoted(arg string) string { return lifecycle.Quote(arg) }
