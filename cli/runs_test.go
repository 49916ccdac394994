package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
	"lda.chat/wf/lifecycle/edit"
	"lda.chat/wf/store"
)

// reluctant is a store that has no room for the first changes of runs.
type reluctant struct {
	store.Store
	left atomic.Int32
}

func (r *reluctant) Append(ctx context.Context, a wf.Append) (wf.RunHead, error) {
	if r.left.Add(-1) >= 0 {
		return wf.RunHead{}, errors.New("no space left on device")
	}
	return r.Store.Append(ctx, a)
}

// Whoever waits for a run whose store does not keep it is told why, and the run goes on when the store does.
func TestWaitingForTheStore(t *testing.T) {
	t.Parallel()
	full := lifecycle.Stores{"full": func(context.Context, string, *lifecycle.OpenOptions) (store.Store, error) {
		st := &reluctant{Store: store.NewMemory(nil)}
		st.left.Store(2)
		return st, nil
	}}
	plan := `{"name": "p", "nodes": [{"id": "wait", "type": "wait", "seconds": 0.01, "next": "__end__"}]}`
	var out, messages bytes.Buffer
	exit := Main(t.Context(), &Options{Args: []string{"run", "start", "--plan", "-", "--store", "full:disk", "--format", "json"}, Stdin: strings.NewReader(plan),
		Stdout: &out, Stderr: &messages, Stores: full, Env: func(string) string { return "" }})
	if exit != ExitDone || !strings.Contains(messages.String(), "no space left on device") {
		t.Errorf("exit %d\n%s%s", exit, out.String(), messages.String())
	}
}

// checkCommand checks that a command that is advised is one: its words, its flags and its arguments.
func checkCommand(t *testing.T, line string) {
	t.Helper()
	args := split(line)
	if args[0] != "wf" {
		t.Errorf("%q is advised, and is no command of wf", line)
		return
	}
	root := newRoot(newApp(&Options{Args: args[1:]}))
	cmd, rest, err := root.Find(args[1:])
	if err == nil {
		err = cmd.ParseFlags(rest)
	}
	if err == nil && cmd.Args != nil {
		err = cmd.Args(cmd, cmd.Flags().Args())
	}
	if err != nil || !cmd.Runnable() {
		t.Errorf("%q is advised, and cannot be run: %v", line, err)
	}
}

// Every operation has its command, and every command of these groups its operation, or else its edit, with the same words about it.
func TestCommandsOfMethods(t *testing.T) {
	t.Parallel()
	root := newRoot(newApp(&Options{Args: []string{}}))
	known := map[string]bool{}
	for _, m := range lifecycle.Methods() {
		known[m.Command] = true
		cmd, rest, err := root.Find(strings.Fields(m.Command))
		if err != nil || len(rest) > 0 || cmd.Short != m.Summary || !cmd.Runnable() {
			t.Errorf("%s has no command %q that says %q: %v", m.Name, m.Command, m.Summary, err)
		}
		if m.Destructive != (cmd.Flags().Lookup("yes") != nil) {
			t.Errorf("%s: what takes away something needs --yes, other things do not", m.Command)
		}
	}
	for _, o := range edit.Ops() {
		if cmd, rest, err := root.Find([]string{"draft", o.Name}); err != nil || len(rest) > 0 || !known[words(cmd)] && cmd.Short+"." != o.Doc {
			t.Errorf("the edit %s has no command that says %q: %v", o.Name, o.Doc, err)
		}
		known["draft "+o.Name] = true
	}
	for _, name := range []string{"draft", "artifact", "run", "event", "deploy", "source", "cap", "code"} {
		group, _, _ := root.Find([]string{name})
		for _, cmd := range group.Commands() {
			if !known[words(cmd)] {
				t.Errorf("%q has no operation", words(cmd))
			}
		}
	}
}

// Every flag of a focused command is a member that the edit has.
func TestFlagsOfEdits(t *testing.T) {
	t.Parallel()
	for i := range focusedEdits {
		f := &focusedEdits[i]
		given := newGivenEdit(f.op)
		if f.takes != "" {
			given.members[f.takes] = "input"
		}
		for _, flag := range f.flags {
			sample := map[*flagKind]string{isText: "x", isSet: "true", isNumber: "2", isJSON: `"x"`, isTexts: "x", isMembers: "x=1", isFields: "x=string",
				isMap: "input.x=x", isMapOut: "x=state.x", isValue: "v=1", isTemplate: "t={input.x}", isDefault: "x=2"}[flag.kind]
			if err := (&editValue{edit: given, flag: flag}).Set(sample); err != nil {
				t.Errorf("%s --%s %s: %v", f.op, flag.name, sample, err)
			}
		}
		list, err := given.edits()
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(list)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := edit.Parse(text); err != nil {
			t.Errorf("%s: %s: %v", f.op, text, err)
		}
	}
}

func TestPasswordsAreNotRepeated(t *testing.T) {
	t.Parallel()
	flags := &storeFlags{store: "postgres://wf:s3cret@db.example/wf?sslmode=require"}
	a := newApp(&Options{Args: []string{"run", "list", "--store", flags.store}})
	for _, text := range []string{flags.words(), a.again()} {
		if strings.Contains(text, "s3cret") || !strings.Contains(text, "wf@db.example") {
			t.Errorf("the command is %s", text)
		}
	}
}

func TestRunsSayWhatToThinkOfBefore(t *testing.T) {
	t.Parallel()
	run := &lifecycle.Run{RunInfo: wf.RunInfo{RunID: "r", Status: wf.StatusFailed}, Advice: &lifecycle.Advice{Warnings: []string{"it pays twice"}}}
	if out := shown(run, &storeFlags{}); !slices.Contains(out.notes, "warning: it pays twice") {
		t.Errorf("%q", out.notes)
	}
}
