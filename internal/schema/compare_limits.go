package schema

import (
	"fmt"
	"slices"
	"strconv"

	"lda.chat/wf/internal/value"
)

// numbers compares the bounds.
func (f *differ) numbers(at place, before, after side, path string) {
	var was, is span
	var multiples [2][]value.Value
	for i, side := range []side{before, after} {
		s := []*span{&was, &is}[i]
		for _, n := range side.all {
			if n.number != nil {
				s.narrow(n.number)
				if m := n.number.multipleOf; !m.IsAbsent() {
					multiples[i] = append(multiples[i], m)
				}
			}
		}
	}
	f.bound(at, path, "smallest number", was.low, is.low, was.lowStrict, is.lowStrict, 1, "minimum", "exclusiveMinimum")
	f.bound(at, path, "largest number", was.high, is.high, was.highStrict, is.highStrict, -1, "maximum", "exclusiveMaximum")
	if !slices.EqualFunc(multiples[0], multiples[1], value.Equal) {
		f.add(at, path, "multipleOf changed", f.effect(at.old, at.new), "multipleOf")
	}
}

// bound compares one; sign is 1 where more means narrower.
func (f *differ) bound(at place, path, name string, was, is value.Value, wasStrict, isStrict bool, sign int, keywords ...string) {
	if was.IsAbsent() && is.IsAbsent() {
		return
	}
	order := 0
	switch {
	case was.IsAbsent():
		order = 1
	case is.IsAbsent():
		order = -1
	default:
		c, _ := value.Compare(is, was)
		if order = c * sign; order == 0 && wasStrict != isStrict {
			order = -1
			if isStrict {
				order = 1
			}
		}
	}
	if order == 0 {
		return
	}
	e := narrows
	if order < 0 {
		e = widens
	}
	f.add(at, path, fmt.Sprintf("%s: was %s, is %s", name, limitText(was, wasStrict), limitText(is, isStrict)), e, keywords...)
}

func limitText(v value.Value, strict bool) string {
	switch {
	case v.IsAbsent():
		return "not limited"
	case strict:
		return "beyond " + excerpt(v)
	}
	return excerpt(v)
}

// counts compares the limits of a length.
func (f *differ) counts(at place, path, of string, was, is [2]int, keywords [2]string) {
	if was[0] != is[0] {
		e := narrows
		if is[0] < was[0] {
			e = widens
		}
		f.add(at, path, fmt.Sprintf("%s: at least %d before, %d now", of, was[0], is[0]), e, keywords[0])
	}
	if was[1] != is[1] {
		e := widens
		if is[1] < was[1] {
			e = narrows
		}
		f.add(at, path, fmt.Sprintf("%s: at most %s before, %s now", of, countText(was[1]), countText(is[1])), e, keywords[1])
	}
}

func countText(n int) string {
	if n == unbounded {
		return "any number"
	}
	return strconv.Itoa(n)
}

func (f *differ) strings(at place, before, after side, path string) {
	limits := [2][2]int{{0, unbounded}, {0, unbounded}}
	var patterns [2][]string
	for i, side := range []side{before, after} {
		for _, n := range side.all {
			if r := n.str; r != nil {
				limits[i] = [2]int{max(limits[i][0], r.min), min(limits[i][1], r.max)}
				if r.pattern != nil {
					patterns[i] = append(patterns[i], r.pattern.String())
				}
			}
		}
		slices.Sort(patterns[i])
	}
	f.counts(at, path, "code points", limits[0], limits[1], [2]string{"minLength", "maxLength"})
	if !slices.Equal(patterns[0], patterns[1]) {
		f.add(at, path, fmt.Sprintf("the pattern was %s, is %s", patternText(patterns[0]), patternText(patterns[1])), f.effect(at.old, at.new), "pattern")
	}
}

func patternText(list []string) string {
	if len(list) == 0 {
		return "not given"
	}
	return cutText(strconv.Quote(list[0]), maxExcerpt)
}
