package cli

import (
	"strconv"
	"strings"
	"unicode"

	"lda.chat/wf"
)

// visible makes a text of somebody else safe to show: what would move the cursor, colour the screen, forge a line or turn
// the direction of writing is shown as an escape.
func visible(s string) string {
	if strings.IndexFunc(s, hidesItself) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if hidesItself(r) {
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// hidesItself reports control characters and those of bidirectional formatting (Unicode Standard Annex 9, section 2).
func hidesItself(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }

// visibleFinding makes what a finding quotes of others safe to show.
func visibleFinding(d wf.Diagnostic) wf.Diagnostic {
	d.Doc, d.Step, d.Message, d.RepairHint, d.Path = visible(d.Doc), visible(d.Step), visible(d.Message), visible(d.RepairHint), visible(d.Path)
	related := make([]wf.Related, len(d.Related))
	for i, r := range d.Related {
		related[i] = wf.Related{Doc: visible(r.Doc), Path: visible(r.Path), Message: visible(r.Message)}
	}
	d.Related = related
	return d
}
