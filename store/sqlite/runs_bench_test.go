package sqlite

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"lda.chat/wf"
)

// Durable runs beside what they stand on: a commit of SQLite that holds one row, and a synced write of a file, measured in the
// same run. `go test -bench Durable -run '^$' .`

// tally counts the appends and the bytes of what a journal is given.
type tally struct {
	*Store
	appends, bytes, creates, posts atomic.Int64
	ended                          func() // is told of each run that has ended; nil: nobody is
}

func (j *tally) Create(ctx context.Context, run wf.NewRun) (wf.RunHead, error) {
	j.creates.Add(1)
	return j.Store.Create(ctx, run)
}

func (j *tally) Append(ctx context.Context, a wf.Append) (wf.RunHead, error) {
	j.appends.Add(1)
	for _, e := range a.Events {
		j.bytes.Add(int64(len(e)))
	}
	j.bytes.Add(int64(len(a.Snapshot)))
	head, err := j.Store.Append(ctx, a)
	if err == nil && head.Status.Ended() && j.ended != nil {
		j.ended()
	}
	return head, err
}

func (j *tally) Post(ctx context.Context, runID string, m wf.Message) (bool, error) {
	j.posts.Add(1)
	return j.Store.Post(ctx, runID, m)
}

type one map[string]*wf.Func

func (n one) Node(ref string) (*wf.Func, bool) { f, ok := n[ref]; return f, ok }
func (n one) Refs() []string                   { return nil }

type counter struct {
	Counter int `json:"counter"`
}

func counting(b *testing.B) (*wf.Runtime, *tally) {
	s, err := Open(filepath.Join(b.TempDir(), "wf.db"), nil)
	if err != nil {
		b.Fatal(err)
	}
	j := &tally{Store: s}
	count := wf.Node("count", func(_ context.Context, in counter) (counter, error) { return counter{in.Counter + 1}, nil }).OfSource("b")
	rt, err := wf.NewRuntime(&wf.RuntimeOptions{Journal: j, Nodes: one{"b.count": count}})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = rt.Close(context.Background())
		_ = s.Close()
	})
	return rt, j
}

// loop is a plan that counts to n, beside a state field that is carried along.
func loop(b *testing.B, n int) *wf.Workflow {
	w, diags := wf.ParseWorkflow(fmt.Appendf(nil, `{"name": "loop", "limits": {"max_steps": %d},
		"input_schema": {"type": "object", "properties": {"ballast": {"type": "string"}}},
		"state_schema": {"type": "object", "properties": {"counter": {"type": "integer", "default": 0}, "ballast": {"type": "string"}}},
		"output": {"counter": "state.counter"},
		"nodes": [
			{"id": "count", "node": "b.count", "input": {"counter": "state.counter"}, "output": {"counter": "state.counter"}, "next": "more"},
			{"id": "more", "type": "condition", "check": {"lt": ["state.counter", %d]}, "on": {"true": "count", "false": "__end__"}}]}`, 3*n+10, n))
	if err := diags.Err(); err != nil {
		b.Fatal(err)
	}
	return w
}

func finish(b *testing.B, rt *wf.Runtime, w *wf.Workflow, input any) {
	r, err := rt.Run(context.Background(), w, input)
	if err != nil {
		b.Error(err)
		return
	}
	if r.Status() != wf.StatusCompleted {
		b.Error(r.Status(), r.Err())
	}
}

