package report

import "strings"

// points are the entries of a section as a list of sentences. An item below another one belongs to it.
func points(entries []*entry) []string {
	var family nest
	var all [][]string // a sentence and its details
	for i, e := range entries {
		s := e.plain()
		if s == "" || isNone(s) || introduces(entries, i) || isHeader(entries, i) {
			continue
		}
		if parent := family.parent(e); parent >= 0 {
			all[parent] = append(all[parent], s)
			family.join(e, parent)
			continue
		}
		family.join(e, len(all))
		all = append(all, []string{s})
	}
	out := make([]string, len(all))
	for i, texts := range all {
		out[i] = adjoin(texts)
	}
	return out
}

// actionItems are the entries of a section as things to do. An item below another one gives that one's owner or date,
// or is a detail of it; if it has an owner or a date of its own beside a task, or a checkbox, it stands for itself.
func actionItems(entries []*entry) []ActionItem {
	out := []ActionItem{}
	var tasks [][]string // of out: the task and its details
	add := func(a ActionItem) {
		out, tasks = append(out, a), append(tasks, []string{a.Task})
	}
	var family nest
	var columns []column
	for i, e := range entries {
		s := e.plain()
		if s == "" || isNone(s) || introduces(entries, i) {
			continue
		}
		if e.kind == row {
			if i == 0 || entries[i-1].kind != row {
				columns = header(e.text)
			}
			if isHeader(entries, i) {
				continue
			}
			if a := actionRow(e.text, columns); a.Task != "" {
				add(a)
			}
			continue
		}
		a := parseAction(s)
		parent := family.parent(e)
		switch {
		case parent >= 0 && a.Task == "":
			fill(&out[parent], a)
		case parent >= 0 && a.Owner == "" && a.DueDate == "" && !e.box:
			tasks[parent] = append(tasks[parent], a.Task)
			family.join(e, parent)
		case a.Task == "" && len(out) > 0:
			fill(&out[len(out)-1], a) // a line of its own under an item: "Owner: Maya"
		case a.Task == "":
			// an owner or a date of nothing
		default:
			family.join(e, len(out))
			add(a)
		}
	}
	for i := range out {
		out[i].Task = adjoin(tasks[i])
	}
	return out
}

// adjoin adds details to a text.
func adjoin(texts []string) string {
	if first := texts[0]; len(texts) > 1 && strings.HasSuffix(first, ":") {
		return first + " " + strings.Join(texts[1:], "; ")
	}
	return strings.Join(texts, "; ")
}

// fill adds what is known of an action and was not before.
func fill(a *ActionItem, more ActionItem) {
	if a.Owner == "" {
		a.Owner = more.Owner
	}
	if a.DueDate == "" {
		a.DueDate = more.DueDate
	}
}

// nest knows which item an indented one stands below.
type nest struct {
	open []nested
}

type nested struct{ indent, index int }

// parent returns the index of the item that e stands below, or -1.
func (n *nest) parent(e *entry) int {
	if e.kind != item {
		n.open = n.open[:0]
		return -1
	}
	for len(n.open) > 0 && n.open[len(n.open)-1].indent >= e.indent {
		n.open = n.open[:len(n.open)-1]
	}
	if len(n.open) == 0 {
		return -1
	}
	return n.open[len(n.open)-1].index
}

// join records that e became, or became part of, the item with that index.
func (n *nest) join(e *entry, index int) {
	if e.kind == item {
		n.open = append(n.open, nested{e.indent, index})
	}
}

// introduces reports whether an entry only announces the items after it.
func introduces(entries []*entry, i int) bool {
	return entries[i].kind == text && i+1 < len(entries) && entries[i+1].kind != text && strings.HasSuffix(entries[i].whole(), ":")
}

// isNone reports whether somebody wrote that there is nothing.
func isNone(s string) bool {
	switch strings.ToLower(strings.Trim(s, ".-–—!_*() ")) {
	case "", "none", "n/a", "na", "nothing", "nil", "none so far", "none yet", "nothing yet":
		return true
	}
	return false
}
