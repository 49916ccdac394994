package drivetest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/store/storetest"
)

// childEnv tells a process that it was started by the suite, and what for.
const childEnv = "WF_DRIVETEST_CHILD"

// order is what a process of the suite is to do.
type order struct {
	Role string
	Dir  string        // of the store in store, of the book and the log beside it
	Name string        // of the process
	Runs int           //
	IDs  []string      //
	Slow time.Duration // how long a call takes
}

// childLease is for how long processes of the suite hold runs.
const childLease = time.Second

// process is one that the suite has started.
type process struct {
	t     *testing.T
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
	log   string
}

// start starts this test again as another process.
func (s *suite) start(t *testing.T, o order) *process {
	t.Helper()
	text, err := json.Marshal(o)
	check(t, "order", err)
	p := &process{t: t, cmd: exec.Command(os.Args[0], "-test.run=^"+s.name+"$", "-test.count=1"), log: filepath.Join(o.Dir, "log-"+o.Name)}
	p.cmd.Env = append(os.Environ(), childEnv+"="+string(text))
	p.cmd.Stderr = os.Stderr
	p.in, err = p.cmd.StdinPipe()
	check(t, "pipe", err)
	out, err := p.cmd.StdoutPipe()
	check(t, "pipe", err)
	p.lines = bufio.NewScanner(out)
	check(t, "start", p.cmd.Start())
	t.Cleanup(p.kill)
	return p
}

// line reads what the process says next, "" at its end.
func (p *process) line() string {
	if !p.lines.Scan() {
		return ""
	}
	return p.lines.Text()
}

// tell lets it go on.
func (p *process) tell() { _, _ = fmt.Fprintln(p.in) }

// kill ends it at once.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait() // killed, or ended before
}

// end waits for its end, and wants it to have found nothing wrong.
func (p *process) end() {
	p.t.Helper()
	_ = p.in.Close()
	var said []string
	for p.lines.Scan() {
		said = append(said, p.lines.Text())
	}
	if err := p.cmd.Wait(); err != nil {
		p.t.Errorf("a process failed: %v\n%s", err, strings.Join(said, "\n"))
	}
}

func scan(line, format string, into ...any) bool {
	n, err := fmt.Sscanf(line, format, into...)
	return err == nil && n == len(into)
}

// child is the other process.
func child(t *testing.T, open storetest.Open, text string) {
	var o order
	check(t, "order", json.Unmarshal([]byte(text), &o))
	storeDir := filepath.Join(o.Dir, "store")
	check(t, "folder", os.MkdirAll(storeDir, 0o755))
	st, err := open(storeDir, time.Now)
	for i := 0; err != nil && i < 100; i++ { // the process before may be about to end
		time.Sleep(20 * time.Millisecond)
		st, err = open(storeDir, time.Now)
	}
	check(t, "open", err)
	t.Cleanup(func() { _ = st.Close() })
	w := &world{t: t, clock: newClock(), st: st, over: make(chan struct{}), news: make(chan struct{}), does: map[string]behaviour{"t.flaky": flaky}}
	t.Cleanup(func() { close(w.over) })
	w.book = appendTo(t, filepath.Join(o.Dir, "book"))
	w.logTo = appendTo(t, filepath.Join(o.Dir, "log-"+o.Name))
	w.lease = childLease
	if o.Slow > 0 {
		w.do("t.a", slow(o.Slow))
	}
	switch o.Role {
	case "park":
		w.lease = 0
		park(w, &o)
	case "journey":
		journeys(w, &o)
	case "steps":
		steps(w, &o)
	case "dies":
		dies(w, &o)
	case "work":
		workUntilTold(w)
	case "answer":
		answers(w, &o)
	default:
		t.Fatalf("no role %q", o.Role)
	}
}

func slow(d time.Duration) behaviour {
	return func(_ context.Context, c wf.CallInfo, _ json.RawMessage) (*wf.Result, error) {
		<-time.After(d)
		return placed(c), nil
	}
}

func appendTo(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	check(t, "open", err)
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// entered are the calls that processes have begun, by key and attempt.
func entered(t *testing.T, dir string) map[string]int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "book"))
	check(t, "book", err)
	calls := map[string]int{}
	for line := range strings.Lines(string(text)) {
		calls[strings.TrimSpace(line)]++
	}
	return calls
}

// workUntilTold works until its input ends.
func workUntilTold(w *world) {
	r := w.runtime(nil)
	fmt.Println("working")
	working, cancel := context.WithCancel(ctx)
	go func() { _, _ = io.Copy(io.Discard, os.Stdin); cancel() }()
	check(w.t, "work", r.Work(working, &wf.WorkOptions{Runs: 16, Poll: 50 * time.Millisecond}))
}
