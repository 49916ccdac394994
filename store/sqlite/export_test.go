package sqlite

import (
	"context"
	"fmt"
)

// Limit lets the database have no more than so many pages, as a full disk would.
func (s *Store) Limit(pages int) error {
	return s.change(context.Background(), func(w *writer) error {
		_, err := w.conn.ExecContext(context.Background(), fmt.Sprintf("PRAGMA max_page_count = %d", pages))
		return err
	})
}
