package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"lda.chat/wf/cli"
)

// A run is queued by one process, taken on by another, answered from a third, and watched by a fourth.
func TestWorker(t *testing.T) {
	t.Parallel()
	binary := build(t)
	db := filepath.Join(t.TempDir(), "wf.db")
	command := func(args ...string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), binary, append(args, "--store", db, "--config", "examples/approval/wf.config.json")...)
		cmd.Dir = top
		return cmd
	}
	run := func(want int, args ...string) string {
		t.Helper()
		cmd := command(args...)
		var out, messages bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &messages
		if exit := exitCode(t, cmd.Run()); exit != want {
			t.Fatalf("%q: exit %d, expected %d\n%s%s", args, exit, want, out.String(), messages.String())
		}
		return out.String()
	}
	run(cli.ExitDone, "run", "start", "--plan", "examples/approval/workflow.plan.json", "--input", `{"topic": "rain"}`, "--run-id", "letter", "--queued")
	run(cli.ExitTimeout, "run", "watch", "letter", "--timeout", "100ms")

	worker := command("worker", "--lease", "2s")
	var log bytes.Buffer
	worker.Stderr = &log
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	run(cli.ExitWaiting, "run", "watch", "letter", "--timeout", "60s")
	out := run(cli.ExitDone, "run", "list", "--waiting", "--format", "json")
	if !strings.Contains(out, `"letter"`) {
		t.Errorf("who waits: %s", out)
	}

	// What is advised works as it stands, from another process.
	var waiting struct {
		NextActions []struct{ CLI string } `json:"next_actions"`
	}
	out = run(cli.ExitDone, "run", "inspect", "letter", "--format", "json")
	if err := json.Unmarshal([]byte(out), &waiting); err != nil || len(waiting.NextActions) == 0 {
		t.Fatal(err, out)
	}
	advised := strings.TrimPrefix(waiting.NextActions[0].CLI, "wf ")
	shell := exec.CommandContext(t.Context(), "sh", "-c", `"$0" `+advised, binary)
	shell.Dir = top
	if said, err := shell.CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", advised, err, said)
	}
	if trace := run(cli.ExitDone, "run", "trace", "letter", "--step", "send", "--format", "compact"); !strings.Contains(trace, `"total":1`) {
		t.Errorf("the letter was sent: %s", trace)
	}
	run(cli.ExitDone, "run", "delete", "letter", "--yes")

	interrupt(t, worker)
	if exit := exitCode(t, worker.Wait()); exit != cli.ExitDone || !strings.Contains(log.String(), "the worker has ended") {
		t.Errorf("the worker: exit %d\n%s", exit, log.String())
	}
}

// Ctrl-C ends the waiting for a run in a store, not the run: another process can still do with it what it likes.
func TestInterruptLeavesTheRunInTheStore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"wf.config.json": `{"store": {"kind": "file", "path": "runs"}, "sources": [{"kind": "go", "id": "local", "registry": "hang"}]}`,
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
	command := func(args ...string) (*exec.Cmd, *bytes.Buffer) {
		cmd := exec.CommandContext(t.Context(), binary, append(args, "--format", "json")...)
		var out bytes.Buffer
		cmd.Dir, cmd.Env, cmd.Stdout = dir, append(os.Environ(), "WF_TEST_HANG=1"), &out
		return cmd, &out
	}
	for _, args := range [][]string{{"run", "start", "--plan", "plan.json"}, {"try", "plan.json", "--store", "file:runs"}} {
		cmd, out := command(args...)
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
		if exit := exitCode(t, cmd.Wait()); exit != cli.ExitInterrupted || !strings.Contains(out.String(), `"run_goes_on"`) {
			t.Errorf("%q: exit %d\n%s", args, exit, out.String())
		}
	}
	cmd, out := command("run", "list", "--status", "running")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	var list struct {
		Result struct {
			Runs []struct {
				RunID string `json:"run_id"`
			}
		}
	}
	if err := json.Unmarshal(out.Bytes(), &list); err != nil || len(list.Result.Runs) != 2 {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for _, r := range list.Result.Runs {
		cmd, out := command("run", "cancel", r.RunID, "--yes")
		if err := cmd.Run(); err != nil || !strings.Contains(out.String(), `"status": "cancelled"`) {
			t.Errorf("%v\n%s", err, out.String())
		}
	}
}
