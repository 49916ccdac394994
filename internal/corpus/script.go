package corpus

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"lda.chat/wf/internal/value"
)

// Script says how the capabilities answer, what happens to the run and what must hold: see the package.
type Script struct {
	answers map[string][]Answer
	actions []action
}

// action is one thing that happens.
type action struct {
	line    int
	verb    string
	args    []string
	payload value.Value
	refused string
	span    int64 // nanoseconds
}

// ParseScript reads a script.
func ParseScript(text string) (*Script, error) {
	s := &Script{answers: map[string][]Answer{}}
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if err := s.line(n, line); err != nil {
			return nil, fmt.Errorf("line %d: %w: %s", n, err, line)
		}
	}
	return s, nil
}

func (s *Script) line(n int, line string) error {
	verb, rest := word(line)
	a := action{line: n, verb: verb}
	var err error
	switch verb {
	case "answer":
		return s.answer(rest)
	case "wait":
	case "until":
		a.args = strings.Fields(rest)
	case "advance":
		a.span, err = span(rest)
	case "cancel":
		var reason string
		if reason, err = strconv.Unquote(rest); err != nil {
			return fmt.Errorf("a reason in quotes is expected")
		}
		a.args = []string{reason}
	case "resume":
		err = a.resume(rest)
	case "expect":
		err = a.expect(rest)
	default:
		err = fmt.Errorf("unknown %q", verb)
	}
	if err == nil && verb == "until" && len(a.args) != 1 {
		err = fmt.Errorf("one visit is expected")
	}
	s.actions = append(s.actions, a)
	return err
}

// resume reads ID OUTCOME [PAYLOAD] [refused CODE].
func (a *action) resume(rest string) error {
	id, rest := word(rest)
	outcome, rest := word(rest)
	if i := strings.LastIndex(rest, " refused "); i >= 0 {
		a.refused, rest = strings.TrimSpace(rest[i+len(" refused "):]), rest[:i]
	}
	a.args = []string{id, outcome}
	a.payload = value.Object()
	if rest = strings.TrimSpace(rest); rest != "" {
		v, err := value.Parse([]byte(rest))
		a.payload = v
		return err
	}
	if outcome == "" {
		return fmt.Errorf("an interrupt and an outcome are expected")
	}
	return nil
}

// word cuts the first word off.
func word(s string) (first, rest string) {
	first, rest, _ = strings.Cut(strings.TrimSpace(s), " ")
	return first, strings.TrimSpace(rest)
}

// span reads a duration, which may begin with days.
func span(s string) (int64, error) {
	days := int64(0)
	if d, rest, ok := strings.Cut(s, "d"); ok {
		n, err := strconv.ParseUint(d, 10, 31)
		if err != nil || n > 100_000 {
			return 0, fmt.Errorf("no number of days: %q", d)
		}
		days, s = int64(n), rest
		if s == "" {
			s = "0s"
		}
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("no span of time: %q", s)
	}
	return days*int64(24*time.Hour) + int64(d), nil
}
