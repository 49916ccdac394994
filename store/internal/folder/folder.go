// Package folder makes folders that are still there after a loss of power.
package folder

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// System is what is needed of a file system.
type System interface {
	Mkdir(name string) error
	SyncDir(name string) error // makes the names in a folder durable
}

// OS is the file system of the machine.
type OS struct{}

// Mkdir makes a folder that only its owner may read.
func (OS) Mkdir(name string) error { return os.Mkdir(name, 0o700) }

// Make makes a folder, with those above it, unless it is there.
func Make(on System, name string) error {
	err := on.Mkdir(name)
	if above := filepath.Dir(name); errors.Is(err, fs.ErrNotExist) && above != name {
		if err := Make(on, above); err != nil {
			return err
		}
		err = on.Mkdir(name)
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil
	case err != nil:
		return err
	}
	return on.SyncDir(filepath.Dir(name))
}
