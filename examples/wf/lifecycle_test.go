package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/cli"
	"lda.chat/wf/internal/golden"
)

// atNoon tells always the same time, so that what is printed does not change.
type atNoon struct{}

func (atNoon) Now() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) }
func (atNoon) AfterFunc(d time.Duration, f func()) func() bool {
	return time.AfterFunc(d, f).Stop
}

// testdata/lifecycle.txtar is a session at the top of the repository, on a store in SQLite: what each command prints, standard
// error marked with "! ", and exit codes other than 0 in brackets.
func TestLifecycle(t *testing.T) {
	name, err := filepath.Abs(filepath.Join("testdata", "lifecycle.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(top) // where the path in run-input.json begins
	dir := t.TempDir()
	env := map[string]string{"WF_STORE": "sqlite:" + filepath.Join(dir, "wf.db")}
	var b strings.Builder
	for line := range strings.Lines(string(text)) {
		args, isCommand := strings.CutPrefix(line, "$ wf ")
		if strings.HasPrefix(line, "# ") && b.Len() > 0 {
			b.WriteString("\n")
		}
		if isCommand || strings.HasPrefix(line, "# ") {
			b.WriteString(line)
		}
		if !isCommand {
			continue
		}
		var words []string
		for _, m := range regexp.MustCompile(`'([^']*)'|(\S+)`).FindAllStringSubmatch(args, -1) {
			words = append(words, m[1]+m[2])
		}
		var stdout, stderr bytes.Buffer
		exit := cli.Main(t.Context(), &cli.Options{
			Args: words, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Env: func(key string) string { return env[key] },
			Registries: registries(), Stores: stores(), Runtime: &wf.RuntimeOptions{Clock: atNoon{}}, Version: "v0.0.0-test",
		})
		b.Write(stdout.Bytes())
		for message := range strings.Lines(stderr.String()) {
			b.WriteString("! " + message)
		}
		if exit != cli.ExitDone {
			fmt.Fprintf(&b, "[exit %d]\n", exit)
		}
	}
	golden.Compare(t, name, strings.ReplaceAll(b.String(), dir, "DIR"))
}
