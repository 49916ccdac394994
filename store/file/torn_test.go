package file_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"lda.chat/wf"
	"lda.chat/wf/store/file"
)

// A sector that reads as zeros is what a loss of power leaves of a write that was not synced, so it is cut off at the end of a log. What is
// known to have been synced, by a whole frame behind it, is damaged.
func TestLostSectors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := file.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, logName)
	var ends []int64
	for i := range uint64(4) {
		if _, err := s.PutRecord(ctx, "k", "r", i, bytes.Repeat([]byte("x"), 2000)); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		ends = append(ends, info.Size())
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	first := int64(bytes.IndexByte(log, '\n') + 1)
	for sector := range (len(log) + 511) / 512 {
		bad := bytes.Clone(log)
		clear(bad[sector*512 : min(len(bad), sector*512+512)])
		s, err := with(t, t.TempDir(), bad)
		begin, whole := int64(sector*512), 0
		for whole < len(ends) && ends[whole] <= begin {
			whole++
		}
		if begin+512 <= ends[2] { // the last frame is whole
			place := append([]int64{first}, ends...)[whole]
			if sector == 0 {
				place = 0
			}
			if e, ok := errors.AsType[*wf.CorruptError](err); !ok || e.Offset != place {
				t.Errorf("sector %d: %v, want damage at %d", sector, err, place)
			}
			continue
		}
		if err != nil {
			t.Errorf("sector %d: %v", sector, err)
			continue
		}
		if r, err := s.GetRecord(ctx, "k", "r"); err != nil || r.Revision != uint64(whole) {
			t.Errorf("sector %d: revision %d, %v", sector, r.Revision, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
