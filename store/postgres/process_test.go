package postgres_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/store/postgres"
)

const (
	workerEnv = "WF_POSTGRES_WORKER"
	leaseTime = 500 * time.Millisecond
	steps     = 3
)

// work advances runs until there are none, and says so before each batch, which waits for a word.
func work(t *testing.T, owner, name string) {
	s := opened(t, server(t), &postgres.Options{Schema: name})
	in := bufio.NewScanner(os.Stdin)
	for {
		heads, err := s.Claim(ctx, wf.ClaimRequest{Owner: owner, TTL: leaseTime, Max: 5})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println("holds", len(heads))
		if !in.Scan() {
			return
		}
		for _, h := range heads {
			refused, err := advance(s, h)
			if err != nil {
				t.Fatal(err)
			}
			if refused {
				fmt.Println("refused", h.RunID)
			}
		}
	}
}

// advance makes the steps of a run that are not made yet.
func advance(s *postgres.Store, h wf.RunHead) (refused bool, err error) {
	for n := h.Revision; n < steps; n++ {
		a := wf.Append{RunID: h.RunID, Expect: n, Fence: h.Fence, Events: [][]byte{fmt.Append(nil, "step ", n+1)}}
		if n == steps-1 {
			a.Status = wf.StatusCompleted
		}
		_, err := s.Append(ctx, a)
		if _, fenced := errors.AsType[*wf.FencedError](err); fenced {
			return true, nil
		}
		if err != nil {
			return false, err
		}
	}
	return false, nil
}

type worker struct {
	*exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

func startWorker(t *testing.T, name string) *worker {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.count=1")
	cmd.Env = append(os.Environ(), workerEnv+"="+name)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return &worker{cmd, in, bufio.NewScanner(out)}
}

// holds waits until the worker has runs, and returns how many.
func (w *worker) holds(t *testing.T) (n int) {
	t.Helper()
	for w.out.Scan() {
		if _, err := fmt.Sscanf(w.out.Text(), "holds %d", &n); err == nil {
			return n
		}
	}
	t.Fatal("the worker ended")
	return 0
}

// Of two processes one is killed and one is frozen while they hold runs: a third takes these over, each step is there once, and every
// late write of the frozen one is refused.
func TestKilledAndFrozen(t *testing.T) {
	t.Parallel()
	if name := os.Getenv(workerEnv); name != "" {
		work(t, fmt.Sprint("worker ", os.Getpid()), name)
		return
	}
	address := server(t)
	name := schema(t, address)
	s := opened(t, address, &postgres.Options{Schema: name})
	const n = 200
	for i := range n {
		if _, err := s.Create(ctx, wf.NewRun{RunID: fmt.Sprint("r", i), WakeAt: time.Unix(1, 0)}); err != nil {
			t.Fatal(err)
		}
	}
	workers := []*worker{startWorker(t, name), startWorker(t, name)}
	var held [2]int
	for round := range 6 {
		for i, w := range workers {
			held[i] = w.holds(t)
			if round < 5 {
				_, _ = w.in.Write([]byte("go\n"))
			}
		}
	}
	if held[0] == 0 || held[1] == 0 {
		t.Fatalf("the workers hold %v runs, want some", held)
	}
	killed, frozen := workers[0], workers[1]
	if err := killed.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := frozen.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	_, _ = frozen.in.Write([]byte("go\n"))
	open := func() int {
		page, err := s.List(ctx, wf.RunQuery{Status: []wf.RunStatus{wf.StatusRunning}, Limit: 1000})
		if err != nil {
			t.Fatal(err)
		}
		return len(page.Runs)
	}
	for end := time.Now().Add(time.Minute); open() > 0; {
		heads, err := s.Claim(ctx, wf.ClaimRequest{Owner: "third", TTL: time.Minute, Max: 50})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range heads {
			if refused, err := advance(s, h); err != nil || refused {
				t.Fatalf("the third is refused %s: %v", h.RunID, err)
			}
		}
		if time.Now().After(end) {
			t.Fatalf("%d runs are left", open())
		}
	}
	if err := frozen.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	late := 0
	for frozen.out.Scan() && strings.HasPrefix(frozen.out.Text(), "refused") {
		late++
	}
	if late != held[1] {
		t.Errorf("%d late writes were refused, want %d", late, held[1])
	}
	for i := range n {
		var events []string
		for e, err := range s.Events(ctx, fmt.Sprint("r", i), 0) {
			if err != nil {
				t.Fatal(err)
			}
			events = append(events, string(e.Data))
		}
		if got := strings.Join(events, ", "); got != "step 1, step 2, step 3" {
			t.Errorf("run %d has %s", i, got)
		}
	}
}
