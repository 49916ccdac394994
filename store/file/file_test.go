package file_test

import (
	"testing"
	"time"

	"lda.chat/wf/store"
	"lda.chat/wf/store/file"
	"lda.chat/wf/store/storetest"
)

func TestFile(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(dir string, now func() time.Time) (store.Store, error) {
		return file.Open(dir, &file.Options{Now: now})
	}, nil)
}

// All of it again with a log that is written anew whenever that saves anything.
func TestFileCompacted(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(dir string, now func() time.Time) (store.Store, error) {
		return file.Open(dir, &file.Options{Now: now, Compact: 1})
	}, &storetest.Options{Seeds: 5, Runs: 100})
}
