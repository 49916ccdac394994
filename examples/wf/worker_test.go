package main

import (
	"bytes"
	"encoding/json"
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
