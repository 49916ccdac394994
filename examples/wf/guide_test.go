package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"lda.chat/wf/cli"
)

// Every command of docs/lifecycle.md exits as the page says, one after the other in one store.
func TestGuide(t *testing.T) {
	t.Chdir(top)
	text, err := os.ReadFile(filepath.Join("docs", "lifecycle.md"))
	if err != nil {
		t.Fatal(err)
	}
	env := map[string]string{
		"WF_STORE":  "sqlite:" + filepath.Join(t.TempDir(), "wf.db"),
		"WF_CONFIG": "examples/report_workflow/wf.config.json",
	}
	ran := 0
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		for line := range strings.Lines(block[1]) {
			line, comment, _ := strings.Cut(strings.TrimSpace(line), "  # ")
			rest, ok := strings.CutPrefix(line, "wf ")
			if !ok {
				continue
			}
			want := cli.ExitDone
			if code := regexp.MustCompile(`^exit code (\d+)`).FindStringSubmatch(comment); code != nil {
				want, _ = strconv.Atoi(code[1])
			}
			var args []string
			for _, m := range regexp.MustCompile(`"([^"]*)"|(\S+)`).FindAllStringSubmatch(rest, -1) {
				args = append(args, m[1]+m[2])
			}
			var stdout, stderr bytes.Buffer
			exit := cli.Main(t.Context(), &cli.Options{
				Args: args, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Env: func(key string) string { return env[key] },
				Registries: registries(), Stores: stores(),
			})
			if exit != want {
				t.Errorf("%s: exit %d, the page says %d\n%s%s", line, exit, want, stdout.String(), stderr.String())
			}
			ran++
		}
	}
	if ran < 30 {
		t.Errorf("the page has only %d commands", ran)
	}
}
