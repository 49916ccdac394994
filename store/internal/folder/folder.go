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
	Remove(name string) error
	SyncDir(name string) error // makes the names in a folder durable
}

// OS is the file system of the machine.
type OS struct{}

// Mkdir makes a folder that only its owner may read.
func (OS) Mkdir(name string) error { return os.Mkdir(name, 0o700) }

// Remove removes a file, or an empty folder.
func (OS) Remove(name string) error { return os.Remove(name) }

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
	if err := on.SyncDir(filepath.Dir(name)); err != nil {
		return errors.Join(err, on.Remove(name)) // whoever finds it takes it for durable
	}
	return nil
}
