package file_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"lda.chat/wf/store"
	"lda.chat/wf/store/drivetest"
	"lda.chat/wf/store/file"
	"lda.chat/wf/store/storetest"
)

func TestFile(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(dir string, now func() time.Time) (store.Store, error) {
		return file.Open(dir, &file.Options{Now: now})
	}, nil)
}

// All of it again with a log that is written anew whenever it is opened.
func TestFileCompacted(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(dir string, now func() time.Time) (store.Store, error) {
		return file.Open(dir, &file.Options{Now: now, Compact: -1})
	}, &storetest.Options{Seeds: 5, Runs: 100})
}

func TestVersion1(t *testing.T) {
	t.Parallel()
	storetest.Golden(t, func(dir string, now func() time.Time) (store.Store, error) {
		return file.Open(dir, &file.Options{Now: now})
	}, "testdata/version1")
}

func BenchmarkFile(b *testing.B) {
	storetest.Bench(b, func(dir string, _ func() time.Time) (store.Store, error) { return file.Open(dir, nil) })
}

// BenchmarkSync is the floor: an append of as many bytes to a bare file, synced.
func BenchmarkSync(b *testing.B) {
	f, err := os.Create(filepath.Join(b.TempDir(), "f"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	data := make([]byte, 600)
	for b.Loop() {
		if _, err := f.Write(data); err != nil {
			b.Fatal(err)
		}
		if err := f.Sync(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "appends/s")
}

func TestFileRuns(t *testing.T) {
	t.Parallel()
	drivetest.Run(t, func(dir string, now func() time.Time) (store.Store, error) {
		return file.Open(dir, &file.Options{Now: now})
	}, &drivetest.Options{Steps: 300})
}
