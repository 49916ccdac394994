package drivetest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lda.chat/wf"
)

// trip is the journey without its long wait.
var trip = strings.Replace(journey, `"seconds": 600`, `"seconds": 0.1`, 1)

// journeys starts runs, answers and finishes them, and says what it was told.
func journeys(w *world, o *order) {
	r := w.runtime(nil)
	r.work(&wf.WorkOptions{Poll: 50 * time.Millisecond})
	inParallel(len(o.IDs), func(i int) {
		run := r.start(trip, journeyInput, &wf.StartOptions{RunID: o.IDs[i]})
		fmt.Println("started", o.IDs[i])
		for !run.Status().Ended() {
			if err := run.Wait(ctx); err != nil {
				w.t.Errorf("wait: %v", err)
				return
			}
			if run.Status() == wf.StatusInterrupted {
				switch err := run.Resume(ctx, wf.Answer{Interrupt: "/sub/ask"}); code(err) {
				case "", wf.CodeAlreadyResumed:
					fmt.Println("answered", o.IDs[i])
				default:
					w.t.Errorf("resume: %v", err)
					return
				}
			}
		}
		fmt.Println("ended", o.IDs[i])
	})
}

// Processes are killed at any moment. What they said was kept is there, every run comes to its end, every result is recorded once, and a
// call is made again only if it was out when a process was killed.
func (s *suite) killedProcesses(t *testing.T) {
	dir := t.TempDir()
	var ids []string
	for i := range 12 {
		ids = append(ids, fmt.Sprintf("run%d", i))
	}
	random := rand.New(rand.NewPCG(1, 1))
	said := map[string]bool{}
	for kills := range s.Kills + 1 {
		p := s.start(t, order{Role: "journey", Dir: dir, Name: fmt.Sprint(kills), IDs: ids})
		if kills == s.Kills {
			p.end()
			break
		}
		limit := 8 + random.IntN(16)
		for n := 0; p.lines.Scan(); n++ {
			said[p.lines.Text()] = true
			if n == limit {
				_ = p.cmd.Process.Kill() // and read what it had said before
			}
		}
		_ = p.cmd.Wait()
	}
	w := s.lookAt(t, dir)
	r := w.runtime(nil)
	want := s.undisturbed(t)
	for _, id := range ids {
		if got := ending(t, r.load(id)); got != want {
			t.Errorf("%s ended so:\n%s\nundisturbed so:\n%s", id, got, want)
		}
		w.once(id)
	}
	again := 0
	for call, n := range entered(t, dir) {
		again += n - 1
		if n > 1+s.Kills {
			t.Errorf("%s was called %d times", call, n)
		}
	}
	t.Logf("%d calls were made again after %d kills; said before: %v", again, s.Kills, slices.Sorted(maps.Keys(said)))
}

// lookAt opens the store of processes that are gone.
func (s *suite) lookAt(t *testing.T, dir string) *world {
	t.Helper()
	w := &world{t: t, clock: newClock(), over: make(chan struct{}), news: make(chan struct{}), does: map[string]behaviour{}}
	path := filepath.Join(dir, "store")
	check(t, "folder", os.MkdirAll(path, 0o755))
	w.st = s.at(t, path, w.clock)
	t.Cleanup(func() { close(w.over) })
	return w
}

const fiveSteps = `{"name": "five", "state_schema": {"type": "object", "properties": {"log": {"type": "array", "default": [], "x-reducer": "append"}}}, "nodes": [
 {"id": "s1", "node": "t.b", "output": {"at": "state.log"}, "next": "s2"}, {"id": "s2", "node": "t.b", "output": {"at": "state.log"}, "next": "s3"},
 {"id": "s3", "node": "t.b", "output": {"at": "state.log"}, "next": "s4"}, {"id": "s4", "node": "t.b", "output": {"at": "state.log"}, "next": "s5"},
 {"id": "s5", "node": "t.b", "output": {"at": "state.log"}, "next": "__end__"}]}`

// steps goes on with a run, and waits for its master after each append that was answered.
func steps(w *world, o *order) {
	p := w.tap()
	in := bufio.NewReader(os.Stdin)
	p.fail = func(op string, call func() error) error {
		err := call()
		if op == "append" || op == "create" {
			fmt.Println("kept", op, err)
			_, _ = in.ReadString('\n')
		}
		return err
	}
	r := w.runtimeOn(p, nil)
	run := r.start(fiveSteps, `{}`, &wf.StartOptions{RunID: o.IDs[0]})
	r.work(&wf.WorkOptions{Poll: 50 * time.Millisecond})
	check(w.t, "wait", run.Wait(ctx))
	fmt.Println("ended")
}

// A process is killed after each append that it was told was kept, while it knows nothing else. The next goes on from there.
func (s *suite) killedAtEach(t *testing.T) {
	dir := t.TempDir()
	processes := 0
	for ended := false; !ended; processes++ {
		if processes > 30 {
			t.Fatal("it does not end")
		}
		p := s.start(t, order{Role: "steps", Dir: dir, Name: fmt.Sprint(processes), IDs: []string{"five"}})
		for acks := 0; acks < 2+processes%2 && !ended; acks++ { // the first may only count that a call is made again
			line := p.line()
			if line == "ended" || line == "" {
				ended = true
				break
			}
			if !strings.HasPrefix(line, "kept ") || !strings.HasSuffix(line, "<nil>") {
				t.Fatalf("the process says %q", line)
			}
			if acks < 1+processes%2 {
				p.tell()
			}
		}
		if ended {
			p.end()
		}
		p.kill()
	}
	w := s.lookAt(t, dir)
	run := w.runtime(nil).load("five")
	w.wait(run, wf.StatusCompleted)
	same(t, "state", string(run.Info().State), `{"log":["/s1","/s2","/s3","/s4","/s5"]}`)
	w.once("five")
	for call, n := range entered(t, dir) {
		if n > 2 {
			t.Errorf("%s was called %d times", call, n)
		}
	}
	t.Logf("%d processes", processes)
}

