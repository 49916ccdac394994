package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The formats of what a command answers.
const (
	formatText    = "text"
	formatTable   = "table"
	formatJSON    = "json"
	formatCompact = "compact"
	formatJSONL   = "jsonl"
)

// formatVariable is the environment's format, where --format gives none.
const formatVariable = "WF_FORMAT"

var formats = []string{formatText, formatTable, formatJSON, formatCompact, formatJSONL}

// wantedFormat finds the format before the command line is parsed, so that what is wrong with it is told in the
// format that was asked for. It never depends on what standard output is.
func (a *app) wantedFormat() string {
	for _, want := range []string{a.wanted("format", "o"), a.Env(formatVariable)} {
		if want != "" {
			if !slices.Contains(formats, want) {
				break
			}
			return want
		}
	}
	return formatText
}

// wantedChars finds how long a compact answer may be in the same way.
func (a *app) wantedChars() int {
	most := defaultChars
	if want := a.wanted("max-output-chars", ""); want != "" {
		_ = chars{&most}.Set(want) // it is told when the command line is parsed
	}
	return most
}

// wanted is the last value that the arguments give a flag; "" if they give it none.
func (a *app) wanted(name, letter string) (want string) {
	for i, arg := range a.Args {
		if arg == "--" {
			break
		}
		switch flag, val, has := strings.Cut(arg, "="); {
		case flag == "--"+name && has, letter != "" && flag == "-"+letter && has:
			want = val
		case arg == "--"+name || letter != "" && arg == "-"+letter:
			if i+1 < len(a.Args) {
				want = a.Args[i+1]
			}
		case letter != "" && strings.HasPrefix(arg, "-"+letter):
			want = arg[2:]
		}
	}
	return want
}

// choice is a flag that has one of a few values.
type choice struct {
	value   *string
	allowed []string
}

func (c choice) String() string { return *c.value }
func (c choice) Type() string   { return strings.Join(c.allowed, "|") }
func (c choice) Set(s string) error {
	if !slices.Contains(c.allowed, s) {
		return fmt.Errorf("expected one of %s%s", strings.Join(c.allowed, ", "), orNearest(s, c.allowed))
	}
	*c.value = s
	return nil
}

// positive is a flag that is a span of time above zero, in seconds if it has no unit, as in plans; zero, its default, is none.
type positive struct{ value *time.Duration }

func (p positive) String() string {
	if p.value == nil || *p.value == 0 {
		return ""
	}
	return p.value.String()
}
func (p positive) Type() string { return "duration" }
func (p positive) Set(s string) error {
	d, err := time.ParseDuration(s)
	if strings.Trim(s, "0123456789.") == "" {
		d, err = time.ParseDuration(s + "s")
	}
	if err != nil || d <= 0 {
		return fmt.Errorf("expected a span of time above zero, as 500ms, 30s, 2m, or 30, which is seconds")
	}
	*p.value = d
	return nil
}

// chars is a flag that is a number of characters.
type chars struct{ value *int }

func (c chars) String() string { return strconv.Itoa(*c.value) }
func (c chars) Type() string   { return "number" }
func (c chars) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < leastChars {
		return fmt.Errorf("expected a number of at least %d", leastChars)
	}
	*c.value = n
	return nil
}
