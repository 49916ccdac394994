package file

import (
	"log/slog"
	"os"
)

// Check finds out whether the store in a folder can be opened, and makes and changes nothing: its log is read and checked from end to end,
// as [Open] does. That another process has it open is no matter. Where there is no log, there is nothing to find. It fails with
// [*wf.VersionError] or [*wf.CorruptError], or if the log cannot be read.
func Check(dir string) error {
	names, err := machine{}.ReadDir(dir)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	found := generations(names)
	if len(found) == 0 {
		return nil
	}
	l, _, err := readLog(looking{}, logPath(dir, found[len(found)-1]), slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	return l.disk.Close()
}

// looking is the file system of who only looks.
type looking struct{ machine }

func (looking) OpenRW(name string) (disk, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	return unchanged{f}, nil
}

// unchanged is a file that stays as it is, also where a last frame that is not complete would be cut off.
type unchanged struct{ *os.File }

func (unchanged) Truncate(int64) error { return nil }
func (unchanged) Sync() error          { return nil }