func BenchmarkDurableFloor(b *testing.B) {
	row := []byte(`{"seq":100,"at":1700000000000000000,"event":"call_completed","entries":[` + strings.Repeat("x", 330) + `]}`)
	b.Run("fsync", func(b *testing.B) {
		f, err := os.Create(filepath.Join(b.TempDir(), "log"))
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		for b.Loop() {
			if _, err := f.Write(row); err != nil {
				b.Fatal(err)
			}
			if err := f.Sync(); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, group := range []int{1, 64, 512} {
		b.Run(fmt.Sprintf("commit/rows=%d", group), func(b *testing.B) {
			s, err := Open(filepath.Join(b.TempDir(), "wf.db"), nil)
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			w := s.writer
			if _, err := w.conn.ExecContext(context.Background(), "CREATE TABLE floor (run TEXT, seq INTEGER, data BLOB, PRIMARY KEY (run, seq)) WITHOUT ROWID"); err != nil {
				b.Fatal(err)
			}
			insert, err := w.statement("INSERT INTO floor VALUES (?, ?, ?)")
			if err != nil {
				b.Fatal(err)
			}
			seq := 0
			b.ResetTimer()
			for range b.N/group + 1 {
				_, err := w.conn.ExecContext(context.Background(), "BEGIN IMMEDIATE")
				for range group {
					seq++
					if err == nil {
						_, err = insert.Exec("run", seq, row)
					}
				}
				if err == nil {
					_, err = w.conn.ExecContext(context.Background(), "COMMIT")
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDurableStep(b *testing.B) {
	b.Run("runs=1", func(b *testing.B) {
		rt, j := counting(b)
		w := loop(b, max(b.N, 2))
		b.ResetTimer()
		finish(b, rt, w, nil)
		b.ReportMetric(float64(j.appends.Load())/float64(b.N), "commits/op")
		b.ReportMetric(float64(j.bytes.Load())/float64(b.N), "journal-B/op")
	})
	b.Run("runs=1000", func(b *testing.B) {
		rt, j := counting(b)
		const runs = 1000
		w := loop(b, b.N/runs+2)
		finish(b, rt, w, nil)
		commits := j.commits.Load()
		b.ResetTimer()
		var all sync.WaitGroup
		for range runs {
			all.Go(func() { finish(b, rt, w, nil) })
		}
		all.Wait()
		b.ReportMetric(float64(j.commits.Load()-commits)/float64(b.N), "commits/op")
	})
	ballast := map[string]string{"ballast": strings.Repeat("x", 1<<20)}
	b.Run("runs=1/state=1MB", func(b *testing.B) {
		rt, j := counting(b)
		w := loop(b, max(b.N, 2))
		b.ResetTimer()
		finish(b, rt, w, ballast)
		b.ReportMetric(float64(j.bytes.Load())/float64(b.N), "journal-B/op")
	})
}

// An approval: the pause, and the answer with what it sets off.
func BenchmarkDurableApproval(b *testing.B) {
	rt, j := counting(b)
	w, diags := wf.ParseWorkflow([]byte(`{"name": "approval", "nodes": [{"id": "ask", "type": "interrupt", "kind": "approval", "outcomes": ["ok"], "next": "__end__"}]}`))
	if err := diags.Err(); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for range b.N {
		r, err := rt.Run(context.Background(), w, nil)
		if err != nil {
			b.Fatal(err)
		}
		if err := r.Resume(context.Background(), wf.Answer{Outcome: "ok"}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(j.creates.Load()+j.appends.Load()+j.posts.Load())/float64(b.N), "commits/op")
}

// Ten thousand parked runs: what they hold in the process, and how long it takes to answer them all, some at a time.
func BenchmarkDurableParked(b *testing.B) {
	for _, abreast := range []int{64, 512} {
		b.Run(fmt.Sprintf("abreast=%d", abreast), func(b *testing.B) {
			for range b.N {
				parked(b, abreast)
			}
		})
	}
}

func parked(b *testing.B, abreast int) {
	const runs = 10_000
	w, diags := wf.ParseWorkflow([]byte(`{"name": "approval", "nodes": [{"id": "ask", "type": "interrupt", "kind": "approval", "outcomes": ["ok"], "next": "__end__"}]}`))
	if err := diags.Err(); err != nil {
		b.Fatal(err)
	}
	b.StopTimer()
	rt, j := counting(b)
	park := func(i int) {
		if _, err := rt.Start(context.Background(), w, nil, &wf.StartOptions{RunID: fmt.Sprint("r", i)}); err != nil {
			b.Error(err)
		}
	}
	park(runs)
	heap, goroutines := inUse(), runtime.NumGoroutine()
	each(runs, 64, park)
	b.ReportMetric(float64(int64(inUse())-int64(heap))/runs, "B/run")
	b.ReportMetric(float64(runtime.NumGoroutine()-goroutines), "goroutines")
	commits := j.commits.Load()
	b.StartTimer()
	each(runs, abreast, func(i int) {
		r, err := rt.Load(context.Background(), fmt.Sprint("r", i))
		if err == nil {
			err = r.Resume(context.Background(), wf.Answer{Outcome: "ok", Payload: json.RawMessage(`{}`)})
		}
		if err != nil {
			b.Error(err)
		}
	})
	b.ReportMetric(float64(j.commits.Load()-commits)/runs, "commits/run")
}

// Ten thousand queued runs of three steps, which one worker takes up and brings to their end.
func BenchmarkDurableQueued(b *testing.B) {
	const runs = 10_000
	w := loop(b, 3)
	for range b.N {
		b.StopTimer()
		rt, j := counting(b)
		each(runs, 64, func(i int) {
			if _, err := rt.Start(context.Background(), w, nil, &wf.StartOptions{RunID: fmt.Sprint("r", i), Queued: true}); err != nil {
				b.Error(err)
			}
		})
		ctx, over := context.WithCancel(context.Background())
		var ended atomic.Int64
		j.ended = func() {
			if ended.Add(1) == runs {
				over()
			}
		}
		commits := j.commits.Load()
		b.StartTimer()
		if err := rt.Work(ctx, nil); err != nil {
			b.Error(err)
		}
		b.ReportMetric(float64(j.commits.Load()-commits)/runs, "commits/run")
	}
}

func inUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// each does n things, some side by side.
func each(n, abreast int, do func(i int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range abreast {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	all.Wait()
}

// bare hides the snapshots, so that a run is read from its first event.
type bare struct{ *tally }

func (j bare) LoadSnapshot(context.Context, string, wf.Revision) (wf.Snapshot, error) {
	return wf.Snapshot{}, &wf.NotFoundError{What: "snapshot"}
}

// Reading a run of 50,000 events, from its first and from its latest snapshot.
func BenchmarkDurableFold(b *testing.B) {
	rt, j := counting(b)
	r, err := rt.Run(context.Background(), loop(b, 50_000), nil)
	if err != nil {
		b.Fatal(err)
	}
	for name, journal := range map[string]wf.Journal{"snapshot": j, "events=50000": bare{j}} {
		b.Run(name, func(b *testing.B) {
			other, err := wf.NewRuntime(&wf.RuntimeOptions{Journal: journal})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := other.At(context.Background(), r.ID(), 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
