package corpus

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"lda.chat/wf/internal/value"
)

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
