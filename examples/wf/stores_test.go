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
		st, err := stores().Open(t.Context(), filepath.Join(t.TempDir(), "wf.db"), nil)
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
	})
}
