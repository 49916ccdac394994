package postgres_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lda.chat/wf"
)

// ownServer is a server that a test may stop. control runs pg_ctl on it.
func ownServer(t *testing.T) (address string, control func(args ...string)) {
	t.Helper()
	server(t) // whoever has none for the other tests is told what to do
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	if len(found) == 0 {
		out, err := exec.Command("pg_config", "--bindir").Output()
		if err != nil && os.Getenv("WF_REQUIRE") != "" {
			t.Fatal("the programs of the PostgreSQL server are not found: put pg_config into the PATH")
		} else if err != nil {
			t.Skip("the programs of the PostgreSQL server are not found")
		}
		found = []string{strings.TrimSpace(string(out))}
	}
	bin := slices.Max(found)
	dir, err := os.MkdirTemp("", "wf-postgres-*") // the folder of the test may be one that only its user enters
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	var as []string
	if os.Getuid() == 0 { // the server refuses to run as root
		other, err := user.Lookup("postgres")
		if err != nil {
			t.Fatal(err)
		}
		id, _ := strconv.Atoi(other.Uid)
		if err := os.Chown(dir, id, -1); err != nil {
			t.Fatal(err)
		}
		as = []string{"setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"}
	}
	run := func(program string, args ...string) {
		t.Helper()
		line := append(slices.Clone(as), filepath.Join(bin, program))
		cmd := exec.Command((append(line, args...))[0], (append(line, args...))[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", program, err, out)
		}
	}
	run("initdb", "--no-sync", "-D", "data", "-U", "wf", "-A", "trust", "-E", "UTF8", "--locale=C")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	_ = l.Close()
	control = func(args ...string) {
		t.Helper()
		run("pg_ctl", append(args, "-D", "data", "-l", "log", "-w", "-o", fmt.Sprintf("-p %d -c listen_addresses=127.0.0.1 -c unix_socket_directories=%s", port, dir))...)
	}
	control("start")
	t.Cleanup(func() { control("stop", "-m", "immediate") })
	return fmt.Sprintf("postgres://wf@127.0.0.1:%d/postgres", port), control
}

// The server is killed and started again while runs are written: nothing that was answered is lost, nothing is there twice, and all goes on.
func TestRestartUnderLoad(t *testing.T) {
	t.Parallel()
	address, control := ownServer(t)
	s := opened(t, address, nil)
	var heard atomic.Int32 // that any run may have changed
	defer s.Watch(func(id string) {
		if id == "" {
			heard.Add(1)
		}
	})()
	const writers, restarts = 8, 3
	var stop atomic.Bool
	var total, unknown, refused atomic.Int64
	var all sync.WaitGroup
	for i := range writers {
		all.Go(func() {
			id := fmt.Sprint("r", i)
			if _, err := s.Create(ctx, wf.NewRun{RunID: id, Owner: "p", TTL: time.Hour}); err != nil {
				t.Error(err)
				return
			}
			// again asks until the server is there.
			again := func() wf.Revision {
				for {
					h, err := s.Head(ctx, id)
					if err == nil {
						return h.Revision
					}
					refused.Add(1)
					time.Sleep(10 * time.Millisecond)
				}
			}
			for n := wf.Revision(0); !stop.Load(); {
				_, err := s.Append(ctx, wf.Append{RunID: id, Expect: n, Fence: 1, Events: [][]byte{fmt.Append(nil, n+1)}})
				switch {
				case err == nil:
					n++
					total.Add(1)
				case wf.IsAmbiguous(err):
					unknown.Add(1)
					if now := again(); now != n && now != n+1 {
						t.Errorf("%s is at %d, was at %d", id, now, n)
						return
					} else {
						n = now
					}
				default:
					if now := again(); now != n {
						t.Errorf("%s is at %d after an append to %d that was refused: %v", id, now, n, err)
						return
					}
				}
			}
			n := 0
			for e, err := range s.Events(ctx, id, 0) {
				if err != nil {
					t.Error(err)
					return
				}
				if n++; string(e.Data) != fmt.Sprint(n) {
					t.Errorf("event %d of %s is %q", n, id, e.Data)
				}
			}
			if h, err := s.Head(ctx, id); err != nil || int(h.Revision) != n {
				t.Errorf("%s is at %d and has %d events: %v", id, h.Revision, n, err)
			}
		})
	}
	reach := func(n int64) {
		t.Helper()
		for end := time.Now().Add(time.Minute); total.Load() < n; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%d appends after a minute", total.Load())
			}
		}
	}
	defer all.Wait()
	defer stop.Store(true)
	var before int32
	for range restarts {
		reach(total.Load() + 200)
		before = heard.Load()
		control("restart", "-m", "immediate")
	}
	reach(total.Load() + 200)
	for end := time.Now().Add(time.Minute); heard.Load() == before; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("a watcher did not hear that anything may have changed")
		}
	}
	if unknown.Load()+refused.Load() == 0 {
		t.Error("no append was disturbed")
	}
}

// While the server is away, what is asked is answered, in plain words, and the store goes on when it is back.
func TestServerAway(t *testing.T) {
	t.Parallel()
	address, control := ownServer(t)
	s := opened(t, address, nil)
	if _, err := s.Create(ctx, wf.NewRun{RunID: "r", Owner: "p", TTL: time.Hour}); err != nil {
		t.Fatal(err)
	}
	control("stop", "-m", "fast")
	for range 20 { // until connections that were lost are given up
		if _, err := s.Append(ctx, wf.Append{RunID: "r", Fence: 1}); err == nil {
			t.Fatal("an append was answered without a server")
		}
	}
	_, err := s.Append(ctx, wf.Append{RunID: "r", Fence: 1})
	if err == nil || wf.IsAmbiguous(err) || !strings.Contains(err.Error(), "cannot be reached") {
		t.Errorf("an append without a server: %v", err)
	}
	if _, err := s.Head(ctx, "r"); err == nil || !strings.Contains(err.Error(), "cannot be reached") {
		t.Errorf("a read without a server: %v", err)
	}
	control("start")
	if h, err := s.Append(ctx, wf.Append{RunID: "r", Fence: 1, Events: [][]byte{nil}}); err != nil || h.Revision != 1 {
		t.Errorf("when it is back: %v", err)
	}
}
