package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// isTerminal reports whether a reader or a writer is somebody's terminal.
func isTerminal(x any) bool {
	if m, ok := x.(*messages); ok {
		x = m.to
	}
	f, ok := x.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// confirmed refuses what takes something away, unless --yes was given, or a person at a terminal says so. Programs are not asked,
// wherever they run: they read another format than people.
func (a *app) confirmed(ctx context.Context, yes bool, what string) error {
	people := a.format == formatText || a.format == formatTable
	switch {
	case yes:
		return nil
	case people && isTerminal(a.Stdin) && isTerminal(a.Stderr):
		return a.ask(ctx, what)
	}
	return failed(ExitUsage, codeUsage, what+" cannot be undone", "add --yes if that is meant")
}

// ask asks whether something is meant. Whatever is not yes is no.
func (a *app) ask(ctx context.Context, what string) error {
	fmt.Fprintf(a.Stderr, "%s cannot be undone. Is that meant? [y/N] ", what)
	line, err := readAll(ctx, func() (io.ReadCloser, error) {
		line, err := bufio.NewReader(a.Stdin).ReadString('\n')
		if err == io.EOF {
			err = nil
		}
		return io.NopCloser(strings.NewReader(line)), err
	})
	switch {
	case ctx.Err() != nil:
		return interrupted()
	case err == nil && slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(string(line)))):
		return nil
	}
	return failed(ExitUsage, codeUsage, "nothing was done", "answer with y, or add --yes")
}
