package postgres_test

import (
	"errors"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/store"
	"lda.chat/wf/store/postgres"
)

// What is wrong with an address is told, and the password is not.
func TestAddresses(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"postgres://u:s3/cret@localhost/db":         "cannot be read",
		"postgres://u:s3cret@localhost:port/db":     "cannot be read",
		"postgres://u:s3:cret%@localhost/db":        "cannot be read",
		"host=localhost password=s3cret port=x":     "cannot be read",
		"postgres://u:s3cret@127.0.0.1:1/db":        "PostgreSQL at 127.0.0.1:1, database db, schema wf cannot be reached",
		"host=127.0.0.1 port=1 password=s3cret":     "cannot be reached",
		"mysql://u:s3cret@127.0.0.1:1/db":           "cannot be read",
		"postgres://u:s3cret@127.0.0.1:1?sslmode=x": "cannot be read",
	} {
		_, err := postgres.Open(ctx, address, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want something that says %q", address, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "s3") {
			t.Errorf("%s: the message holds the password: %v", address, err)
		}
	}
	_, err := postgres.Open(ctx, "", &postgres.Options{Schema: `a"; DROP`})
	if _, ok := errors.AsType[*wf.InvalidError](err); !ok {
		t.Errorf("a schema that is no name: %v", err)
	}
}

// changed is an address with a part changed.
func changed(t *testing.T, address string, change func(*url.URL)) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	change(u)
	return u.String()
}

// Databases that cannot be ours, or not any more, are refused and left as they are.
func TestRefusedDatabases(t *testing.T) {
	t.Parallel()
	address := server(t)
	refused := func(what, address string, opts *postgres.Options, want string) {
		t.Helper()
		if _, err := postgres.Open(ctx, address, opts); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want something that says %q", what, err, want)
		}
	}
	if err := postgres.Check(ctx, changed(t, address, func(u *url.URL) { u.Path = "/wf_none" }), nil); err == nil || !strings.Contains(err.Error(), "does not exist; make it") {
		t.Errorf("a database that is missing is checked: %v", err)
	}
	refused("a database that is missing", changed(t, address, func(u *url.URL) { u.Path = "/wf_none" }), nil, "does not exist; make it")

	newer, conn := schema(t, address), connect(t, address)
	run := func(text string) {
		t.Helper()
		if _, err := conn.Exec(ctx, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := opened(t, address, &postgres.Options{Schema: newer}).Close(); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(postgres.Check(ctx, address, &postgres.Options{Schema: newer}), postgres.Check(ctx, address, &postgres.Options{Schema: schema(t, address)})); err != nil {
		t.Errorf("a store, and where there is none yet: %v", err)
	}
	run("UPDATE " + newer + ".wf_version SET version = 99")
	_, err := postgres.Open(ctx, address, &postgres.Options{Schema: newer})
	for _, err := range []error{err, postgres.Check(ctx, address, &postgres.Options{Schema: newer})} {
		if e, ok := errors.AsType[*wf.VersionError](err); !ok || e.Found != 99 || !strings.Contains(e.Place, newer) {
			t.Errorf("a newer version: %v", err)
		}
	}

	other := schema(t, address)
	run("CREATE SCHEMA " + other)
	run("CREATE TABLE " + other + ".notes (a int)")
	refused("a schema of another program", address, &postgres.Options{Schema: other}, "tables of another program")
	if err := postgres.Check(ctx, address, &postgres.Options{Schema: other}); err == nil || !strings.Contains(err.Error(), "tables of another program") {
		t.Errorf("a schema of another program is checked: %v", err)
	}

	role := schema(t, address)
	run("CREATE ROLE " + role + " LOGIN")
	defer run("DROP ROLE " + role)
	stranger := changed(t, address, func(u *url.URL) { u.User = url.User(role) })
	refused("a user who may do nothing", stranger, &postgres.Options{Schema: role}, "lacks a permission")
	refused("a user who may do nothing in a store", stranger, &postgres.Options{Schema: newer}, "lacks a permission")
}

// Those who open a new store at once all get it.
func TestOpenedAtOnce(t *testing.T) {
	t.Parallel()
	address := server(t)
	name := schema(t, address)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			s, err := postgres.Open(ctx, address, &postgres.Options{Schema: name})
			if err != nil {
				t.Error(err)
				return
			}
			_ = s.Close()
		})
	}
	all.Wait()
}

// Where the server does not sync what it answers, the store does not say so.
func TestDurability(t *testing.T) {
	t.Parallel()
	address := server(t)
	name := schema(t, address)
	for setting, want := range map[string]store.Durability{"on": store.Power, "local": store.Power, "off": store.Process} {
		s := opened(t, changed(t, address, func(u *url.URL) { u.RawQuery = "synchronous_commit=" + setting }), &postgres.Options{Schema: name})
		if got := s.Caps().Durability; got != want {
			t.Errorf("with synchronous_commit=%s it is %q, want %q", setting, got, want)
		}
	}
}

// Leases are judged by the server's clock.
func TestServerClock(t *testing.T) {
	t.Parallel()
	address := server(t)
	s := opened(t, address, &postgres.Options{Schema: schema(t, address)})
	var before, after time.Time
	conn := connect(t, address)
	now := func(into *time.Time) {
		t.Helper()
		if err := conn.QueryRow(ctx, `SELECT clock_timestamp()`).Scan(into); err != nil {
			t.Fatal(err)
		}
	}
	now(&before)
	h, err := s.Create(ctx, wf.NewRun{RunID: "r", Owner: "p", TTL: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	now(&after)
	if h.Created.Before(before) || h.Created.After(after) || !h.LeaseUntil.Equal(h.Created.Add(time.Hour)) {
		t.Errorf("a run was made at %v, between %v and %v, with a lease until %v", h.Created, before, after, h.LeaseUntil)
	}
}
