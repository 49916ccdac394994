package file

import (
	"errors"
	"os"
	"syscall"
)

var errInUse = errors.New("in use")

const sharingViolation = syscall.Errno(32)

// acquire opens the lock of a folder for nobody else. The system gives it back when the process ends, however it does.
func acquire(path string) (*os.File, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	h, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, sharingViolation) {
		return nil, errInUse
	}
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(h), path), nil
}

// release gives a lock back.
func release(f *os.File) error { return f.Close() }
