// Package contract has what every store does in the same way before it looks at what it holds: which ids, sizes and times it
// takes, what makes two runs the same, the cursors of lists, and telling watchers.
package contract

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"lda.chat/wf"
)

// The bounds of what stores take.
const (
	MaxID      = 256      // bytes of an id, a kind, a key, a label's name
	MaxMessage = 4096     // bytes of a message's id, which holds the path of a frame
	MaxLabel   = 1024     // bytes of a label's value
	MaxLabels  = 64       // labels of a run
	MaxData    = 64 << 20 // bytes of an event, a snapshot, a message, a record
)

// ID checks a name by which something is found. Names are printable ASCII, so that no two of them look alike.
func ID(what, id string) error { return name(what, id, MaxID) }

func name(what, id string, most int) error {
	switch {
	case id == "":
		return &wf.InvalidError{What: what, Found: id, Problem: "is empty"}
	case len(id) > most:
		return &wf.InvalidError{What: what, Found: id, Problem: fmt.Sprintf("has %d bytes, the most is %d", len(id), most)}
	}
	return prefix(what, id)
}

func prefix(what, id string) error {
	for i := range len(id) {
		if id[i] < 0x20 || id[i] > 0x7e {
			return &wf.InvalidError{What: what, Found: id, Problem: "holds something other than letters, digits and signs of ASCII"}
		}
	}
	return nil
}

// size checks the length of what is kept without being looked at.
func size(what string, data []byte) error {
	if len(data) > MaxData {
		return &wf.TooLargeError{What: what, Size: int64(len(data)), Limit: MaxData}
	}
	return nil
}

func events(list [][]byte) error {
	total := 0
	for _, e := range list {
		if err := size("an event", e); err != nil {
			return err
		}
		total += len(e)
	}
	if total > MaxData {
		return &wf.TooLargeError{What: "the events of one change", Size: int64(total), Limit: MaxData}
	}
	return nil
}

func labels(set map[string]string) error {
	if len(set) > MaxLabels {
		return &wf.TooLargeError{What: "a set of labels", Size: int64(len(set)), Limit: MaxLabels}
	}
	for key, text := range set {
		if err := ID("label", key); err != nil {
			return err
		}
		switch {
		case len(text) > MaxLabel:
			return &wf.InvalidError{What: "label " + key, Found: text, Problem: fmt.Sprintf("has %d bytes, the most is %d", len(text), MaxLabel)}
		case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
			return &wf.InvalidError{What: "label " + key, Found: text, Problem: "is not UTF-8 without NUL"}
		}
	}
	return nil
}

var lastMoment = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)

// moment takes a time to the microsecond, up: nothing may wake before its time.
func moment(t *time.Time) error {
	if t.IsZero() {
		*t = time.Time{}
		return nil
	}
	if t.Year() < 1970 || t.After(lastMoment) {
		return &wf.InvalidError{What: "time", Found: t.Format(time.RFC3339), Problem: "is not between the years 1970 and 9999"}
	}
	up := t.UTC().Truncate(time.Microsecond)
	if up.Before(*t) {
		up = up.Add(time.Microsecond)
	}
	*t = up
	return nil
}

// Moment is a reading of a store's clock as it is kept.
func Moment(t time.Time) time.Time { return t.UTC().Round(0).Truncate(time.Microsecond) }

func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
