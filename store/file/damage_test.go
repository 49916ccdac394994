package file_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/store/file"
)

var ctx = context.Background()

const logName = "journal-000001.log"

// small makes a store and returns its log, and the log's length after each change that was answered.
func small(t *testing.T) (log []byte, ends []int64) {
	t.Helper()
	dir := t.TempDir()
	s, err := file.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, logName)
	do := func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		ends = append(ends, info.Size())
	}
	do(s.Create(ctx, wf.NewRun{RunID: "r", Owner: "p", TTL: time.Minute, Events: [][]byte{[]byte(`{"seq":1}`)}}))
	do(s.Append(ctx, wf.Append{RunID: "r", Expect: 1, Fence: 1, Events: [][]byte{[]byte(`{"seq":2}`), []byte("wf 3\n")}, Snapshot: []byte("s")}))
	do(s.Post(ctx, "r", wf.Message{ID: "m", Data: []byte("hello")}))
	do(s.Append(ctx, wf.Append{RunID: "r", Expect: 3, Fence: 1, Consume: []string{"m"}, Status: wf.StatusCompleted}))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	log, err = os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return log, ends
}

// with puts a log into a folder of its own.
func with(t *testing.T, dir string, log []byte) (*file.Store, error) {
	t.Helper()
	path := filepath.Join(dir, logName)
	if err := os.WriteFile(path, log, 0o600); err != nil {
		t.Fatal(err)
	}
	return file.Open(dir, nil)
}

func state(t *testing.T, s *file.Store) string {
	t.Helper()
	h, err := s.Head(ctx, "r")
	if _, none := errors.AsType[*wf.NotFoundError](err); none {
		return "none"
	}
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprint(h.Revision, " ", h.Status, " ", h.Pending)
	for e, err := range s.Events(ctx, "r", 0) {
		if err != nil {
			t.Fatal(err)
		}
		text += fmt.Sprintf(" %q", e.Data)
	}
	return text
}

