package file

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"lda.chat/wf/store/internal/ledger"
)

// rewrite writes a log anew, with what is still of use.
func rewrite(on system, path string, from *log, entries *ledger.Ledger) error {
	return writeFile(on, path, func(w io.Writer) error {
		if _, err := fmt.Fprintf(w, "%s%d\n", firstLine, Version); err != nil {
			return err
		}
		number := int64(0)
		var frame []byte
		for c, err := range entries.Changes(from.Load) {
			if err != nil {
				return err
			}
			number++
			if frame, err = encode(frame[:0], number, number-1, c); err != nil {
				return err
			}
			if _, err := w.Write(frame); err != nil {
				return err
			}
		}
		return nil
	})
}

const tempSuffix = ".tmp"

// writeFile makes a file that is there whole, or not at all, whatever happens.
func writeFile(on system, path string, content func(io.Writer) error) error {
	return finish(on, path, func(f disk) error {
		w := bufio.NewWriterSize(f, 1<<20)
		if err := content(w); err != nil {
			return err
		}
		return w.Flush()
	})
}

// finish writes a temporary file in the same folder, syncs it, gives it its name, and syncs the folder.
func finish(on system, path string, content func(disk) error) (err error) {
	f, err := on.CreateTemp(filepath.Dir(path), "*"+tempSuffix)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = on.Remove(f.Name())
		}
	}()
	if err = content(f); err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	if err = on.Rename(f.Name(), path); err != nil {
		return err
	}
	return on.SyncDir(filepath.Dir(path))
}

// removeTemp removes the files of a folder that were not finished, and gives the names of the others.
func removeTemp(on system, dir string) (names []string, err error) {
	files, err := on.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		if !strings.HasSuffix(name, tempSuffix) {
			names = append(names, name)
		} else if err := on.Remove(filepath.Join(dir, name)); err != nil {
			return nil, err
		}
	}
	return names, nil
}
