package schema

import (
	"strconv"
	"strings"
)

var escapePointer = strings.NewReplacer("~", "~0", "/", "~1")

// child is the pointer of a member; RFC 6901 escaping.
func child(pointer string, tokens ...string) string {
	var b strings.Builder
	b.WriteString(pointer)
	for _, t := range tokens {
		b.WriteByte('/')
		if strings.ContainsAny(t, "~/") {
			t = escapePointer.Replace(t)
		}
		b.WriteString(t)
	}
	return b.String()
}

func at(pointer string, index int) string { return pointer + "/" + strconv.Itoa(index) }
