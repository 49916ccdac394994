package corpus

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"lda.chat/wf/internal/value"
)

// Script says how the capabilities answer, what happens to the run and what must hold. It is read line by line; # begins a
// comment. TARGET is a capability's ref (t.work), a step (work) or a visit (/each[2]/work#2); what is nearer to the call
// counts. Calls of one target take its answers in order, and the last again and again; without any it is ok {}.
//
//	answer TARGET [after 10ms] [late] ok {"n": 1}        outcome and output
//	answer TARGET [after 10ms] [late] echo               ok, with the input as the output
//	answer TARGET [after 10ms] fail transport [unsent] "message"
//	answer TARGET hang                                   until it is cancelled
//
// late is a call that ignores its cancellation. An answer takes a millisecond if nothing else is said. Then, in order:
//
//	wait                                  until the run stops
//	until /each[2]/work                   until that call is answered
//	advance 30d                           let time pass, with all that falls due meanwhile
//	resume /ask yes {"note": "x"}         answer an interrupt, by - the only one
//	resume /ask yes {} refused already_resumed
//	cancel "reason"
//	expect …                              see [Expectation]
//
// The run starts before the first of them, and after the last it goes on until it stops.
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

func (s *Script) answer(rest string) (err error) {
	target, rest := word(rest)
	a := Answer{After: int64(time.Millisecond), Output: value.Object()}
	for {
		var w string
		w, rest = word(rest)
		switch w {
		case "":
			return fmt.Errorf("what it answers is missing")
		case "after":
			w, rest = word(rest)
			if a.After, err = span(w); err != nil {
				return err
			}
			continue
		case "late":
			a.Late = true
			continue
		case "hang":
			a.Hang = true
		case "echo":
			a.Outcome, a.Echo = "ok", true
		case "fail":
			a.Code, rest = word(rest)
			if flag, after := word(rest); flag == "unsent" {
				a.Unsent, rest = true, after
			}
			if a.Message, err = strconv.Unquote(rest); err != nil || a.Code == "" {
				return fmt.Errorf("a failure has a code, and a message in quotes")
			}
			rest = ""
		default:
			a.Outcome = w
			if rest != "" {
				if a.Output, err = value.Parse([]byte(rest)); err != nil {
					return err
				}
			}
			rest = ""
		}
		if rest != "" {
			return fmt.Errorf("too much: %q", rest)
		}
		s.answers[target] = append(s.answers[target], a)
		return nil
	}
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

// next gives the answer to a call, and counts it.
func (s *Script) next(c *Call, used map[string]int) Answer {
	for _, target := range []string{c.Visit, c.Step, c.Ref} {
		if list := s.answers[target]; len(list) > 0 {
			n := used[target]
			used[target]++
			return list[min(n, len(list)-1)]
		}
	}
	return Answer{Outcome: "ok", Output: value.Object(), After: int64(time.Millisecond)}
}

// unused names the targets that no call had.
func (s *Script) unused(used map[string]int) []string {
	var names []string
	for target := range s.answers {
		if used[target] == 0 {
			names = append(names, target)
		}
	}
	slices.Sort(names)
	return names
}
