package file

import (
	"errors"
	"fmt"
	"sync"

	"lda.chat/wf"
	"lda.chat/wf/store/internal/ledger"
)

// log is the file of changes. Keep is its only writer.
type log struct {
	path string
	disk disk
	size int64  // of what was written whole
	next int64  // number of the next frame
	last synced // as far as it is on the disk for certain
	room []byte

	mu     sync.RWMutex // reading, against closing
	broken error        // why nothing is written any more
}

// synced is how much of a log was synced.
type synced struct{ size, frame int64 }

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
	next, synced := l.next, l.last.frame
	for _, kept := range changes {
		begin := len(buf)
		var err error
		if buf, err = encode(buf, next, synced, kept.Change); err != nil {
			return err
		}
		kept.Offset, kept.Size = l.size+int64(begin), int64(len(buf)-begin)
		next, synced = next+1, 0
	}
	if cap(buf) <= 1<<20 {
		l.room = buf
	}
	if _, err := l.disk.WriteAt(buf, l.size); err != nil {
		if undo := l.disk.Truncate(l.size); undo != nil {
			return l.fail(errors.Join(err, undo))
		}
		return fmt.Errorf("the change was not kept, all others are: %w", err)
	}
	if hurry {
		if err := l.sync(l.size+int64(len(buf)), next-1); err != nil {
			return l.fail(err)
		}
	}
	l.size, l.next = l.size+int64(len(buf)), next
	for _, kept := range changes {
		kept.Change = nil
	}
	return nil
}

// sync makes the log durable, which has a size and a number of frames. If that fails, the system may take for durable what is not, and
// show it to the next who opens the file; so that is taken back, and written again by whoever goes on there.
func (l *log) sync(size, frame int64) error {
	if err := l.disk.Sync(); err != nil {
		return errors.Join(err, l.disk.Truncate(l.last.size))
	}
	l.last = synced{size, frame}
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
		c, _, problem = h.decode(frame[frameLine:])
	}
	if problem != "" {
		return nil, &wf.CorruptError{Place: l.path, Offset: kept.Offset, Problem: problem}
	}
	return c, nil
}

func (l *log) close() error {
	var err error
	if l.last.frame < l.next-1 && l.broken == nil {
		err = l.sync(l.size, l.next-1)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	err = errors.Join(err, l.disk.Close())
	l.disk = nil
	l.broken = errors.New("it was closed")
	return err
}