const threeSlow = `{"name": "three", "state_schema": {"type": "object", "properties": {"log": {"type": "array", "default": [], "x-reducer": "append"}}}, "nodes": [
 {"id": "s1", "node": "t.a", "output": {"at": "state.log"}, "next": "s2"}, {"id": "s2", "node": "t.a", "output": {"at": "state.log"}, "next": "s3"},
 {"id": "s3", "node": "t.a", "output": {"at": "state.log"}, "next": "__end__"}]}`

// Two processes work on two hundred runs. One is killed half way and replaced, the other is frozen until its leases have run out and its
// runs have been finished by others, and woken. All runs end, each result is recorded once, and what the frozen one writes late is refused.
func (s *suite) twoWorkers(t *testing.T) {
	if !canFreeze {
		t.Skip("processes cannot be frozen here")
	}
	dir := t.TempDir()
	w := s.lookAt(t, dir)
	r := w.runtime(nil)
	plan := r.plan(threeSlow)
	ids := make([]string, 200)
	inParallel(len(ids), func(i int) {
		run, err := r.Start(ctx, plan, nil, &wf.StartOptions{Queued: true})
		if err != nil {
			t.Errorf("start: %v", err)
			return
		}
		ids[i] = run.ID()
	})
	worker := func(name string) *process {
		p := s.start(t, order{Role: "work", Dir: dir, Name: name, Slow: 20 * time.Millisecond})
		same(t, "worker", p.line(), "working")
		return p
	}
	killed, frozen := worker("killed"), worker("frozen")
	w.await("a quarter has ended", func() bool { return w.completed() >= len(ids)/4 })
	killed.kill()
	other := worker("other")
	w.await("half of them have ended, and the one to be frozen has some", func() bool { return w.completed() >= len(ids)/2 && s.holds(w, frozen) })
	freeze(w, frozen)
	w.await("the others have ended", func() bool { return w.completed() == len(ids) })
	thaw(frozen)
	w.await("the frozen one is told", func() bool {
		text, err := os.ReadFile(frozen.log)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		return containsAll(string(text), "a run is not driven here any more")
	})
	frozen.end()
	other.end()
	for _, id := range ids {
		run := r.load(id)
		w.wait(run, wf.StatusCompleted)
		same(t, "state", string(run.Info().State), `{"log":["/s1","/s2","/s3"]}`)
		w.once(id)
	}
	again := 0
	for call, n := range entered(t, dir) {
		again += n - 1
		if n > 3 {
			t.Errorf("%s was called %d times", call, n)
		}
	}
	text, err := os.ReadFile(frozen.log)
	check(t, "log", err)
	t.Logf("%d calls were made again; the frozen one was refused %d times", again, strings.Count(string(text), "a run is not driven here any more"))
}

// holds reports whether a process holds leases.
func (s *suite) holds(w *world, p *process) bool {
	page, err := w.st.List(ctx, wf.RunQuery{Status: []wf.RunStatus{wf.StatusRunning}, Limit: 1000})
	check(w.t, "list", err)
	return slices.ContainsFunc(page.Runs, func(h wf.RunHead) bool { return strings.Contains(h.Owner, fmt.Sprintf("-%d-", p.cmd.Process.Pid)) })
}

// freeze stops a process at a moment at which it does not keep others from the store: best just after a turn of one's own.
func freeze(w *world, p *process) {
	w.t.Helper()
	turn := func() error {
		limited, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
		defer cancel()
		_, err := w.st.PutRecord(limited, "probe", fmt.Sprint(w.clock.Now().UnixNano()), 0, nil)
		return err
	}
	for range 20 {
		_ = turn()
		halt(p)
		if turn() == nil {
			return
		}
		thaw(p)
	}
	w.t.Fatal("the process holds the store whenever it is stopped")
}

// answers answers runs when it is told to.
func answers(w *world, o *order) {
	r := w.runtime(nil)
	in := bufio.NewReader(os.Stdin)
	for _, id := range o.IDs {
		run := r.load(id)
		fmt.Println("ready")
		_, _ = in.ReadString('\n')
		fmt.Println("said", code(run.Resume(ctx, wf.Answer{Interrupt: "/ask", Outcome: "yes"})))
		check(w.t, "wait", run.Wait(ctx))
	}
}

// Two processes answer the same question at once: one is taken, the other is told so, and what lies behind it is done once.
func (s *suite) racingProcesses(t *testing.T) {
	dir := t.TempDir()
	w := s.lookAt(t, dir)
	r := w.runtime(nil)
	var ids []string
	for range rounds {
		run := r.start(askOnce, `{}`, nil)
		w.wait(run, wf.StatusInterrupted)
		ids = append(ids, run.ID())
	}
	a, b := s.start(t, order{Role: "answer", Dir: dir, Name: "a", IDs: ids}), s.start(t, order{Role: "answer", Dir: dir, Name: "b", IDs: ids})
	for _, id := range ids {
		same(t, "a", a.line(), "ready")
		same(t, "b", b.line(), "ready")
		together(a.tell, b.tell)
		said := []string{a.line(), b.line()}
		slices.Sort(said)
		same(t, "what they were told", said, []string{"said ", "said already_resumed"})
		w.wait(r.load(id), wf.StatusCompleted)
		w.once(id)
	}
	a.end()
	b.end()
	for call, n := range entered(t, dir) {
		same(t, call, n, 1)
	}
}
