package file

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"lda.chat/wf"
	"lda.chat/wf/store/internal/ledger"
)

// log is the file of changes. Keep is its only writer.
type log struct {
	path  string
	disk  disk
	size  int64 // of what was written whole
	next  int64 // number of the next frame
	dirty bool  // something was written that was not synced
	room  []byte

	mu     sync.RWMutex // reading, against closing
	broken error        // why nothing is written any more
}

// disk is what a log needs of its file; tests put a failing one in its place.
type disk interface {
	ReadAt(p []byte, off int64) (int, error)
	WriteAt(p []byte, off int64) (int, error)
	Truncate(size int64) error
	Sync() error
	Close() error
}

var _ disk = (*os.File)(nil)

// Keep appends changes and syncs, if there is hurry. Changes that could not be written never were, and others may follow when there
// is room again. After a failed sync nobody can know what the disk holds, so nothing more is written.
func (l *log) Keep(changes []*ledger.Kept, hurry bool) error {
	if l.broken != nil {
		return fmt.Errorf("%w: %w", wf.ErrJournalClosed, l.broken)
	}
	if len(changes) == 0 {
		return nil
	}
	buf := l.room[:0]
	next := l.next
	for _, kept := range changes {
		begin := len(buf)
		var err error
		if buf, err = encode(buf, next, kept.Change); err != nil {
			return err
		}
		kept.Offset, kept.Size = l.size+int64(begin), int64(len(buf)-begin)
		next++
	}
	if cap(buf) <= 1<<20 {
		l.room = buf
	}
	if _, err := l.disk.WriteAt(buf, l.size); err != nil {
		if undo := l.disk.Truncate(l.size); undo != nil {
			return l.fail(errors.Join(err, undo))
		}
		return fmt.Errorf("write %s: %w", l.path, err)
	}
	l.dirty = true
	if hurry {
		if err := l.disk.Sync(); err != nil {
			return l.fail(err)
		}
		l.dirty = false
	}
	l.size, l.next = l.size+int64(len(buf)), next
	for _, kept := range changes {
		kept.Change = nil
	}
	return nil
}

func (l *log) fail(err error) error {
	l.broken = fmt.Errorf("%s could not be written; open the store again when the cause is gone: %w", l.path, err)
	return &wf.AmbiguousError{Err: l.broken}
}

// Load reads a change and checks it again.
func (l *log) Load(kept *ledger.Kept) (*ledger.Change, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.disk == nil {
		return nil, wf.ErrJournalClosed
	}
	frame := make([]byte, kept.Size)
	if _, err := l.disk.ReadAt(frame, kept.Offset); err != nil {
		return nil, fmt.Errorf("read %s at byte %d: %w", l.path, kept.Offset, err)
	}
	h, problem := decodeHead(frame[:frameLine])
	var c *ledger.Change
	if problem == "" {
		c, problem = h.decode(frame[frameLine:])
	}
	if problem != "" {
		return nil, &wf.CorruptError{Place: l.path, Offset: kept.Offset, Problem: problem}
	}
	return c, nil
}

func (l *log) close() error {
	var err error
	if l.dirty && l.broken == nil {
		err = l.disk.Sync()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	err = errors.Join(err, l.disk.Close())
	l.disk = nil
	l.broken = errors.New("it was closed")
	return err
}
