package cli

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"lda.chat/wf/lifecycle"
)

// formatted checks that standard output is what the format promises, and gives the exit code that it tells, -1 for people's formats.
func (r ran) formatted(t *testing.T, format string, most int) int {
	t.Helper()
	var end struct {
		Type string
		OK   *bool
		Meta json.RawMessage
		Data struct {
			OK   *bool
			Meta meta
		}
	}
	lines := strings.Split(strings.TrimSuffix(r.stdout, "\n"), "\n")
	switch format {
	case formatJSON:
		return r.parsed(t).Meta.ExitCode
	case formatCompact:
		if n := utf8.RuneCountInString(lines[0]); len(lines) != 1 || n > most {
			t.Errorf("%d lines, %d characters; expected one of at most %d", len(lines), n, most)
		}
		if err := json.Unmarshal([]byte(lines[0]), &end); err != nil || end.OK == nil || *end.OK != (r.exit == ExitDone) {
			t.Errorf("%v: %s", err, r.stdout)
		}
		var m meta
		if json.Unmarshal(end.Meta, &m) != nil { // there is no room for it
			return -1
		}
		return m.ExitCode
	case formatJSONL:
		for i, line := range lines {
			if err := json.Unmarshal([]byte(line), &end); err != nil || (end.Type == "end") != (i == len(lines)-1) {
				t.Errorf("line %d of %d: %v: %.300s", i+1, len(lines), err, line)
			}
		}
		if end.Data.OK == nil || *end.Data.OK != (r.exit == ExitDone) {
			t.Errorf("the last line is %s", lines[len(lines)-1])
		}
		return end.Data.Meta.ExitCode
	}
	if r.stdout+r.stderr == "" || strings.Contains(r.stdout+r.stderr, "\x1b") || strings.Contains(r.stderr, "goroutine") {
		t.Errorf("people see %q", r.transcript())
	}
	if r.exit != ExitDone && !strings.Contains(r.stderr, ": ") {
		t.Errorf("people are not told why: %q", r.transcript())
	}
	return -1
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// changes reports whether a command leaves something behind when it works.
func changes(command string) bool {
	for _, m := range lifecycle.Methods() {
		if m.Command == command {
			return !m.ReadOnly
		}
	}
	return strings.HasPrefix(command, "draft ") // an edit
}

// Every command in every format, when it works, when it does not, when it is interrupted, when nobody reads: one answer, in that format,
// with the same exit code.
func TestEveryCommandInEveryFormat(t *testing.T) {
	t.Parallel()
	s := furnished(t)
	before := digestOf(t, s.dir)
	for _, command := range leaves(t) {
		t.Run(command, func(t *testing.T) {
			works, _ := sampleOf(t, command)
			fresh := func(line []string) *session { // what changes nothing may share a directory
				if &line[0] == &works[0] && changes(command) {
					return s.copied(t)
				}
				return s
			}
			fails := append(strings.Fields(command), "--no-such-flag")
			helps := append(strings.Fields(command), "--help")
			interrupted, cancel := context.WithCancel(t.Context())
			cancel()
			for _, line := range [][]string{works, fails, helps} {
				ctx := t.Context()
				if command == "worker" && len(line) == len(works) {
					ctx = interrupted // it ends no other way
				}
				exit := -1
				for _, format := range formats {
					host := testHost() // what it logs goes to standard error only
					host.Runtime.Logger = slog.New(slog.NewTextHandler(writerFunc(func(p []byte) (int, error) { return host.Stderr.Write(p) }), &slog.HandlerOptions{Level: slog.LevelDebug}))
					r := fresh(line).runHost(ctx, host, map[string]string{"WF_FORMAT": format}, nil, line...)
					if told := r.formatted(t, format, defaultChars); told >= 0 && told != r.exit {
						t.Errorf("%s: exit %d, and it tells of %d", format, r.exit, told)
					}
					if exit < 0 {
						exit = r.exit
					}
					if r.exit != exit {
						t.Errorf("%s: exit %d, as text it is %d", format, r.exit, exit)
					}
				}
				tiny := append(line[:len(line):len(line)], "--format", formatCompact, "--max-output-chars", "200")
				if r := fresh(line).run(ctx, nil, nil, tiny...); r.exit == exit {
					r.formatted(t, formatCompact, 200)
				} else {
					t.Errorf("%q: exit %d, else it is %d", tiny, r.exit, exit)
				}
				switch {
				case len(line) == len(fails) && line[len(line)-1] == "--no-such-flag":
					if exit != ExitUsage {
						t.Errorf("%q: exit %d", line, exit)
					}
				case exit != ExitDone && command != "worker":
					t.Errorf("%q: exit %d\n%s", line, exit, fresh(line).run(ctx, nil, nil, line...).transcript())
				}
			}

			r := fresh(works).run(interrupted, map[string]string{"WF_FORMAT": "json"}, nil, works...)
			if told := r.formatted(t, formatJSON, 0); told != ExitInterrupted && told != ExitDone {
				t.Errorf("interrupted: exit %d\n%s", told, r.stdout)
			}
			host := testHost()
			host.Stdout = failingWriter{}
			if r := s.runHost(t.Context(), host, nil, nil, helps...); r.exit != ExitInternal || strings.Contains(r.stderr, "goroutine") {
				t.Errorf("when nobody reads: exit %d, %s", r.exit, r.stderr)
			}
		})
	}
	if after := digestOf(t, s.dir); after != before {
		t.Errorf("something was changed:\nbefore %s\nafter  %s", before, after)
	}
}

// Texts come as editors save them, from files and from standard input: a mark of the byte order before them and the line ends of Windows
// change nothing.
func TestTextsAsEditorsSaveThem(t *testing.T) {
	t.Parallel()
	s := furnished(t)
	text := func(name string) string {
		data, err := os.ReadFile(filepath.Join(s.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	n := 0
	for _, command := range leaves(t) {
		line, at := sampleOf(t, command)
		for _, from := range fromStdin(commandOf(t, command), line, at) {
			var plain string
			switch flag := strings.TrimSuffix(from[len(from)-2], "-file"); {
			case from[at] == "-":
				plain = text(line[at])
			case flag == "--plan":
				plain = text("hello.json")
			case flag == "--config":
				plain = text("wf.config.json")
			case slices.Contains(line, flag):
				plain = line[slices.Index(line, flag)+1]
			default:
				plain = `{"name":"Ada"}`
			}
			if words := strings.Join(from[:2], " "); words == "run start" && slices.Contains(from, "--plan") {
				from = append(from, "--input", `{"name":"Ada"}`)
			}
			if command == "worker" {
				continue // it would go on
			}
			for _, given := range []string{plain, "\ufeff" + plain, "\r\n" + strings.ReplaceAll(plain, "\n", "\r\n") + "\r\n"} {
				r := s.copied(t).run(t.Context(), map[string]string{"WF_FORMAT": "json"}, []byte(given), from...)
				if n++; r.exit != ExitDone {
					t.Errorf("%q < %.20q: %s", from, given, r.transcript())
				}
				r.told(t, from)
			}
		}
	}
	if n < 30 {
		t.Errorf("only %d texts were read", n)
	}
}
