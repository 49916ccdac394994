package cli

import (
	"strings"

	"lda.chat/wf/lifecycle"
)

// rowsOf is the answer of a list, made row by row.
type rowsOf struct {
	rows   table
	items  []item
	next   []nextAction
	reason string // in a sentence, what was found
}

// listing begins the answer of a list.
func listing(head []string, advice *lifecycle.Advice, flags *storeFlags) *rowsOf {
	return &rowsOf{rows: table{head: head}, items: []item{}, next: nextOf(advice.NextActions, flags), reason: advice.Reason}
}

// row adds a part of the result, and how it looks in the table.
func (l *rowsOf) row(kind string, part any, cells ...string) {
	l.items = append(l.items, item{kind, part})
	l.rows.rows = append(l.rows.rows, cells)
}

// of is the answer. A list of nothing is told in words.
func (l *rowsOf) of(result any) *answer {
	out := &answer{result: result, items: l.items, next: l.next}
	if len(l.items) == 0 {
		out.notes = []string{l.reason}
		return out
	}
	out.table, out.text = &l.rows, l.rows.write
	return out
}

// say adds what a page has to the notes.
func (out *answer) say(p *page) {
	if p.Len() > 0 {
		out.notes = append(out.notes, strings.TrimSuffix(p.String(), "\n"))
	}
}
