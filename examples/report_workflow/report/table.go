package report

import "strings"

// column says what a column of a table of actions holds: the task, unless its header says otherwise.
type column uint8

const (
	taskColumn column = iota
	ownerColumn
	dueColumn
)

var columnNames = map[string]column{
	"owner": ownerColumn, "owners": ownerColumn, "who": ownerColumn, "assignee": ownerColumn, "assigned to": ownerColumn,
	"responsible": ownerColumn, "lead": ownerColumn, "dri": ownerColumn,
	"due": dueColumn, "due date": dueColumn, "when": dueColumn, "deadline": dueColumn, "date": dueColumn, "by": dueColumn, "eta": dueColumn,
}

// header returns what the columns hold, going by the first row.
func header(first string) []column {
	var out []column
	for _, cell := range cells(first) {
		out = append(out, columnNames[normalName(unbold(cell))])
	}
	return out
}

// isHeader reports whether an entry is the row of a table above the line |---|---|.
func isHeader(entries []*entry, i int) bool {
	return entries[i].kind == row && i+1 < len(entries) && entries[i+1].kind == row && isRule(entries[i+1].text)
}

func isRule(row string) bool { return strings.Trim(row, "|-: \t") == "" }

// actionRow reads a row of a table. Without known columns the whole row is the task.
func actionRow(row string, columns []column) ActionItem {
	var texts [dueColumn + 1][]string
	for i, cell := range cells(row) {
		c := taskColumn
		if i < len(columns) {
			c = columns[i]
		}
		if cell = oneLine(unbold(cell)); !isNone(cell) {
			texts[c] = append(texts[c], cell)
		}
	}
	return ActionItem{
		Task:    strings.Join(texts[taskColumn], "; "),
		Owner:   ownerNames(strings.Join(texts[ownerColumn], ", ")),
		DueDate: strings.Join(texts[dueColumn], ", "),
	}
}

// plain is the text of an entry in one line; the cells of a row are joined.
func (e *entry) plain() string {
	if e.kind != row {
		return oneLine(e.whole())
	}
	if isRule(e.text) {
		return ""
	}
	var out []string
	for _, cell := range cells(e.text) {
		if cell = oneLine(unbold(cell)); cell != "" {
			out = append(out, cell)
		}
	}
	return strings.Join(out, " – ")
}

func cells(row string) []string {
	return strings.Split(strings.Trim(strings.TrimSpace(row), "|"), "|")
}
