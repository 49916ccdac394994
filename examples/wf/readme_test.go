package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"lda.chat/wf/cli"
)

// readme gives the blocks of a language in the README of the repository.
func readme(t *testing.T, language string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(top, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		blocks = append(blocks, m[1])
	}
	return blocks
}

// commands gives the arguments of the lines of the README's shell blocks that begin with a command: as a shell splits them,
// without variables and such, which the README has none of.
func commands(t *testing.T, command string) [][]string {
	t.Helper()
	var all [][]string
	for _, block := range readme(t, "sh") {
		block = strings.ReplaceAll(block, "\\\n", " ")
		for line := range strings.Lines(block) {
			args, ok := strings.CutPrefix(strings.TrimSpace(line), command+" ")
			if !ok {
				continue
			}
			var words []string
			for _, m := range regexp.MustCompile(`'([^']*)'|(\S+)`).FindAllStringSubmatch(args, -1) {
				if m[2] == "#" {
					break
				}
				words = append(words, m[1]+m[2])
			}
			all = append(all, words)
		}
	}
	if len(all) == 0 {
		t.Fatalf("README.md has no command %q", command)
	}
	return all
}

// Every command of the README prints something and exits with 0, or with what the README says.
func TestReadmeCommands(t *testing.T) {
	lines := commands(t, "go run ./examples/wf")
	t.Chdir(top)
	env := map[string]string{"WF_STORE": "sqlite:" + filepath.Join(t.TempDir(), "wf.db")}
	for _, args := range lines {
		var stdout, stderr bytes.Buffer
		exit := cli.Main(t.Context(), &cli.Options{
			Args: args, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Env: func(key string) string { return env[key] },
			Registries: registries(), Stores: stores(),
		})
		waits := exit == cli.ExitWaiting && args[0] == "run" && args[1] == "start"
		if !waits && (exit != cli.ExitDone || stdout.Len() == 0) {
			t.Errorf("%q: exit %d\n%s%s", args, exit, stdout.String(), stderr.String())
		}
	}
}

// The README's program of one's own compiles, and its commands exit with 0.
func TestReadmeProgram(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short: nothing is built")
	}
	dir := t.TempDir()
	for name, block := range map[string]string{
		"main.go":        blockWith(t, "go", "package main"),
		"wf.config.json": blockWith(t, "json", `"sources"`),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(block), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	binary := filepath.Join(dir, "wf.exe") // a name that every system runs
	run(t, top, "go", "build", "-o", binary, filepath.Join(dir, "main.go"))
	var out string
	for _, args := range commands(t, "go run .") {
		out += run(t, dir, binary, args...)
	}
	for _, want := range []string{"local.greet", "Hello, Ada!"} {
		if !strings.Contains(out, want) {
			t.Errorf("the commands print no %q:\n%s", want, out)
		}
	}
}

func blockWith(t *testing.T, language, text string) string {
	t.Helper()
	for _, block := range readme(t, language) {
		if strings.Contains(block, text) {
			return block
		}
	}
	t.Fatalf("README.md has no %s with %s", language, text)
	return ""
}

func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return string(out)
}
