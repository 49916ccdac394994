package schema

import (
	"regexp"
	"regexp/syntax"
	"strings"

	"lda.chat/wf/internal/value"
)

// Matching is linear in the text, but also in the number of states of the pattern, and a short pattern can have many: (?:…){1000}
// has a thousand copies of what is in the brackets. So the states are bounded, and count where a value is checked.
const (
	maxStates    = 4_096   // of one pattern: room for .{1,1000} twice
	maxAllStates = 100_000 // of all patterns of one document
	classStates  = 40      // what a class of Unicode, a long table, counts as
)

// compile returns nil for a pattern that is not checked.
func (r *reader) compile(source string, keyword ...string) (re *regexp.Regexp, states int) {
	if len(source) > r.limits.PatternLen {
		r.refuse(r.place(keyword...), CodeTooLarge, "the pattern has %d bytes; at most %d are allowed", len(source), r.limits.PatternLen)
		return nil, 0
	}
	ignore := func(why string) (*regexp.Regexp, int) {
		r.n.unchecked = true
		r.warn(r.place(keyword...), CodePatternUnsupported, "%s %s; it is ignored", excerpt(value.String(source)), why)
		return nil, 0
	}
	if r.states >= maxAllStates {
		return ignore("and the patterns before it have too many states, repetitions counted")
	}
	re, states, err := compilePattern(source)
	r.states += states
	switch {
	case err != nil:
		return ignore("is not a pattern that can be checked here (RE2: no look-around, no back-reference)")
	case re == nil:
		return ignore("has too many states, repetitions counted")
	}
	return re, states
}

// compilePattern returns nil for a pattern of too many states. It finds out before they are made.
func compilePattern(source string) (re *regexp.Regexp, states int, err error) {
	classes := classStates * (strings.Count(source, `\p`) + strings.Count(source, `\P`))
	if states = len(source) + classes; classes > maxStates {
		return nil, states, nil
	}
	parsed, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return nil, states, err
	}
	if states = max(statesOf(parsed), classes); states <= maxStates {
		re, err = regexp.Compile(source)
	}
	return re, states, err
}

// statesOf estimates the size of a pattern's program before it is made.
func statesOf(p *syntax.Regexp) int {
	states := 1
	switch p.Op {
	case syntax.OpLiteral:
		return len(p.Rune)
	case syntax.OpCharClass:
		return 1 + len(p.Rune)/64
	}
	for _, sub := range p.Sub {
		states += statesOf(sub)
	}
	if p.Op == syntax.OpRepeat {
		states *= max(p.Min, p.Max, 1)
	}
	return states
}

// fuelOf is what matching costs.
func fuelOf(states int, text string) int { return states * len(text) >> 8 }
