package sqlite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"lda.chat/wf"
)

// Check finds out whether a file can be opened as a store, as far as its header tells, and makes and changes nothing. That other processes
// have it open is no matter. Where there is no file, or an empty one, there is nothing to find. It fails with [*wf.VersionError] or
// [*wf.CorruptError], or if the file cannot be read or is another program's.
func Check(path string) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	// https://www.sqlite.org/fileformat.html#the_database_header
	const magic, versionAt, applicationAt = "SQLite format 3\x00", 60, 68
	header := make([]byte, 100)
	n, err := io.ReadFull(f, header)
	switch {
	case n == 0 && err == io.EOF:
		return nil
	case err != nil && err != io.ErrUnexpectedEOF:
		return err
	case err != nil || string(header[:len(magic)]) != magic:
		return &wf.CorruptError{Place: path, Problem: "it does not begin as a database of SQLite does"}
	}
	version, application := int(binary.BigEndian.Uint32(header[versionAt:])), binary.BigEndian.Uint32(header[applicationAt:])
	_, err = os.Stat(path + "-wal")
	switch {
	case application == 0 && version == 0 && err == nil: // what it is stands in the log still
		return nil
	case application != applicationID:
		return fmt.Errorf("%s is a database of another program", path)
	case version > len(names):
		return &wf.VersionError{Place: path, Found: version, Known: len(names)}
	}
	return nil
}
