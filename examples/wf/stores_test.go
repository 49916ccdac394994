package main

import (
	"context"
	"path/filepath"
	"testing"

	"lda.chat/wf/lifecycle"
	"lda.chat/wf/lifecycle/apitest"
	"lda.chat/wf/source"
)

// The operations are the same on the usual store.
func TestServiceOnSQLite(t *testing.T) {
	t.Parallel()
	apitest.Run(t, func(t *testing.T, set *source.Set) lifecycle.API {
		return open(t, filepath.Join(t.TempDir(), "wf.db"), set)
	})
}

// Two processes, as it were: each has opened the database for itself.
func TestTwoServicesOnSQLite(t *testing.T) {
	t.Parallel()
	apitest.Race(t, func(t *testing.T, set *source.Set) (one, other lifecycle.API) {
		place := filepath.Join(t.TempDir(), "wf.db")
		return open(t, place, set), open(t, place, set)
	})
}

// open makes a service on a database.
func open(t *testing.T, place string, set *source.Set) lifecycle.API {
	t.Helper()
	st, err := stores().Open(t.Context(), place, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := lifecycle.NewService(st, set, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}
