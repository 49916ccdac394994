package sqlite

import "strings"

// bulk are rows for one table. A statement of many rows costs a fraction of as many statements, so what every step writes is
// collected, and written before anything else is done with the database.
type bulk struct {
	into string // the statement up to the rows
	row  string // the places of one
	args []any
}

func (b *bulk) add(args ...any) { b.args = append(b.args, args...) }

// bulks are how many rows a statement may have. There are few, so that few statements are kept.
var bulks = []int{64, 8, 1}

// flush writes what was collected.
func (w *writer) flush() error {
	for _, b := range []*bulk{&w.events, &w.progress} {
		if err := w.flushed(b); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) flushed(b *bulk) error {
	width := strings.Count(b.row, "?")
	args := b.args
	for _, n := range bulks {
		for ; len(args) >= n*width; args = args[n*width:] {
			stmt, err := w.statement(b.into + strings.Repeat(", "+b.row, n)[1:])
			if err != nil {
				return err
			}
			if _, err := stmt.Exec(args[:n*width]...); err != nil {
				return err
			}
		}
	}
	clear(b.args)
	b.args = b.args[:0]
	return nil
}
