package wf_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"lda.chat/wf"
	"lda.chat/wf/store"
)

// A run whose runtimes die, before or after an append, again and again, ends as the model says, or in a doubt that it names.
func TestSimulationOnAJournal(t *testing.T) {
	t.Parallel()
	plays, died := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		s := wf.DrawSimRun(rt)
		if s == nil {
			return
		}
		deaths := rapid.SliceOfN(rapid.IntRange(0, 11), 0, 4).Draw(rt, "deaths")
		var problem string
		synctest.Test(t, func(*testing.T) {
			n := 0
			problem, n = playDurably(s, deaths)
			plays, died = plays+1, died+n
		})
		if problem != "" {
			plan, err := json.Marshal(s.Workflow)
			t.Logf("%s\n-- plan --\n%s %v", problem, plan, err) // it need not come again: goroutines are not played back
			rt.Fatalf("%s", problem)
		}
	})
	if t.Logf("%d runs, %d deaths", plays, died); died < plays/2 {
		t.Error("too few die")
	}
}

// mortal is a journal in the eyes of a runtime that dies at one of its appends.
type mortal struct {
	*store.Memory
	left int // twice the appends until it dies, one more if it dies after that
	die  func()
	told chan struct{} // holds a token when something was appended

	mu    sync.Mutex
	dead  bool
	calls map[string]int // of the runtime, by attempt
}

func (m *mortal) Append(ctx context.Context, a wf.Append) (wf.RunHead, error) {
	m.mu.Lock()
	before, after := m.left == 0, m.left == 1
	m.left -= 2
	m.dead = m.dead || before
	dead := m.dead
	m.mu.Unlock()
	if dead {
		return wf.RunHead{}, m.end()
	}
	head, err := m.Memory.Append(ctx, a)
	if after {
		m.mu.Lock()
		m.dead = true
		m.mu.Unlock()
		return wf.RunHead{}, m.end()
	}
	select {
	case m.told <- struct{}{}:
	default:
	}
	return head, err
}

func (m *mortal) called(attempt string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls[attempt]++
}

// twice gives an attempt that the runtime has made twice, "" if there is none.
func (m *mortal) twice() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	for attempt, n := range m.calls {
		if n > 1 {
			return attempt
		}
	}
	return ""
}

func (m *mortal) end() error {
	m.die()
	return wf.ErrJournalClosed // it gives up at once
}

func (m *mortal) Claim(ctx context.Context, c wf.ClaimRequest) ([]wf.RunHead, error) {
	if m.isDead() {
		return nil, m.end()
	}
	return m.Memory.Claim(ctx, c)
}

func (m *mortal) Renew(ctx context.Context, ttl time.Duration, leases ...wf.Lease) ([]string, error) {
	if m.isDead() {
		return nil, m.end()
	}
	return m.Memory.Renew(ctx, ttl, leases...)
}

func (m *mortal) isDead() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.dead
}

// playDurably plays a run with so many deaths, each after some appends, and gives what is wrong with its end, and how
// many have died.
func playDurably(s *wf.SimRun, deaths []int) (problem string, died int) {
	time.Sleep(time.Until(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))) // when the model plays
	st := store.NewMemory(nil)
	const lease = 4 * time.Millisecond
	for n := 0; ; n++ {
		alive, die := context.WithCancel(context.Background())
		m := &mortal{Memory: st, left: -1, die: die, told: make(chan struct{}, 1)}
		if n < len(deaths) {
			m.left = deaths[n]
		}
		m.calls = map[string]int{}
		rt, err := wf.NewRuntime(&wf.RuntimeOptions{Nodes: s.Nodes(m.called), Journal: m, Lease: lease, InDoubt: wf.DoubtFail})
		if err != nil {
			return err.Error(), n
		}
		ended := make(chan string, 1)
		go func() { ended <- tendDurably(alive, rt, s, m) }()
		select {
		case problem := <-ended:
			stop, cancel := context.WithTimeout(context.Background(), time.Second)
			_ = rt.Close(stop) // it may hang in a death at the last moment
			cancel()
			die()
			if problem != "" && !strings.HasPrefix(problem, "dead") {
				return fmt.Sprintf("after %d deaths: %s", n, problem), n
			}
			if attempt := m.twice(); attempt != "" {
				return "a runtime has called " + attempt + " twice", n
			}
			if problem == "" {
				return "", n
			}
		case <-alive.Done():
		}
		if attempt := m.twice(); attempt != "" {
			return "a runtime has called " + attempt + " twice", n
		}
		time.Sleep(lease)
	}
}

// tendDurably starts the run, or finds it, answers what it asks and waits for its end.
func tendDurably(ctx context.Context, rt *wf.Runtime, s *wf.SimRun, m *mortal) string {
	if _, err := rt.Start(ctx, s.Workflow, json.RawMessage(`{"n":3,"items":[1,2]}`), &wf.StartOptions{RunID: "sim"}); err != nil {
		return cmpDead(ctx, "start: "+err.Error())
	}
	go func() { _ = rt.Work(ctx, &wf.WorkOptions{Grace: time.Millisecond}) }()
	var run *wf.RunHandle
	for moves := 0; ; moves++ {
		var err error
		run, err = rt.Load(ctx, "sim")
		if err != nil {
			return cmpDead(ctx, "load: "+err.Error())
		}
		if run.Status().Ended() {
			break
		}
		if moves > 5000 {
			info, err := json.Marshal(run.Info())
			head, _ := m.Head(ctx, "sim")
			return fmt.Sprintf("it does not end: %s %v %+v", info, err, head)
		}
		for _, open := range run.Interrupts() {
			if err := run.Resume(ctx, s.Answer(&open)); err != nil && ctx.Err() == nil && codeOf(err) != string(wf.CodeAlreadyResumed) && codeOf(err) != string(wf.CodeInterruptClosed) && codeOf(err) != string(wf.CodeRunEnded) {
				return cmpDead(ctx, "resume: "+err.Error())
			}
		}
		select {
		case <-m.told:
		case <-time.After(time.Second):
		case <-ctx.Done():
			return "dead"
		}
	}
	got, err := s.Ended(run.Info())
	if err != nil {
		return err.Error()
	}
	if diff := cmp.Diff(s.Want, got); diff != "" && !doubted(m.Memory) {
		return "it ends otherwise (-model +run):\n" + diff
	}
	return ""
}

func cmpDead(ctx context.Context, problem string) string {
	if ctx.Err() != nil {
		return "dead"
	}
	return problem
}

// doubted reports whether a call was lost that must not be made twice.
func doubted(st *store.Memory) bool {
	for e, err := range st.Events(context.Background(), "sim", 0) {
		if err != nil || strings.Contains(string(e.Data), "whoever made the call was gone") {
			return true
		}
	}
	return false
}
