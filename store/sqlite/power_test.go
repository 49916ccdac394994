package sqlite

import (
	"context"
	"fmt"
	"testing"
	"time"

	"lda.chat/wf/store"
	"lda.chat/wf/store/internal/powertest"
)

// powered is the store on a disk that loses what was not synced. With a number of pages, the log is brought into the
// database whenever it has so many, and not only when it is closed.
func powered(pages int) *powertest.System {
	return &powertest.System{
		Open: func(t *testing.T, d *powertest.Disk, now func() time.Time) (store.Store, error) {
			s, err := openOn(on(t, d), "/wf.db", &Options{Now: now, Busy: time.Second})
			if err != nil {
				return nil, err
			}
			if pages > 0 {
				if _, err := s.writer.conn.ExecContext(context.Background(), fmt.Sprintf("PRAGMA wal_autocheckpoint = %d", pages)); err != nil {
					return nil, err
				}
			}
			return s, nil
		},
		Check: func(t *testing.T, d *powertest.Disk) error {
			db, err := on(t, d).open("/wf.db")
			if err != nil {
				return err
			}
			defer db.Close()
			var found string
			if err := db.QueryRow("PRAGMA integrity_check").Scan(&found); err != nil {
				return err
			}
			if found != "ok" {
				return fmt.Errorf("the database is damaged: %s", found)
			}
			return nil
		},
		Place: "/wf.db",
		Some:  30,
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	powertest.Failures(t, powered(10))
}

func TestBecomesReadOnly(t *testing.T) {
	t.Parallel()
	powertest.ReadOnly(t, powered(0))
}

func TestPowerCuts(t *testing.T) {
	t.Parallel()
	for name, pages := range map[string]int{"as it is": 0, "many checkpoints": 10} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			powertest.Cuts(t, powered(pages))
		})
	}
}
