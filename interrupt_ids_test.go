package wf_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"lda.chat/wf"
)

const askEach = `{"name": "q", "limits": {"max_steps": 1000000}, "nodes": [
	{"id": "each", "type": "foreach", "over": "input.list", "as": "n", "mode": "parallel", "on": {"item": "ask", "done": "__end__"}},
	{"id": "ask", "type": "interrupt", "kind": "k", "outcomes": ["ok"], "on": {"ok": "after"}},
	{"id": "after", "type": "condition", "check": {"eq": ["item.n", -1]}, "on": {"true": "__continue__", "false": "__continue__"}}]}`

func askAll(t *testing.T, n int) *wf.RunHandle {
	t.Helper()
	r, err := newRuntime(t, nil).Run(context.Background(), parsePlan(t, askEach), json.RawMessage(`{"list": [0`+strings.Repeat(", 0", n-1)+`]}`))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// An interrupt has one id. Nothing else answers it, however long it is, and no step that asked nothing was "answered before".
func TestOneIDForAnInterrupt(t *testing.T) {
	t.Parallel()
	r := askAll(t, 3)
	if err := r.Resume(context.Background(), wf.Answer{Interrupt: "/each[1]/ask"}); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"each[0]/ask", "//each[0]/ask", "/each[00]/ask", "/each[+0]/ask", "/each[0]/ask#1", "/each[0]/ask#01", "/each#1[0]/ask",
		"/each~1[0]/ask", "/each[0]/ask~1", "/each[99999999999999999999]/ask", "/each[3]/ask", "/each[-0]/ask", "/each[0]/../each[0]/ask", "/each[0]//ask",
		"/", "//", "/ask", "/each[0", "/each[0]]/ask", "\xff", "/each[1]/after", "/each[0]/each[0]/ask", strings.Repeat("/each[0]", 1<<20) + "/ask"} {
		err := r.Resume(context.Background(), wf.Answer{Interrupt: id})
		var e *wf.Error
		if !errors.As(err, &e) || e.Code != wf.CodeInterruptUnknown || len(e.Message) > 1000 {
			t.Errorf("%.40q: %.100v", id, err)
		}
	}
	if n := len(r.Interrupts()); n != 2 {
		t.Errorf("%d are open, expected 2", n)
	}
}

// Who names the step is told whether it asks, and that somebody was first.
func TestStepForAnInterrupt(t *testing.T) {
	t.Parallel()
	r := askAll(t, 1)
	named := func() *wf.Error {
		e, _ := errors.AsType[*wf.Error](r.Resume(context.Background(), wf.Answer{Interrupt: "ask"}))
		return e
	}
	if e := named(); e == nil || e.Code != wf.CodeInterruptUnknown || !strings.Contains(e.Message, `"/each[0]/ask"`) {
		t.Errorf("open: %v", e)
	}
	if err := r.Resume(context.Background(), wf.Answer{Interrupt: "/each[0]/ask"}); err != nil {
		t.Fatal(err)
	}
	if err := r.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	if e := named(); e == nil || e.Code != wf.CodeAlreadyResumed {
		t.Errorf("answered: %v", e)
	}
}

// What an answer costs does not depend on how many there were before. The test counts bytes, so it is not parallel.
func TestAnswersCostTheSame(t *testing.T) {
	const window = 1000
	r := askAll(t, 8*window)
	var cost [8]uint64
	for i := range cost {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for n := range window {
			if err := r.Resume(context.Background(), wf.Answer{Interrupt: fmt.Sprintf("/each[%d]/ask", i*window+n)}); err != nil {
				t.Fatal(err)
			}
		}
		runtime.ReadMemStats(&after)
		cost[i] = after.TotalAlloc - before.TotalAlloc
	}
	if cost[6] > 2*cost[1] {
		t.Errorf("bytes for %d answers each: %d", window, cost)
	}
	wantJSON(t, "records", json.RawMessage(fmt.Sprint(strings.Count(string(r.Journal(nil)), "\n"))), fmt.Sprint(r.Info().Records))
}
