package cli

import "strings"

// wrapped breaks a text into lines of at most so many characters, between words.
func wrapped(s string, width int) string {
	var b strings.Builder
	at := 0
	for _, word := range strings.Fields(s) {
		n := len([]rune(word))
		switch {
		case at == 0:
		case at+1+n > width:
			b.WriteByte('\n')
			at = 0
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String()
}

// indented writes an example: on the line if it is one line, else below it.
func indented(s string) string {
	if !strings.Contains(s, "\n") {
		return " " + s
	}
	return "\n    " + strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n    ")
}
