package schema

import (
	"strings"
	"unicode/utf8"

	"lda.chat/wf/internal/value"
)

// maxExcerpt bounds a value that is quoted in a message.
const maxExcerpt = 60

// found names a value's type, for a message: "a string", "null".
func found(v value.Value) string { return withArticle(typeOf(v).String()) }

func withArticle(name string) string {
	switch {
	case name == "null" || name == "":
		return "null"
	case strings.ContainsRune("aeio", rune(name[0])):
		return "an " + name
	}
	return "a " + name
}

// excerpt quotes a value, cut where it is long.
func excerpt(v value.Value) string { return cutText(string(v.JSON()), maxExcerpt) }

func cutText(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit] + "…"
}

// mostNames bounds a list in a message.
const mostNames = 10

// enumerate joins names as prose, the first few.
func enumerate(names []string, last string) string {
	quoted := make([]string, 0, mostNames+1)
	for i, n := range names {
		if i == mostNames {
			quoted = append(quoted, "…")
			break
		}
		quoted = append(quoted, cutText(n, maxExcerpt))
	}
	if len(quoted) < 2 {
		return strings.Join(quoted, "")
	}
	return strings.Join(quoted[:len(quoted)-1], ", ") + " " + last + " " + quoted[len(quoted)-1]
}
