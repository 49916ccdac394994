package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"testing"
)

func TestAsking(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]bool{"y\n": true, " YES \r\n": true, "y": true, "": false, "\n": false, "n\n": false, "yesterday\n": false, "no\ny\n": false} {
		var asked bytes.Buffer
		a := newApp(&Options{Args: []string{}, Stdin: strings.NewReader(typed), Stderr: &asked})
		err := a.ask(t.Context(), "deleting a draft")
		if (err == nil) != want || err != nil && failureOf(err).exit != ExitUsage {
			t.Errorf("%q: %v", typed, err)
		}
		if asked.String() != "deleting a draft cannot be undone. Is that meant? [y/N] " {
			t.Errorf("asked was %q", asked.String())
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	stdin, _ := io.Pipe() // nobody answers
	a := newApp(&Options{Args: []string{}, Stdin: readerFunc(func(p []byte) (int, error) { cancel(); return stdin.Read(p) }), Stderr: io.Discard})
	if err := a.ask(ctx, "deleting a draft"); failureOf(err).exit != ExitInterrupted {
		t.Errorf("interrupted: %v", err)
	}
}

// Nobody is asked who cannot answer, or does not read what people read.
func TestNobodyIsAsked(t *testing.T) {
	t.Parallel()
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	defer write.Close()
	for _, x := range []any{null, read, write, &bytes.Buffer{}, nil} {
		if isTerminal(x) {
			t.Errorf("%T is a terminal", x)
		}
	}
	s := furnished(t)
	for _, command := range leaves(t) {
		if commandOf(t, command).Flags().Lookup("yes") == nil {
			continue
		}
		line, _ := sampleOf(t, command)
		for _, format := range formats {
			args := append(strings.Fields(strings.ReplaceAll(strings.Join(line, " "), " --yes", "")), "--format", format)
			r := s.run(t.Context(), nil, []byte("y\n"), args...)
			if r.exit != ExitUsage || !strings.Contains(r.stdout+r.stderr, "--yes") {
				t.Errorf("%q: %s", args, r.transcript())
			}
		}
	}
}
