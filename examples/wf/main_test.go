package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"lda.chat/wf"
	"lda.chat/wf/cli"
	"lda.chat/wf/plugin"
)

// top is the folder of the repository, where the paths of the example begin.
const top = "../.."

// As another binary this one has a function that hangs.
func TestMain(m *testing.M) {
	if os.Getenv("WF_TEST_HANG") == "" {
		os.Exit(m.Run())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop)
	hang := wf.Node("hang", func(context.Context, struct{}) (struct{}, error) {
		os.Stderr.WriteString("hanging\n")
		select {} // whatever its context says
	})
	os.Exit(cli.Main(ctx, &cli.Options{Registries: map[string]*plugin.Registry{"hang": {Nodes: []*wf.Func{hang}}}}))
}

// build makes the binary.
func build(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: nothing is built")
	}
	path := filepath.Join(t.TempDir(), "wf")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

func exitCode(t *testing.T, err error) int {
	t.Helper()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	t.Fatal(err)
	return -1
}

// The binary runs the report workflow as its README says.
func TestBinary(t *testing.T) {
	t.Parallel()
	binary := build(t)
	run := func(args ...string) (stdout, stderr string, exit int) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), binary, args...)
		var out, messages bytes.Buffer
		cmd.Dir, cmd.Stdout, cmd.Stderr = top, &out, &messages
		exit = exitCode(t, cmd.Run())
		return out.String(), messages.String(), exit
	}

	t.Run("try", func(t *testing.T) {
		stdout, stderr, exit := run("try", "examples/report_workflow/workflow.plan.json", "--config", "examples/report_workflow/wf.config.json",
			"--input-file", "examples/report_workflow/run-input.json", "--format", "json")
		var got struct {
			OK     bool
			Result struct {
				Status, Outcome string
				Output          struct {
					Markdown string
					Report   struct {
						Title, Summary   string
						ActionItems      []map[string]string `json:"action_items"`
						Risks, Followups []string
					}
				}
				Trace []struct {
					Step, Type, Outcome, Next string
					Input, Output             map[string]any
					Writes                    []map[string]any
				}
			}
		}
		if err := json.Unmarshal([]byte(stdout), &got); err != nil || exit != cli.ExitDone || stderr != "" || !got.OK {
			t.Fatalf("exit %d, %v\n%s%s", exit, err, stdout, stderr)
		}
		r := got.Result
		report := r.Output.Report
		if r.Status != "completed" || r.Outcome != "ok" || !strings.HasPrefix(r.Output.Markdown, "# Weekly Project Update\n") ||
			report.Title != "Weekly Project Update" || report.Summary == "" || len(report.ActionItems) != 3 || len(report.Risks) != 1 || len(report.Followups) != 2 {
			t.Errorf("the result is\n%s", stdout)
		}
		next := []string{"extract", "render", "__end__"}
		if len(r.Trace) != len(next) {
			t.Fatalf("the trace has %d entries", len(r.Trace))
		}
		for i, entry := range r.Trace {
			if entry.Step == "" || entry.Type != "node" || entry.Outcome != "ok" || entry.Next != next[i] ||
				len(entry.Input) == 0 || len(entry.Output) == 0 || len(entry.Writes) != 1 {
				t.Errorf("entry %d is %+v", i, entry)
			}
		}
	})

	for want, args := range map[int][]string{
		cli.ExitUsage:       {"plan", "valdate"},
		cli.ExitDiagnostics: {"plan", "validate", "examples/report_workflow/run-input.json"},
		cli.ExitNotFound:    {"try", "nothing.json"},
		cli.ExitRunFailed: {"cap", "call", "local.report.read_notes", "--input", `{"path": "nothing.md"}`,
			"--config", "examples/report_workflow/wf.config.json"},
	} {
		if stdout, stderr, exit := run(args...); exit != want || stderr == "" || stdout != "" && want != cli.ExitDiagnostics {
			t.Errorf("%q: exit %d, want %d\n%s%s", args, exit, want, stdout, stderr)
		}
	}

	t.Run("interrupted while it waits for its plan", func(t *testing.T) {
		cmd := exec.CommandContext(t.Context(), binary, "try", "-", "--format", "json")
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		cmd.Stdout = &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// More than a pipe holds: when all is written, the command is reading.
		if _, err := stdin.Write(bytes.Repeat([]byte(" "), 1<<20)); err != nil {
			t.Fatal(err)
		}
		interrupt(t, cmd)
		if exit := exitCode(t, cmd.Wait()); exit != cli.ExitInterrupted || !strings.Contains(out.String(), `"exit_code": 130`) {
			t.Errorf("exit %d\n%s", exit, out.String())
		}
	})
}

// Ctrl-C ends a run whose function hangs, and what is known of the run is still told.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"wf.config.json": `{"sources": [{"kind": "go", "id": "local", "registry": "hang"}]}`,
		"plan.json":      `{"name": "p", "nodes": [{"id": "wait", "node": "local.hang", "next": "__end__"}]}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), binary, "try", "plan.json", "--format", "json")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "WF_TEST_HANG=1")
	var out bytes.Buffer
	cmd.Stdout = &out
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(stderr, make([]byte, len("hanging\n"))); err != nil {
		t.Fatal(err)
	}
	interrupt(t, cmd)
	if exit := exitCode(t, cmd.Wait()); exit != cli.ExitInterrupted || !strings.Contains(out.String(), `"status": "cancelled"`) {
		t.Errorf("exit %d\n%s", exit, out.String())
	}
}

func interrupt(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Skip("no process can be interrupted here: ", err)
	}
}
