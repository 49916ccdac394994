package postgres_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"lda.chat/wf/store"
	"lda.chat/wf/store/drivetest"
	"lda.chat/wf/store/postgres"
	"lda.chat/wf/store/storetest"
)

var ctx = context.Background()

// server returns the address of the server that the tests may use.
func server(t testing.TB) string {
	t.Helper()
	url := os.Getenv("WF_POSTGRES")
	switch {
	case url != "":
	case os.Getenv("WF_REQUIRE") != "":
		t.Fatal("WF_POSTGRES is not set: give the address of a PostgreSQL server in which tests may make schemas and roles")
	default:
		t.Skip("give the address of a PostgreSQL server as WF_POSTGRES to run this")
	}
	return url
}

// opener opens stores by folder, each in a schema of its own that is dropped after the test.
func opener(t testing.TB) storetest.Open {
	url := server(t)
	var mu sync.Mutex
	schemas := map[string]bool{}
	if os.Getenv("WF_STORETEST_WRITER")+os.Getenv("WF_DRIVETEST_CHILD") == "" { // those of other processes are their parent's
		t.Cleanup(func() {
			conn := connect(t, url)
			for schema := range schemas {
				if _, err := conn.Exec(ctx, "DROP SCHEMA IF EXISTS "+schema+" CASCADE"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	return func(dir string, now func() time.Time) (store.Store, error) {
		mu.Lock()
		schemas[schemaOf(dir)] = true
		mu.Unlock()
		return postgres.Open(ctx, url, &postgres.Options{Schema: schemaOf(dir), Now: now})
	}
}

func schemaOf(dir string) string { return fmt.Sprintf("wf_test_%x", sha256.Sum256([]byte(dir)))[:40] }

func connect(t testing.TB, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(ctx) })
	return conn
}

// schema is a new schema, dropped after the test.
func schema(t testing.TB, url string) string {
	name := schemaOf(t.TempDir())
	conn := connect(t, url)
	t.Cleanup(func() {
		if _, err := conn.Exec(ctx, "DROP SCHEMA IF EXISTS "+name+" CASCADE"); err != nil {
			t.Error(err)
		}
	})
	return name
}

func opened(t testing.TB, url string, opts *postgres.Options) *postgres.Store {
	t.Helper()
	s, err := postgres.Open(ctx, url, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestPostgres(t *testing.T) {
	t.Parallel()
	storetest.Run(t, opener(t), nil)
}

func TestPostgresRuns(t *testing.T) {
	t.Parallel()
	drivetest.Run(t, opener(t), &drivetest.Options{Points: 3, Runs: 500, Steps: 300})
}

func BenchmarkPostgres(b *testing.B) {
	open := opener(b)
	storetest.Bench(b, func(dir string, _ func() time.Time) (store.Store, error) { return open(dir, nil) })
}
