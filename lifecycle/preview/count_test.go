package preview

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"lda.chat/wf"
)

// TestBoundsHold: in small random plans no way to an end does less than what is said at least, and none does more than what is said at
// most; in most of them one does just what is said at least, and what is bounded is known to be. All ways are gone, as often as max_visits lets them.
func TestBoundsHold(t *testing.T) {
	t.Parallel()
	bounded, cyclic, ending, exact, missed := 0, 0, 0, 0, 0
	for seed := range uint64(1000) {
		w := randomPlan(rand.New(rand.NewPCG(seed, 1)))
		p := &previewer{opts: &Options{}, flows: map[*wf.Workflow]*flow{}}
		got := p.calls(p.flow(w, nil, "", ""), func(ref string) bool { return ref == "a.x" })
		least, most, all := walk(w)
		if least >= 0 && int64(least) < got.AtLeast {
			t.Errorf("seed %d: at least %d, and a way has %d: %s", seed, got.AtLeast, least, w.Short())
		}
		if all && least >= 0 {
			if ending++; int64(least) == got.AtLeast {
				exact++
			}
		}
		if got.AtMost != nil {
			bounded++
			if int64(most) > *got.AtMost {
				t.Errorf("seed %d: at most %d, and a way has %d: %s", seed, *got.AtMost, most, w.Short())
			}
			if most > len(w.Nodes) {
				cyclic++
			}
		} else if all { // every way was gone to its end; a bound that is never exhausted can do that
			missed++
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d bounded, %d go round, %d missed, %d of %d exact", bounded, cyclic, missed, exact, ending)
	if bounded < 500 || cyclic < 50 || exact*100 < ending*80 || missed*100 > 2*bounded {
		t.Errorf("only %d plans are bounded, %d go round, the bounds of %d are missed; of %d that end %d have just what is said at least", bounded, cyclic, missed, ending, exact)
	}
}

func randomPlan(r *rand.Rand) *wf.Workflow {
	n := 2 + r.IntN(4)
	w := &wf.Workflow{Name: "p", Start: "s0"}
	for i := range n {
		ref := []string{"a.x", "a.y"}[r.IntN(2)]
		w.Nodes = append(w.Nodes, &wf.NodeStep{StepCommon: wf.StepCommon{ID: fmt.Sprint("s", i)}, Node: ref})
		for k := range 1 + r.IntN(2) {
			e := wf.Edge{From: fmt.Sprint("s", i), Outcome: wf.Outcome(fmt.Sprint("o", k)), To: wf.ToEnd}
			to := r.IntN(n + 1)
			if to < n {
				e.To = fmt.Sprint("s", to)
			}
			if to <= i && r.IntN(8) > 0 {
				e.MaxVisits = 1 + r.IntN(2)
				if to := r.IntN(n + 2); to < n && to > i {
					e.Exhausted = fmt.Sprint("s", to)
				} else if to == n {
					e.Exhausted = wf.ToEnd
				}
			}
			w.Edges = append(w.Edges, e)
		}
	}
	return w
}

// walk goes all ways; least is -1 if none ends. all is false if there were too many.
func walk(w *wf.Workflow) (least, most int, all bool) {
	least, all = -1, true
	visits := make([]int, len(w.Edges))
	steps := 20_000
	var from func(id string, calls, depth int)
	from = func(id string, calls, depth int) {
		if steps--; steps < 0 || depth > 60 {
			all = false
			return
		}
		if id == wf.ToEnd {
			if least < 0 || calls < least {
				least = calls
			}
			most = max(most, calls)
			return
		}
		for _, s := range w.Nodes {
			if s.StepID() == id && s.(*wf.NodeStep).Node == "a.x" {
				calls++
			}
		}
		most = max(most, calls)
		for i, e := range w.Edges {
			if e.From != id {
				continue
			}
			switch {
			case e.MaxVisits > 0 && visits[i] == e.MaxVisits:
				if e.Exhausted != "" {
					from(e.Exhausted, calls, depth+1)
				}
			default:
				visits[i]++
				from(e.To, calls, depth+1)
				visits[i]--
			}
		}
	}
	from(w.Start, 0, 0)
	return least, most, all
}

// TestPreviewGrowsEvenly: a plan four times as long takes four times the work for each thing that is counted, not sixteen times: steps are
// looked at as often as ways lead from them.
func TestPreviewGrowsEvenly(t *testing.T) {
	t.Parallel()
	looks := func(n int) (count int64) {
		w := &wf.Workflow{Name: "p", Start: "s0"}
		for i := range n {
			w.Nodes = append(w.Nodes, &wf.NodeStep{StepCommon: wf.StepCommon{ID: fmt.Sprint("s", i)}, Node: "a.x"})
			w.Edges = append(w.Edges, wf.Edge{From: fmt.Sprint("s", i), Outcome: "ok", To: fmt.Sprint("s", i+1)},
				wf.Edge{From: fmt.Sprint("s", i), Outcome: "again", To: fmt.Sprint("s", i), MaxVisits: 2})
		}
		p := &previewer{opts: &Options{}, flows: map[*wf.Workflow]*flow{}}
		got := p.count(p.flow(w, nil, "", ""), func(*flow, wf.Step) int64 { count++; return 1 })
		if got.AtLeast != int64(n) || *got.AtMost != 3*int64(n) {
			t.Errorf("%d steps: %v", n, got)
		}
		return count
	}
	if one, four := looks(5_000), looks(20_000); four != 4*one {
		t.Errorf("%d looks at 5000 steps, %d at 20000", one, four)
	}
}
