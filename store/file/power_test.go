package file

import (
	"testing"
	"time"

	"lda.chat/wf/store"
	"lda.chat/wf/store/internal/powertest"
)

// memory is a disk that loses what was not synced.
type memory struct{ *powertest.Disk }

func (m memory) CreateTemp(dir, pattern string) (disk, error) {
	return held(m.Create(dir + "/" + pattern))
}
func (m memory) Open(name string) (disk, error)        { return held(m.Disk.Open(name)) }
func (m memory) OpenRW(name string) (disk, error)      { return held(m.Disk.Open(name)) }
func (m memory) ReadDir(name string) ([]string, error) { return m.List(name) }
func (m memory) Lock(string) (func() error, error)     { return func() error { return nil }, nil }

func held(f *powertest.File, err error) (disk, error) {
	if err != nil {
		return nil, err
	}
	return f, nil
}

func powered(compact int64) *powertest.System {
	return &powertest.System{Place: "/data/store", Soft: true, Settled: true, Some: 120, Open: func(_ *testing.T, d *powertest.Disk, now func() time.Time) (store.Store, error) {
		s, err := openOn(memory{d}, "/data/store", &Options{Now: now, Compact: compact})
		if err != nil {
			return nil, err
		}
		return s, nil
	}}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	for name, compact := range map[string]int64{"appended": 0, "written anew": -1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			powertest.Failures(t, powered(compact))
		})
	}
}

func TestBecomesReadOnly(t *testing.T) {
	t.Parallel()
	powertest.ReadOnly(t, powered(0))
}

func TestPowerCuts(t *testing.T) {
	t.Parallel()
	for name, compact := range map[string]int64{"appended": 0, "written anew": -1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			powertest.Cuts(t, powered(compact))
		})
	}
}
