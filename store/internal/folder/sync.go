//go:build !windows

package folder

import (
	"errors"
	"os"
)

// SyncDir makes the names in a folder durable.
func (OS) SyncDir(name string) error {
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
