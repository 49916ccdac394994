package storetest

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"lda.chat/wf"
)

// What was answered is there when the store is opened again, and all goes on from there.
func (s *suite) reopen(t *testing.T) {
	c := newClock()
	dir := t.TempDir()
	st := s.at(t, dir, c)
	owned(t, st, "r", "1", "2")
	post(t, st, "r", "taken")
	post(t, st, "r", "left")
	_, err := st.Append(ctx, wf.Append{RunID: "r", Expect: 2, Fence: 1, Events: lines("3"), Consume: []string{"taken"}, Snapshot: []byte("state"), Labels: map[string]string{"a": "b"}})
	check(t, "append", err)
	_, err = st.Fork(ctx, "r", 2, wf.NewRun{RunID: "f", Status: wf.StatusInterrupted})
	check(t, "fork", err)
	history(t, st, "h")
	_, err = st.Fork(ctx, "h", 7, wf.NewRun{RunID: "pruned", Status: wf.StatusInterrupted})
	check(t, "fork", err)
	check(t, "prune", st.Prune(ctx, "pruned", 5))
	_, err = st.Append(ctx, wf.Append{RunID: "h", Expect: 10, Fence: 1, Status: wf.StatusCompleted})
	check(t, "end", err)
	_, err = st.PutRecord(ctx, "draft", "d", 0, []byte("x"))
	check(t, "put", err)
	ref, err := st.PutBlob(ctx, strings.NewReader("blob"))
	check(t, "blob", err)
	before := all(t, st, wf.RunQuery{})
	check(t, "close", st.Close())

	c.move(2 * time.Minute)
	st = s.at(t, dir, c)
	after := all(t, st, wf.RunQuery{})
	if !st.Caps().MultiProcess {
		for i := range before {
			if before[i].Owner != "" {
				before[i].LeaseUntil = c.now() // its process is gone
			}
		}
	}
	same(t, "runs", after, before)
	same(t, "events", read(t, st, "r", 0), []string{"1", "2", "3"})
	same(t, "events of a run that was pruned", read(t, st, "pruned", 0), []string{"6", "7"})
	same(t, "pending", pendingIDs(t, st, "r"), []string{"left"})
	if post(t, st, "r", "taken") {
		t.Error("a message that was consumed is fresh again")
	}
	r, err := st.OpenBlob(ctx, ref)
	check(t, "blob", err)
	check(t, "close", r.Close())
	same(t, "taken up", claim(t, st, wf.ClaimRequest{Max: 9, Owner: "next"}), []string{"r"})
	_, err = st.Append(ctx, wf.Append{RunID: "r", Expect: 3, Fence: 1, Events: lines("late")})
	refused[*wf.FencedError](t, "append of the process that is gone", err)
	_, err = st.Append(ctx, wf.Append{RunID: "r", Expect: 3, Fence: 2, Events: lines("4")})
	check(t, "append", err)
	_, err = st.PutRecord(ctx, "draft", "d", 1, []byte("y"))
	check(t, "put", err)
}

// A copy of the folder after any operation, the store still open, has all that was answered, and can go on.
func (s *suite) copies(t *testing.T) {
	dir := t.TempDir()
	p := &player{t: t, m: newModel(), c: newClock(), rand: rand.New(rand.NewPCG(2, 2))}
	p.s = s.at(t, dir, p.c)
	if files, err := os.ReadDir(dir); err != nil || len(files) == 0 {
		t.Skip("the store does not lie in a folder")
	}
	live := p.s
	for i := range 120 {
		p.s = live
		p.step()
		if i%3 != 0 {
			continue
		}
		// What the copy forgets is not forgotten by the store: leases of a process that goes on.
		leases := map[string]wf.RunHead{}
		for id, r := range p.m.runs {
			leases[id] = r.head
		}
		p.s = s.at(t, copyDir(t, dir), p.c)
		p.reopened()
		p.compare()
		check(t, "close", p.s.Close())
		for id, h := range leases {
			p.m.runs[id].head = h
		}
	}
}

const writerEnv = "WF_STORETEST_WRITER"

// write is the other process: it says what was answered, until it is killed.
func write(t *testing.T, open Open, dir string) {
	st, err := open(dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	var from [8]wf.Revision
	var fences [8]wf.Fence
	for i := range from {
		h, err := st.Create(ctx, wf.NewRun{RunID: idOf(i)})
		check(t, "create", err)
		heads, err := st.Claim(ctx, wf.ClaimRequest{Owner: fmt.Sprint(os.Getpid()), TTL: time.Millisecond, Only: idOf(i)})
		for err == nil && len(heads) == 0 { // the one before had a lease for a moment
			heads, err = st.Claim(ctx, wf.ClaimRequest{Owner: fmt.Sprint(os.Getpid()), TTL: time.Millisecond, Only: idOf(i)})
		}
		check(t, "claim", err)
		from[i], fences[i] = h.Revision, heads[0].Fence
	}
	lines := make(chan string, 100)
	for i := range from {
		go func() {
			for n := from[i] + 1; ; n++ {
				if _, err := st.Append(ctx, wf.Append{RunID: idOf(i), Expect: n - 1, Fence: fences[i], Events: [][]byte{fmt.Append(nil, i, " ", n)}}); err != nil {
					lines <- "error " + err.Error()
					return
				}
				lines <- fmt.Sprintf("acked %d %d", i, n)
			}
		}()
	}
	for line := range lines {
		fmt.Println(line)
	}
}

// A process that is killed while it writes loses nothing that it said was kept, and leaves no gaps.
func (s *suite) killed(t *testing.T) {
	dir := t.TempDir()
	if files, _ := os.ReadDir(dir); len(files) > 0 {
		t.Fatal("the folder is not empty")
	}
	var acked [8]wf.Revision
	for round := range 4 {
		cmd := exec.Command(os.Args[0], "-test.run=^"+s.name+"$", "-test.count=1")
		cmd.Env = append(os.Environ(), writerEnv+"="+dir)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		check(t, "pipe", err)
		check(t, "start", cmd.Start())
		scanner := bufio.NewScanner(out)
		for n := 0; scanner.Scan(); n++ {
			var i int
			var revision wf.Revision
			if _, err := fmt.Sscanf(scanner.Text(), "acked %d %d", &i, &revision); err != nil {
				if n < 300 {
					t.Errorf("the writer says %q", scanner.Text())
				}
				break
			}
			acked[i] = max(acked[i], revision)
			if n == 150+100*round {
				check(t, "kill", cmd.Process.Kill()) // and read what it had said before
			}
		}
		_ = cmd.Wait() // killed, as it should be
		func() {
			st, err := s.open(dir, time.Now)
			check(t, "open after the kill", err)
			defer st.Close()
			for i := range acked {
				events := read(t, st, idOf(i), 0)
				if len(events) < int(acked[i]) {
					t.Errorf("round %d: run %d has %d events, %d were answered", round, i, len(events), acked[i])
				}
				for n, e := range events {
					if e != fmt.Sprint(i, " ", n+1) {
						t.Fatalf("run %d: event %d is %q", i, n+1, e)
					}
				}
			}
		}()
	}
	if acked[0] == 0 {
		t.Error("nothing was answered")
	}
}
