package postgres_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lda.chat/wf/store"
	"lda.chat/wf/store/storetest"
)

// What version 1 wrote is a dump of its schema, which stands in it as SCHEMA.
func TestVersion1(t *testing.T) {
	t.Parallel()
	url, open := server(t), opener(t)
	storetest.Golden(t, func(dir string, now func() time.Time) (store.Store, error) {
		dump, err := os.ReadFile(filepath.Join(dir, "dump.sql"))
		if errors.Is(err, fs.ErrNotExist) {
			st, err := open(dir, now)
			return &dumped{st, url, dir}, err
		}
		if err != nil {
			return nil, err
		}
		text := strings.ReplaceAll(string(dump), "SCHEMA_NAME", schemaOf(dir))
		if _, err := connect(t, url).PgConn().Exec(ctx, text).ReadAll(); err != nil {
			return nil, err
		}
		return open(dir, now)
	}, "testdata/version1")
}

// dumped is a store that is dumped when it is closed.
type dumped struct {
	store.Store
	url, dir string
}

func (d *dumped) Close() error {
	if err := d.Store.Close(); err != nil {
		return err
	}
	out, err := exec.Command("pg_dump", "--dbname="+d.url, "--schema="+schemaOf(d.dir), "--inserts", "--no-owner", "--no-privileges").Output()
	if err != nil {
		return err
	}
	var text strings.Builder
	for line := range strings.Lines(string(out)) { // settings are those of the server that dumps
		if s := strings.TrimSpace(line); s == "" || strings.HasPrefix(s, "--") || strings.HasPrefix(s, `\`) || strings.HasPrefix(s, "SET ") ||
			strings.HasPrefix(s, "SELECT pg_catalog.set_config") {
			continue
		}
		text.WriteString(line)
	}
	return os.WriteFile(filepath.Join(d.dir, "dump.sql"), []byte(strings.ReplaceAll(text.String(), schemaOf(d.dir), "SCHEMA_NAME")), 0o600)
}
