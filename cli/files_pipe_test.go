//go:build unix

package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestPipes: a pipe that nobody writes to can be left, and none is replaced by a file.
func TestPipes(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "plan.json")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := (&app{}).read(ctx, pipe, "the plan")
	var f *failure
	if !errors.As(err, &f) || f.exit != ExitInterrupted {
		t.Errorf("reading ended with %v", err)
	}
	if err := replaceFile(pipe, []byte("{}")); err == nil {
		t.Error("the pipe was replaced")
	}
	if info, err := os.Stat(pipe); err != nil || info.Mode().IsRegular() {
		t.Errorf("%v, %v", info, err)
	}
}
