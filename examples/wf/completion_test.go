package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"lda.chat/wf/cli"
)

// inBash presses Tab at the end of each line, as Readline does: it splits words at the characters of COMP_WORDBREAKS too.
const inBash = `
source <(wf completion bash) || exit
COMP_WORDBREAKS=$' \t\n"\'@><=;|&(:'
compopt() { :; }
while IFS= read -r COMP_LINE; do
	COMP_POINT=${#COMP_LINE} COMP_WORDS=() word=
	for ((i = 0; i < COMP_POINT; i++)); do
		c=${COMP_LINE:i:1}
		case $c in
		' ') [[ -z $word ]] || COMP_WORDS+=("$word"); word= ;;
		[:=@]) [[ -z $word ]] || COMP_WORDS+=("$word"); COMP_WORDS+=("$c"); word= ;;
		*) word+=$c ;;
		esac
	done
	COMP_WORDS+=("$word")
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	__wf_complete
	echo "${COMPREPLY[*]}"
done`

// inFish asks what fish would offer at the end of each line, without the descriptions.
const inFish = `wf completion fish | source
while read -l line
	echo (string replace -r -- '\t.*' '' (complete -C $line))
end`

// The scripts complete in the shells that they are for; what bash has split off does not come again.
func TestCompletionInShells(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(binary, filepath.Join(dir, "wf")); err != nil {
		t.Skip("no links here: ", err)
	}
	for name, text := range map[string]string{
		"wf.config.json": `{"sources": [{"kind": "go", "id": "files", "registry": "hang"}]}`,
		"plan.json": `{"name": "p", "state_schema": {"type": "object", "properties": {"text": {"type": "string"}}},
			"output_schema": {"type": "object", "properties": {"report": {}, "summary": {}}}, "nodes": [{"id": "read", "node": "files.hang", "next": "__end__"}]}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	env := append(os.Environ(), "WF_TEST_HANG=1", "HOME="+dir, "XDG_CONFIG_HOME="+dir, "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"), "WF_STORE=file:store", "WF_CONFIG=")
	for _, args := range [][]string{{"draft", "create", "notes", "--plan", "plan.json"}, {"artifact", "create-from-plan", "plan.json"}} {
		cmd := exec.CommandContext(t.Context(), filepath.Join(dir, "wf"), args...)
		cmd.Dir, cmd.Env = dir, env
		if out, err := cmd.CombinedOutput(); exitCode(t, err) != cli.ExitDone {
			t.Fatalf("wf %q: %s", args, out)
		}
	}
	lines := []struct{ typed, bash, fish string }{
		{"wf draft sh", "show", "show"},
		{"wf draft show ", "notes", "notes"},
		{"wf draft add-step notes --after ", "read", "read"},
		{"wf artifact show p@", "1", "p@1"},
		{"wf deploy save d --artifact p@1 --binding ", "files=", "files="},
		{"wf draft set-workflow-output notes --map state.text=", "report summary", "state.text=report state.text=summary"},
		{"wf draft show --form=s", "short", "--form=short"},
		{"wf draft show --store file:st", "store", "file:store"},
		{"wf draft show --store file:nothing ", "", ""},
		{"wf draft show $(touch spoilt) ", "", "notes"}, // fish leaves out what it does not carry out,
	}
	var typed strings.Builder
	for _, line := range lines {
		typed.WriteString(line.typed + "\n")
	}
	for shell, script := range map[string]string{"bash": inBash, "fish": inFish} {
		t.Run(shell, func(t *testing.T) {
			path, err := exec.LookPath(shell)
			if err != nil {
				t.Skip("there is no ", shell, " here")
			}
			_ = os.Remove(filepath.Join(dir, "spoilt")) // by the shell before
			cmd := exec.CommandContext(t.Context(), path, "-c", script)
			cmd.Dir, cmd.Env, cmd.Stdin = dir, env, strings.NewReader(typed.String())
			var messages strings.Builder
			cmd.Stderr = &messages
			out, err := cmd.Output()
			if err != nil || messages.Len() > 0 {
				t.Errorf("%v\n%s", err, messages.String())
			}
			got := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
			if len(got) != len(lines) {
				t.Fatalf("%d lines were answered with\n%s", len(lines), out)
			}
			for i, line := range lines {
				if want := map[string]string{"bash": line.bash, "fish": line.fish}[shell]; got[i] != want {
					t.Errorf("%s: got %q, want %q", line.typed, got[i], want)
				}
			}
			if _, err := os.Stat(filepath.Join(dir, "spoilt")); err == nil && shell == "bash" { // fish does so, and shows it
				t.Error("completing has carried out a part of the command")
			}
		})
	}
}
