//go:build unix && !solaris && !aix

package file

import (
	"errors"
	"os"
	"syscall"
)

var errInUse = errors.New("in use")

// acquire takes the lock of a folder. The system gives it back when the process ends, however it does.
func acquire(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, errInUse
		}
		return nil, err
	}
	return f, nil
}

// release gives a lock back, also if a process that is being started has a copy of the file for a moment.
func release(f *os.File) error {
	return errors.Join(syscall.Flock(int(f.Fd()), syscall.LOCK_UN), f.Close())
}
