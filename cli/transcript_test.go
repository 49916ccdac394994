package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"lda.chat/wf/internal/golden"
)

// A transcript is a session as a person would see it: lines "$ wf …" with what they print. Standard error is marked with
// "! ", an exit code other than 0 stands in brackets. The files of the archive are in the working directory. Beside wf
// there are cat and ls, to see what was written, VARIABLE=value before wf, and "< file" or "> file" after it.

func TestTranscripts(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	t.Run("of", func(t *testing.T) {
		for _, name := range names {
			t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
				t.Parallel()
				text, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				archive := golden.Parse(string(text))
				archive.Comment = newSession(t, archive).replay(archive.Comment)
				golden.Compare(t, name, archive.String())
			})
		}
		t.Run("what goes wrong in wf itself", testInternalFailures)
		t.Run("what cannot be written", testUnwritable)
	})
	checkCodes(t)
}

// session is a working directory and a host in which commands run.
type session struct {
	t   *testing.T
	dir string
}

func newSession(t *testing.T, archive *golden.Archive) *session {
	s := &session{t: t, dir: t.TempDir()}
	for _, f := range archive.Files {
		s.write(f.Name, f.Data)
	}
	return s
}

func (s *session) write(name, data string) {
	s.t.Helper()
	path := filepath.Join(s.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o666); err != nil {
		s.t.Fatal(err)
	}
}

// replay runs the commands of a transcript again and writes what they print now.
func (s *session) replay(transcript string) string {
	var b strings.Builder
	printed := false // by the command above
	for line := range strings.Lines(transcript) {
		switch {
		case strings.HasPrefix(line, "$ "):
			b.WriteString(line)
			b.WriteString(s.command(strings.TrimSpace(line[2:])))
			printed = true
		case strings.HasPrefix(line, "#"):
			if printed {
				b.WriteString("\n")
			}
			printed = false
			b.WriteString(line)
		case !printed:
			b.WriteString(line)
		}
	}
	return b.String()
}

// command runs one line and gives its output.
func (s *session) command(line string) string {
	words := split(line)
	switch words[0] {
	case "cat":
		data, err := os.ReadFile(filepath.Join(s.dir, words[1]))
		if err != nil {
			return "! " + err.Error() + "\n"
		}
		return string(data)
	case "ls":
		return s.list()
	}
	env := map[string]string{}
	for strings.Contains(words[0], "=") {
		key, val, _ := strings.Cut(words[0], "=")
		env[key] = val
		words = words[1:]
	}
	if words[0] != "wf" {
		s.t.Fatalf("a transcript has the command %q", words[0])
	}
	words = words[1:]
	var stdin []byte
	if n := len(words); n > 1 && words[n-2] == "<" {
		data, err := os.ReadFile(filepath.Join(s.dir, words[n-1]))
		if err != nil {
			s.t.Fatal(err)
		}
		stdin, words = data, words[:n-2]
	}
	file := ""
	if n := len(words); n > 1 && words[n-2] == ">" {
		file, words = words[n-1], words[:n-2]
	}
	out := s.run(s.t.Context(), env, stdin, words...)
	if file != "" {
		s.write(file, out.stdout)
		out.stdout = ""
	}
	return out.transcript()
}

func (s *session) list() string {
	var b strings.Builder
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, e := range entries {
		b.WriteString(e.Name() + "\n")
	}
	return b.String()
}

// ran is what a command printed.
type ran struct {
	stdout, stderr string
	exit           int
}

// run runs a command in the session's directory.
func (s *session) run(ctx context.Context, env map[string]string, stdin []byte, args ...string) ran {
	s.t.Helper()
	return s.runHost(ctx, testHost(), env, stdin, args...)
}

// runHost runs a command of another binary. Its readers and writers are used if it has some.
func (s *session) runHost(ctx context.Context, host *Options, env map[string]string, stdin []byte, args ...string) ran {
	s.t.Helper()
	var stdout, stderr bytes.Buffer
	host.Args, host.Dir, host.Stderr = args, s.dir, &stderr
	if host.Stdin == nil {
		host.Stdin = bytes.NewReader(stdin)
	}
	if host.Stdout == nil {
		host.Stdout = &stdout
	}
	host.Env = func(key string) string { return env[key] }
	a := newApp(host)
	out := a.answer(ctx)
	exit := a.finish(out)
	seen.add(out)
	for _, n := range out.next {
		checkCommand(s.t, n.CLI)
	}
	clean := strings.NewReplacer(s.dir, "DIR", runtime.Version(), "GOVERSION")
	return ran{clean.Replace(stdout.String()), clean.Replace(stderr.String()), exit}
}

func (r ran) transcript() string {
	var b strings.Builder
	b.WriteString(r.stdout)
	if r.stdout != "" && !strings.HasSuffix(r.stdout, "\n") {
		b.WriteString("[no line break]\n")
	}
	for line := range strings.Lines(r.stderr) {
		b.WriteString("! " + line)
	}
	if r.exit != ExitDone {
		fmt.Fprintf(&b, "[exit %d]\n", r.exit)
	}
	return b.String()
}

// split separates the words of a line; single quotes keep what is in them together.
func split(line string) []string {
	var words []string
	var word strings.Builder
	quoted, any := false, false
	for _, r := range line {
		switch {
		case r == '\'':
			quoted, any = !quoted, true
		case r == ' ' && !quoted:
			if any || word.Len() > 0 {
				words = append(words, word.String())
			}
			word.Reset()
			any = false
		default:
			word.WriteRune(r)
		}
	}
	if any || word.Len() > 0 {
		words = append(words, word.String())
	}
	return words
}
