package wf

import (
	"os"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

func TestSimStat(t *testing.T) {
	if os.Getenv("SIMSTAT") == "" {
		t.Skip()
	}
	var mu sync.Mutex
	st := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		f, prog := simPlan(t, false, false)
		seed := rapid.Uint64().Draw(t, "seed")
		m, way, _ := simExpect(f, seed)
		mu.Lock()
		defer mu.Unlock()
		if m.steps > simTooLong {
			st["toolong"]++
			return
		}
		if m.vague {
			st["vague"]++
		}
		if way.fail != nil {
			st["failed "+way.fail.code]++
		} else {
			st["completed"]++
		}
		st["steps"] += m.steps
		st["frames"] += len(m.trace)
		switch {
		case m.steps < 5:
			st["steps<5"]++
		case m.steps < 20:
			st["steps<20"]++
		case m.steps < 60:
			st["steps<60"]++
		default:
			st["steps>60"]++
		}
		for _, s := range f.w.Nodes {
			st["kind "+string(s.StepType())]++
		}
		w := simRun(t, f, prog, seed, false)
		st["records"] += len(w.lines)
	})
	for k, v := range st {
		t.Log(k, v)
	}
}
