package main

import (
	"context"

	"lda.chat/wf/lifecycle"
	"lda.chat/wf/store"
	"lda.chat/wf/store/postgres"
	"lda.chat/wf/store/sqlite"
)

// stores are the kinds of stores that need a library, and so are linked here and not in package cli.
func stores() lifecycle.Stores {
	return lifecycle.Stores{
		"sqlite": func(_ context.Context, path string, o *lifecycle.OpenOptions) (store.Store, error) {
			if o.CheckOnly {
				return nil, sqlite.Check(path)
			}
			return sqlite.Open(path, &sqlite.Options{Now: o.Now})
		},
		"postgres": func(ctx context.Context, url string, o *lifecycle.OpenOptions) (store.Store, error) {
			if o.CheckOnly {
				return nil, postgres.Check(ctx, url, nil)
			}
			return postgres.Open(ctx, url, &postgres.Options{Now: o.Now})
		},
	}
}
