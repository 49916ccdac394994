package plandiff

import (
	"fmt"
	"strings"
)

var marks = map[Kind]string{Added: "+", Removed: "-", Changed: "~", Renamed: "=", Widened: ">", Narrowed: "<"}

// String writes the differences for people, one a line: what happened to it (+ added, - removed, ~ changed, = renamed, > widened,
// < narrowed), "!" if it breaks something for those who rely on it, what it is, and in words what is different.
func (d *Diff) String() string {
	switch {
	case d.OldDigest == d.NewDigest:
		return "the plans are the same\n"
	case len(d.Changes) == 0:
		return "the plans mean the same, in another order\n"
	}
	var b strings.Builder
	workflow := ""
	for _, c := range d.Changes {
		if c.Workflow != workflow {
			workflow = c.Workflow
			fmt.Fprintf(&b, "in the workflow %s:\n", workflow)
		}
		mark := " "
		if c.Breaking {
			mark = "!"
		}
		words := []string{c.Subject}
		for _, word := range []string{c.Name, c.Member} {
			if word != "" {
				words = append(words, word)
			}
		}
		fmt.Fprintf(&b, "%s%s %s: %s\n", marks[c.Kind], mark, strings.Join(words, " "), c.Message)
	}
	return b.String()
}
