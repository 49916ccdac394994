package plandiff

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/internal/value"
)

var escaper = strings.NewReplacer("~", "~0", "/", "~1")

func escape(token string) string { return escaper.Replace(token) }

func keys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// membersOf lists the members of an object, of anything else none.
func membersOf(v value.Value) []string {
	var names []string
	for name := range v.Members() {
		names = append(names, name)
	}
	return names
}

// mostShown bounds, in bytes, what a change shows of the plans; mostQuoted, in characters, what its message does.
const (
	mostShown  = 4 << 10
	mostQuoted = 80
)

func shown(v value.Value) json.RawMessage {
	if v.IsAbsent() || value.Size(v) > mostShown {
		return nil
	}
	return v.JSON()
}

// text quotes a value; a path, as the short form has it, stands by itself.
func text(v value.Value) string {
	if v.IsAbsent() {
		return "not given"
	}
	s := []rune(string(v.JSON()))
	if len(s) > mostQuoted {
		return string(s[:mostQuoted]) + "…"
	}
	return string(s)
}

// from says how a value became another.
func from(was, is value.Value) string { return fmt.Sprintf("was %s, is %s", text(was), text(is)) }

func kindOf(was, is value.Value) Kind {
	switch {
	case was.IsAbsent():
		return Added
	case is.IsAbsent():
		return Removed
	}
	return Changed
}

// head compares what a plan says of itself.
func (c *comparison) head() {
	was, is := c.old.canonical, c.new.canonical
	start, _ := was.Get("start").AsString()
	was = was.With("start", value.String(c.renamed(start)))
	for _, member := range []string{"name", "description", "start"} {
		c.member(SubjectPlan, member, was.Get(member), is.Get(member), "/"+member)
	}
	for _, member := range both(membersOf(was.Get("limits")), membersOf(is.Get("limits"))) {
		c.member(SubjectPlan, "limits."+member, was.Get("limits").Get(member), is.Get("limits").Get(member), "/limits/"+member)
	}
	before, after := outcomesOf(c.old.w.Outcomes), outcomesOf(c.new.w.Outcomes)
	for _, o := range both(before, after) {
		switch {
		case !slices.Contains(before, o):
			c.add(Change{Kind: Added, Subject: SubjectOutcome, Name: o, Path: "/outcomes", Breaking: true, Message: "the workflow can end with it now; those who run it have to expect that"})
		case !slices.Contains(after, o):
			c.add(Change{Kind: Removed, Subject: SubjectOutcome, Name: o, Path: "/outcomes", Message: "the workflow ends with it no longer"})
		}
	}
}

func outcomesOf(list []wf.Outcome) []string {
	names := []string{}
	for _, o := range list {
		names = append(names, string(o))
	}
	if len(names) == 0 {
		names = append(names, string(wf.OK))
	}
	return names
}

// member notes a member of something if it is another.
func (c *comparison) member(subject, name string, was, is value.Value, at string) {
	if !value.Equal(was, is) {
		c.add(Change{Kind: kindOf(was, is), Subject: subject, Name: name, Path: at, Old: shown(was), New: shown(is), Message: from(was, is)})
	}
}

// result compares what the workflow's output is made of.
func (c *comparison) result() {
	was, is := c.old.short.Get("output"), c.new.short.Get("output")
	if was.Kind() != value.KindObject || is.Kind() != value.KindObject {
		c.member(SubjectResult, "", was, is, "/output")
		return
	}
	for _, name := range both(membersOf(was), membersOf(is)) {
		c.member(SubjectResult, name, was.Get(name), is.Get(name), "/output")
	}
}