// After a crash the log may end anywhere behind the last change that was answered. Wherever it ends, all changes that stand in it
// whole are there, nothing of the one that does not is, and the store goes on.
func TestCutOff(t *testing.T) {
	t.Parallel()
	log, ends := small(t)
	states := map[int]string{}
	dir := t.TempDir()
	for size := len(log); size > 0; size-- {
		whole := 0
		for _, end := range ends {
			if int64(size) >= end {
				whole++
			}
		}
		s, err := with(t, dir, log[:size])
		if size < bytes.IndexByte(log, '\n')+1 {
			if e, ok := errors.AsType[*wf.CorruptError](err); !ok || !strings.Contains(e.Place, logName) {
				t.Fatalf("cut at %d, before the first line ends: %v", size, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("cut at %d: %v", size, err)
		}
		got := state(t, s)
		if want, ok := states[whole]; ok && got != want {
			t.Fatalf("cut at %d: %s, want %s", size, got, want)
		}
		states[whole] = got
		if _, err := s.Create(ctx, wf.NewRun{RunID: "next"}); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if s, err = file.Open(dir, nil); err != nil {
			t.Fatalf("cut at %d and gone on: %v", size, err)
		}
		if again := state(t, s); again != got {
			t.Fatalf("cut at %d and gone on: %s, want %s", size, again, got)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	want := map[int]string{
		0: "none",
		1: `1 running 0 "{\"seq\":1}"`,
		2: `3 running 0 "{\"seq\":1}" "{\"seq\":2}" "wf 3\n"`,
		3: `3 running 1 "{\"seq\":1}" "{\"seq\":2}" "wf 3\n"`,
		4: `3 completed 0 "{\"seq\":1}" "{\"seq\":2}" "wf 3\n"`,
	}
	if fmt.Sprint(states) != fmt.Sprint(want) {
		t.Errorf("states by the number of whole changes: %v, want %v", states, want)
	}
}

// A bit that flips anywhere is found, with the file and the place of its frame, and the file is left as it is.
func TestFlippedBits(t *testing.T) {
	t.Parallel()
	log, ends := small(t)
	dir := t.TempDir()
	for bit := range 8 * len(log) {
		at := bit / 8
		if bit%8 != at%8 && bit%8 != 5 { // one bit of each byte, and the one that tells a from A
			continue
		}
		bad := bytes.Clone(log)
		bad[at] ^= 1 << (bit % 8)
		s, err := with(t, dir, bad)
		if err == nil {
			t.Fatalf("byte %d flipped: opened as %s", at, state(t, s))
		}
		if bytes.Equal(bad[:22], log[:22]) { // the first line says the version
			e, ok := errors.AsType[*wf.CorruptError](err)
			if !ok || filepath.Base(e.Place) != logName {
				t.Fatalf("byte %d flipped: %v", at, err)
			}
			frame := int64(bytes.IndexByte(log, '\n') + 1)
			for _, end := range ends {
				if int64(at) >= end {
					frame = end
				}
			}
			if at > bytes.IndexByte(log, '\n') && e.Offset != frame {
				t.Fatalf("byte %d flipped: said to be in the frame at %d, want %d", at, e.Offset, frame)
			}
		}
		if left, err := os.ReadFile(filepath.Join(dir, logName)); err != nil || !bytes.Equal(left, bad) {
			t.Fatalf("byte %d flipped: the file was changed", at)
		}
	}
}

// A frame that is missing, doubled or out of order is found, though each is whole.
func TestFramesInOrder(t *testing.T) {
	t.Parallel()
	log, ends := small(t)
	one, two := log[ends[0]:ends[1]], log[ends[1]:ends[2]]
	for name, bad := range map[string][]byte{
		"missing":            append(bytes.Clone(log[:ends[0]]), log[ends[1]:]...),
		"missing, a message": append(bytes.Clone(log[:ends[1]]), log[ends[2]:]...),
		"doubled":            append(append(bytes.Clone(log[:ends[1]]), one...), log[ends[1]:]...),
		"swapped":            append(append(append(bytes.Clone(log[:ends[0]]), two...), one...), log[ends[2]:]...),
	} {
		_, err := with(t, t.TempDir(), bad)
		if _, ok := errors.AsType[*wf.CorruptError](err); !ok {
			t.Errorf("a frame is %s: %v", name, err)
		}
	}
}

func TestDamageWhileOpen(t *testing.T) {
	t.Parallel()
	log, _ := small(t)
	dir := t.TempDir()
	s, err := with(t, dir, log)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	log[bytes.Index(log, []byte(`{"seq":2}`))] = '['
	if err := os.WriteFile(filepath.Join(dir, logName), log, 0o600); err != nil {
		t.Fatal(err)
	}
	for e, err := range s.Events(ctx, "r", 2) {
		if _, ok := errors.AsType[*wf.CorruptError](err); !ok {
			t.Errorf("event %q, error %v", e.Data, err)
		}
	}
}

// Whoever checks a folder finds what opening it would, and changes nothing, whoever works on it.
func TestCheck(t *testing.T) {
	t.Parallel()
	log, ends := small(t)
	damaged, newer := bytes.Clone(log), bytes.Replace(log, []byte("version 1\n"), []byte("version 2\n"), 1)
	damaged[bytes.Index(damaged, []byte(`{"seq":2}`))] = '['
	for what, text := range map[string][]byte{"whole": log, "torn": log[:ends[2]-3], "damaged": damaged, "newer": newer, "another file": []byte("notes\n")} {
		dir := t.TempDir()
		path := filepath.Join(dir, logName)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		err := file.Check(dir)
		_, isVersion := errors.AsType[*wf.VersionError](err)
		_, isCorrupt := errors.AsType[*wf.CorruptError](err)
		if isVersion != (what == "newer") || isCorrupt != (what == "damaged" || what == "another file") || !isVersion && !isCorrupt && err != nil {
			t.Errorf("%s: %v", what, err)
		}
		names, _ := os.ReadDir(dir)
		if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, text) || len(names) != 1 {
			t.Errorf("%s: it was changed: %v, %v", what, names, err)
		}
	}
	dir := filepath.Join(t.TempDir(), "none")
	if err := file.Check(dir); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("a folder was made: %v", err)
	}
	s, err := file.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := file.Check(dir); err != nil {
		t.Errorf("in use: %v", err)
	}
}

func TestNewerVersion(t *testing.T) {
	t.Parallel()
	log, _ := small(t)
	_, err := with(t, t.TempDir(), bytes.Replace(log, []byte("version 1\n"), []byte("version 2\n"), 1))
	e, ok := errors.AsType[*wf.VersionError](err)
	if !ok || e.Found != 2 || e.Known != 1 {
		t.Errorf("a journal of version 2: %v", err)
	}
}

// A folder belongs to one process, which the second is told.
func TestOneOwner(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := file.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = file.Open(dir, nil)
	if e, ok := errors.AsType[*file.InUseError](err); !ok || e.Dir != dir {
		t.Errorf("a second owner: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = file.Open(dir, nil); err != nil {
		t.Fatalf("after the first closed: %v", err)
	}
	_ = s.Close()
}

// What a crash leaves beside the log is cleared away: files without their name yet, and the log before the last.
func TestLeftovers(t *testing.T) {
	t.Parallel()
	log, _ := small(t)
	dir := t.TempDir()
	for name, data := range map[string]string{"1.tmp": "half", "blobs/2.tmp": "half", "journal-000002.log": string(log), "notes.txt": "mine"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := with(t, dir, []byte("an old journal"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got := state(t, s); !strings.HasPrefix(got, "3 completed") {
		t.Errorf("the last log was not read: %s", got)
	}
	var left []string
	for _, pattern := range []string{"*", "blobs/*"} {
		names, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			left = append(left, filepath.Base(name))
		}
	}
	if got := strings.Join(left, " "); got != "blobs journal-000002.log lock notes.txt" {
		t.Errorf("left are %s", got)
	}
}

// A log of which little is of use is written anew, and says so.
func TestCompaction(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var logged bytes.Buffer
	opts := &file.Options{Compact: 10_000, Logger: slog.New(slog.NewTextHandler(&logged, nil))}
	s, err := file.Open(dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	for i := range uint64(50) {
		if _, err := s.PutRecord(ctx, "draft", "d", i, bytes.Repeat([]byte("x"), 1000)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = file.Open(dir, opts); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	info, err := os.Stat(filepath.Join(dir, "journal-000002.log"))
	if err != nil || info.Size() > 2000 {
		t.Errorf("the new log: %v, %v", info, err)
	}
	if r, err := s.GetRecord(ctx, "draft", "d"); err != nil || r.Revision != 50 || len(r.Value) != 1000 {
		t.Errorf("the record after it: %d, %v", r.Revision, err)
	}
	if !strings.Contains(logged.String(), "written anew") {
		t.Errorf("the log says %q", logged.String())
	}
}

// A blob that is not what it was is read with an error, and never to its end.
func TestDamagedBlob(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := file.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ref, err := s.PutBlob(ctx, strings.NewReader("what it was"))
	if err != nil {
		t.Fatal(err)
	}
	digits := strings.TrimPrefix(ref.Digest, "sha256:")
	path := filepath.Join(dir, "blobs", digits[:2], digits)
	for _, content := range []string{"what it is.", "what it wa", "what it was and more", ""} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := s.OpenBlob(ctx, ref)
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.ReadAll(r)
		if e, ok := errors.AsType[*wf.CorruptError](err); !ok || e.Place != path {
			t.Errorf("a blob that became %q: %v", content, err)
		}
		_ = r.Close()
	}
}
