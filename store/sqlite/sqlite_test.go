package sqlite_test

import (
	"path/filepath"
	"testing"
	"time"

	"lda.chat/wf/store"
	"lda.chat/wf/store/sqlite"
	"lda.chat/wf/store/storetest"
)

func TestSQLite(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(dir string, now func() time.Time) (store.Store, error) {
		return sqlite.Open(filepath.Join(dir, "wf.db"), &sqlite.Options{Now: now})
	}, nil)
}
