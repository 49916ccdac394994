package sqlite

import (
	"path/filepath"
	"testing"
)

// Killing a process cannot tell whether commits were synced, so this looks at what was set.
func TestSyncedBeforeAnswered(t *testing.T) {
	t.Parallel()
	s, err := Open(filepath.Join(t.TempDir(), "wf.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for pragma, want := range map[string]string{"synchronous": "2", "journal_mode": "wal"} {
		var got string
		if err := s.writer.row("PRAGMA " + pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %s, want %s: %v", pragma, got, want, err)
		}
	}
}
