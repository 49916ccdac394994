package report

import (
	"bytes"
	"slices"
	"strings"
)

// parseAction takes the owner and the date out of the text of an action item. What is left is the task; it is empty
// if the text gave nothing else.
func parseAction(s string) ActionItem {
	var owner string
	if n := mentionLen(s); n > 0 && n < len(s) { // "@maya to write it"
		rest := strings.TrimLeft(s[n:], " :,-–—")
		owner, s = s[1:n], strings.TrimPrefix(rest, "to ")
	}
	segments := []segment{{text: s}}
	if len(s) <= longestAction {
		segments = split(s)
	}
	a := judge(segments)
	if owner != "" {
		a.Owner = strings.TrimSuffix(owner+", "+a.Owner, ", ")
	}
	a.Task = oneLine(s)
	if slices.ContainsFunc(segments, segment.known) {
		a.Task = rebuild(segments)
	}
	return a
}

// longestAction is the length in bytes above which a text is taken as it is: nobody writes an action item that long.
const longestAction = 4096

// judge finds the segments that give the owner and the date, and marks them.
func judge(segments []segment) ActionItem {
	owned, due := false, ""
	for i := range segments { // what says itself what it is
		s := &segments[i]
		t := strings.TrimSpace(s.text)
		s.owner = ownerOf(t)
		if s.owner == "" && i > 0 && s.lead == "," && segments[i-1].owner != "" && isName(t) {
			s.owner = ownerNames(t)
		}
		owned = owned || s.owner != ""
		if s.owner == "" && due == "" {
			s.due = dueOf(t, s.grouped)
			due = s.due
		}
	}
	for i := len(segments) - 1; i > 0; i-- { // what only its place tells: names and dates at the end
		s := &segments[i]
		t := strings.TrimSpace(s.text)
		switch {
		case s.known() || t == "" || t == ".":
			continue
		case !owned && (s.mention || s.grouped && isName(t)):
			s.owner = ownerNames(t)
			continue
		case due == "" && isDate(t):
			s.due, due = t, t
			continue
		}
		break
	}
	var owners []string
	for _, s := range segments {
		if s.owner != "" {
			owners = append(owners, s.owner)
		}
	}
	if len(owners) == 0 { // "Ask @maya for access": she is the owner, and stays in the task
		for _, s := range segments {
			if s.mention {
				owners = append(owners, ownerNames(s.text))
				break
			}
		}
	}
	return ActionItem{Owner: strings.Join(owners, ", "), DueDate: due}
}

// rebuild is the text of the segments that gave neither owner nor date, without the marks that only set those off.
func rebuild(segments []segment) string {
	var b []byte
	var marks []string // those that wait for a text behind them
	fresh := true      // nothing was written since the beginning or since an opening mark
	dropped := false   // what stood before the next text is gone
	for _, s := range segments {
		switch {
		case s.lead == ")" || s.lead == "]":
			if at := lastOpening(marks); at >= 0 {
				marks = marks[:at]
			} else {
				if dropped {
					b = bytes.TrimRight(b, " ")
				}
				marks, b = nil, append(b, s.lead...)
			}
		case !s.known() && s.lead != "":
			marks = append(marks, s.lead)
		case isOpening(s.lead):
			marks = append(marks, s.lead)
		}
		if s.known() {
			b, dropped = append(b, ' '), true
			continue
		}
		text := s.text
		if strings.TrimSpace(text) == "" {
			marks = append(marks, text)
			continue
		}
		for _, mark := range marks {
			if isOpening(mark) {
				b, fresh = append(b, mark...), true
			} else if strings.TrimSpace(mark) == "" {
				b = append(b, mark...)
			} else if !fresh {
				b = append(bytes.TrimRight(b, " "), mark...)
			}
		}
		if dropped && fresh {
			text = strings.TrimLeft(text, " ")
		}
		if dropped && strings.ContainsAny(text[:1], ".!?:") {
			b = bytes.TrimRight(b, " ")
		}
		b, marks, fresh, dropped = append(b, text...), nil, false, false
	}
	task := oneLine(string(b))
	if segments[0].known() {
		task = strings.TrimLeft(task, " ,;|-–—:.")
	}
	return strings.TrimRight(task, " ,;|-–—")
}

func isOpening(mark string) bool { return mark == "(" || mark == "[" }

func lastOpening(marks []string) int {
	for i := len(marks) - 1; i >= 0; i-- {
		if isOpening(marks[i]) {
			return i
		}
	}
	return -1
}
