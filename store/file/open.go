package file

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/store/internal/contract"
	"lda.chat/wf/store/internal/ledger"
)

const logPrefix, logSuffix = "journal-", ".log"

// firstLine begins a log, so that a person and an older program see what it is.
const firstLine = "wf journal, version "

// openLog reads the log of a folder, or makes one. Of several, left by a crash while one was written anew, the last is whole.
func openLog(on system, dir string, o *Options) (*log, *ledger.Ledger, error) {
	generation, err := lastLog(on, dir)
	if err != nil {
		return nil, nil, err
	}
	if generation == 0 {
		generation = 1
		if err := writeFile(on, logPath(dir, generation), func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "%s%d\n", firstLine, Version)
			return err
		}); err != nil {
			return nil, nil, err
		}
	}
	l, entries, err := readLog(on, logPath(dir, generation), o.Logger)
	if err != nil {
		return nil, nil, err
	}
	expire(entries, o)
	if live := entries.Size(); o.Compact < 0 || l.size > o.Compact && live < l.size/2 {
		path := logPath(dir, generation+1)
		err := rewrite(on, path, l, entries)
		if err = errors.Join(err, l.close()); err != nil {
			return nil, nil, err
		}
		o.Logger.Info("the journal was written anew", slog.String("file", path), slog.Int64("from_bytes", l.size), slog.Int64("to_bytes", live))
		if err := on.Remove(l.path); err != nil {
			return nil, nil, err
		}
		if l, entries, err = readLog(on, path, o.Logger); err != nil {
			return nil, nil, err
		}
		expire(entries, o)
	}
	return l, entries, nil
}

// expire ends the leases of the process that had the folder before.
func expire(entries *ledger.Ledger, o *Options) {
	t := entries.Begin(contract.Moment(o.Now()))
	t.Expire()
	entries.Publish(t)
}

func logPath(dir string, generation int) string {
	return filepath.Join(dir, fmt.Sprintf("%s%06d%s", logPrefix, generation, logSuffix))
}

// lastLog finds the last log, and removes what a crash may have left beside it: older logs, and files that were not finished. Whoever
// gave the last one its name may have been killed before the name was durable.
func lastLog(on system, dir string) (last int, err error) {
	names, err := removeTemp(on, dir)
	if err != nil {
		return 0, err
	}
	found := generations(names)
	if len(found) == 0 {
		return 0, nil
	}
	if err := on.SyncDir(dir); err != nil {
		return 0, err
	}
	last = found[len(found)-1]
	for _, n := range found[:len(found)-1] {
		if err := on.Remove(logPath(dir, n)); err != nil {
			return 0, err
		}
	}
	return last, nil
}

// generations are those of the logs among the files of a folder, in order.
func generations(names []string) (found []int) {
	for _, name := range names {
		digits, isLog := strings.CutPrefix(name, logPrefix)
		digits, whole := strings.CutSuffix(digits, logSuffix)
		if n, err := strconv.Atoi(digits); isLog && whole && err == nil && n > 0 {
			found = append(found, n)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// readLog reads a log from end to end.
func readLog(on system, path string, logger *slog.Logger) (*log, *ledger.Ledger, error) {
	f, err := on.OpenRW(path)
	if err != nil {
		return nil, nil, err
	}
	l := &log{path: path, disk: f, next: 1}
	entries, err := l.replay(f, logger)
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return l, entries, nil
}

func (l *log) replay(f disk, logger *slog.Logger) (*ledger.Ledger, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	r := bufio.NewReaderSize(f, int(min(1<<20, info.Size())))
	first, err := r.ReadString('\n')
	if err != nil && err != io.EOF {
		return nil, err
	}
	text, ok := strings.CutPrefix(first, firstLine)
	version, bad := strconv.Atoi(strings.TrimSuffix(text, "\n"))
	if err == io.EOF || !ok || bad != nil || version < 1 || strconv.Itoa(version)+"\n" != text {
		return nil, &wf.CorruptError{Place: l.path, Problem: "it does not begin as a journal does"}
	}
	if version > Version {
		return nil, &wf.VersionError{Place: l.path, Found: version, Known: Version}
	}
	l.size = int64(len(first))
	entries := ledger.New()
	for l.size < info.Size() {
		kept, problem, err := l.frame(r, info.Size())
		if err == nil && problem != "" && problem != cutOff {
			var torn bool
			if torn, err = l.torn(f, info.Size()); torn {
				problem = cutOff
			}
		}
		if err != nil {
			return nil, err
		}
		if problem == cutOff {
			logger.Warn("the last change was not complete and never answered; it was cut off", slog.String("file", l.path),
				slog.Int64("offset", l.size), slog.Int64("bytes", info.Size()-l.size))
			if err := f.Truncate(l.size); err != nil {
				return nil, err
			}
			break
		}
		if problem == "" {
			t := entries.Begin(contract.Moment(info.ModTime()))
			if problem = t.Apply(kept); problem == "" {
				kept.Change = nil
				entries.Publish(t)
			}
		}
		if problem != "" {
			return nil, &wf.CorruptError{Place: l.path, Offset: l.size, Problem: problem}
		}
		l.size += kept.Size
		l.next++
	}
	l.last = synced{l.size, l.next - 1}
	return entries, f.Sync() // what was read is not lost any more
}

const cutOff = "cut off"

// frame reads the next frame.
func (l *log) frame(r io.Reader, size int64) (kept *ledger.Kept, problem string, err error) {
	left := size - l.size
	line := make([]byte, min(left, int64(frameLine)))
	if _, err := io.ReadFull(r, line); err != nil {
		return nil, "", fmt.Errorf("read %s at byte %d: %w", l.path, l.size, err)
	}
	if left < int64(frameLine) {
		return nil, cutOff, nil
	}
	h, problem := decodeHead(line)
	switch {
	case problem != "":
		return nil, problem, nil
	case h.number != l.next:
		return nil, fmt.Sprintf("frame %d comes where frame %d should", h.number, l.next), nil
	case int64(frameLine)+h.rest() > left:
		return nil, cutOff, nil
	}
	rest := make([]byte, h.rest())
	if _, err := io.ReadFull(r, rest); err != nil {
		return nil, "", fmt.Errorf("read %s at byte %d: %w", l.path, l.size, err)
	}
	c, _, problem := h.decode(rest)
	return &ledger.Kept{Change: c, Offset: l.size, Size: int64(frameLine) + h.rest()}, problem, nil
}
