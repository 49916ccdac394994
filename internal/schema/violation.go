package schema

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"lda.chat/wf/internal/value"
)

// Violation is one thing wrong with a value.
type Violation struct {
	Pointer  string      // RFC 6901, into the value; "" is the value itself
	Keyword  string      // what the schema says there: "type", "required"; "" where the whole schema is meant
	Message  string      // what was found and what was expected: "is a string; expected an integer"
	Expected value.Value // the keyword's value, or the missing name for "required"; absent if that says nothing
	Actual   value.Value // what stands at Pointer, absent if nothing does. Long values are cut, here and in Expected
}

func (v Violation) String() string {
	if v.Pointer == "" {
		return "the value " + v.Message
	}
	return v.Pointer + " " + v.Message
}

// maxViolations bounds what Check returns.
const maxViolations = 100

// tidy sorts by place, keyword and message, drops repetitions and cuts the list.
func tidy(list []Violation) []Violation {
	slices.SortFunc(list, func(a, b Violation) int {
		return cmp.Or(comparePointers(a.Pointer, b.Pointer), strings.Compare(a.Keyword, b.Keyword), strings.Compare(a.Message, b.Message))
	})
	list = slices.CompactFunc(list, func(a, b Violation) bool {
		return a.Pointer == b.Pointer && a.Keyword == b.Keyword && a.Message == b.Message
	})
	return slices.Clip(list[:min(len(list), maxViolations)])
}

// comparePointers puts parents before children and numbers in their order.
func comparePointers(a, b string) int {
	for a != "" && b != "" {
		var x, y string
		x, a = nextToken(a)
		y, b = nextToken(b)
		if x == y {
			continue
		}
		i, err := strconv.Atoi(x)
		j, err2 := strconv.Atoi(y)
		if err == nil && err2 == nil {
			return cmp.Or(cmp.Compare(i, j), strings.Compare(x, y))
		}
		return strings.Compare(x, y)
	}
	return cmp.Compare(len(a), len(b))
}

func nextToken(pointer string) (token, rest string) {
	pointer = pointer[1:]
	if i := strings.IndexByte(pointer, '/'); i >= 0 {
		return pointer[:i], pointer[i:]
	}
	return pointer, ""
}

// cut shortens a value for a report: long texts, lists and objects, and what is nested deep.
func cut(v value.Value) value.Value {
	if value.Size(v) <= 256 {
		return v
	}
	return cutDeep(v, 0)
}

func cutDeep(v value.Value, depth int) value.Value {
	const most = 10
	switch v.Kind() {
	case value.KindString:
		s, _ := v.AsString()
		return value.String(cutText(s, 120))
	case value.KindArray:
		if depth > 1 && v.Len() > 0 {
			return value.Array(value.String("…"))
		}
		var items []value.Value
		for i, x := range v.Items() {
			if i == most {
				items = append(items, value.String("…"))
				break
			}
			items = append(items, cutDeep(x, depth+1))
		}
		return value.Array(items...)
	case value.KindObject:
		var members []value.Member
		for i := range v.Len() {
			key, x := v.MemberAt(i)
			if i == most || depth > 1 {
				members = append(members, value.Member{Key: "…", Value: value.String("…")})
				break
			}
			members = append(members, value.Member{Key: cutText(key, 120), Value: cutDeep(x, depth+1)})
		}
		return value.Object(members...)
	}
	return v
}
