package cli

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"lda.chat/wf/internal/value"
)

// bound is how much of a value is kept.
type bound struct {
	text    int // characters
	items   int // of a list, members of an object
	members int // of an object, at least, near the top: what commands answer with
	depth   int // levels
}

// cutter copies a value within a bound, so that nothing in the copy is untrue: what was cut has a mark with "…" in its place.
//
//	"a long tex… 120 more"                a text
//	["a", "b", "… 7 more"]                a list
//	{"a": 1, "…": "3 more"}               an object
//	"… 9 items", "… 4 members"            a list or an object of which nothing is left
//	"… a number of 400 digits"            a number
//
// It notes the places. When the copy is surely longer than most characters it is given up.
type cutter struct {
	bound
	most int
	cuts []string
}

// spend counts characters of the copy; false: it is too long.
func (c *cutter) spend(n int) bool {
	c.most -= n
	return c.most >= 0
}

// mark begins or ends what stands for something that was cut.
const mark = "…"

// envelope cuts an envelope. Its own members are kept, but for those that are empty.
func (c *cutter) envelope(whole value.Value) value.Value {
	var members []value.Member
	for key, x := range whole.Members() {
		if !isEmpty(x) {
			members = append(members, value.Member{Key: key, Value: c.cut(x, "/"+key, 1)})
		}
	}
	return value.Object(members...)
}

func (c *cutter) cut(v value.Value, at string, depth int) value.Value {
	n := v.Len()
	if !c.spend(1) {
		return v
	}
	switch v.Kind() {
	case value.KindString:
		s, _ := v.AsString()
		if n := utf8.RuneCountInString(s); n > c.text+len(" 1000 more") {
			c.note(at, c.text, n, "characters")
			s = shortened(s, c.text) + " " + strconv.Itoa(n-c.text) + " more"
			v = value.String(s)
		}
		c.spend(utf8.RuneCountInString(s))
	case value.KindNumber:
		if n := len(v.NumberText()); n > max(c.text, 40) {
			c.note(at, 0, n, "digits")
			return value.String(mark + " a number of " + strconv.Itoa(n) + " digits")
		}
	case value.KindArray:
		keep := min(n, c.items)
		if depth >= c.depth && n > 0 {
			keep = 0
		}
		if keep < n {
			c.note(at, keep, n, "items")
		}
		if keep == 0 && n > 0 {
			return value.String(mark + " " + counted(n, "item"))
		}
		items := make([]value.Value, 0, keep+1)
		for i := range keep {
			if c.most < 0 {
				break
			}
			items = append(items, c.cut(v.Index(i), at+"/"+strconv.Itoa(i), depth+1))
		}
		if keep < n {
			items = append(items, value.String(mark+" "+strconv.Itoa(n-keep)+" more"))
		}
		return value.Array(items...)
	case value.KindObject:
		return c.object(v, at, depth)
	}
	return v
}

// object cuts an object. A name that is too long, or that is our mark, is left out with its member.
func (c *cutter) object(v value.Value, at string, depth int) value.Value {
	n, most := v.Len(), c.items
	if depth <= 3 {
		most = max(most, c.members)
	}
	if depth >= c.depth {
		most = 0
	}
	members := make([]value.Member, 0, min(n, most)+1)
	for key, x := range v.Members() {
		if len(members) == most || !c.spend(len(key)/utf8.UTFMax) {
			break
		}
		if strings.HasPrefix(key, mark) || len(key) > max(c.text, 80) {
			continue
		}
		kept := c.cut(x, at+"/"+escape(key), depth+1)
		if key == "patch" && x.Kind() == value.KindArray && !value.Equal(kept, x) { // half a patch is worse than none
			kept = value.String(mark + " " + counted(x.Len(), "item"))
		}
		members = append(members, value.Member{Key: key, Value: kept})
	}
	kept := len(members)
	if kept == n {
		return value.Object(members...)
	}
	c.note(at, kept, n, "members")
	if kept == 0 {
		return value.String(mark + " " + counted(n, "member"))
	}
	return value.Object(append(members, value.Member{Key: mark, Value: value.String(strconv.Itoa(n-kept) + " more")})...)
}

func (c *cutter) note(at string, kept, n int, what string) {
	c.cuts = append(c.cuts, shortened(at, 80)+": "+strconv.Itoa(kept)+" of "+strconv.Itoa(n)+" "+what)
}

// list names the first places.
func (c *cutter) list() value.Value {
	most := min(len(c.cuts), 8, c.items)
	var items []value.Value
	for _, place := range c.cuts[:most] {
		items = append(items, value.String(place))
	}
	if more := len(c.cuts) - most; more > 0 {
		items = append(items, value.String(mark+" "+strconv.Itoa(more)+" more"))
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
			return s[:i] + mark
		}
		n++
	}
	return s
}
