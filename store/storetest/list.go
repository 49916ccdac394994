package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"lda.chat/wf"
)

// Queries select, and pages follow one another.
func (s *suite) list(t *testing.T) {
	c := newClock()
	st := s.fresh(t, c)
	begin := c.now().Truncate(time.Microsecond)
	for i := range 30 {
		status := []wf.RunStatus{wf.StatusRunning, wf.StatusInterrupted, wf.StatusCompleted}[i%3]
		_, err := st.Create(ctx, wf.NewRun{RunID: idOf(i), Status: status, Deployment: fmt.Sprint("d", i%2),
			Labels: map[string]string{"five": fmt.Sprint(i % 5), "all": "yes"}})
		check(t, "create", err)
		if i%4 == 3 {
			c.move(time.Second) // some have one time
		}
	}
	at := func(n int) time.Time { return begin.Add(time.Duration(n) * time.Second) }
	for name, test := range map[string]struct {
		q    wf.RunQuery
		want func(i int) bool
	}{
		"all":            {wf.RunQuery{}, func(int) bool { return true }},
		"a status":       {wf.RunQuery{Status: []wf.RunStatus{wf.StatusInterrupted}}, func(i int) bool { return i%3 == 1 }},
		"two statuses":   {wf.RunQuery{Status: []wf.RunStatus{wf.StatusInterrupted, wf.StatusCompleted}}, func(i int) bool { return i%3 != 0 }},
		"a label":        {wf.RunQuery{Labels: map[string]string{"five": "2"}}, func(i int) bool { return i%5 == 2 }},
		"two labels":     {wf.RunQuery{Labels: map[string]string{"five": "2", "all": "yes"}}, func(i int) bool { return i%5 == 2 }},
		"another label":  {wf.RunQuery{Labels: map[string]string{"five": "2", "other": ""}}, func(int) bool { return false }},
		"a deployment":   {wf.RunQuery{Deployment: "d1"}, func(i int) bool { return i%2 == 1 }},
		"created from":   {wf.RunQuery{CreatedFrom: at(3)}, func(i int) bool { return i/4 >= 3 }},
		"created before": {wf.RunQuery{CreatedBefore: at(3)}, func(i int) bool { return i/4 < 3 }},
		"updated before": {wf.RunQuery{UpdatedBefore: at(2)}, func(i int) bool { return i/4 < 2 }},
		"everything": {wf.RunQuery{Status: []wf.RunStatus{wf.StatusRunning}, Labels: map[string]string{"all": "yes"}, Deployment: "d0", CreatedFrom: at(1), CreatedBefore: at(6)},
			func(i int) bool { return i%6 == 0 && i/4 >= 1 && i/4 < 6 }},
	} {
		var want []string
		for i := 29; i >= 0; i-- {
			if test.want(i) {
				want = append(want, idOf(i))
			}
		}
		for _, limit := range []int{0, 1, 3, 30} {
			q := test.q
			q.Limit = limit
			var got []string
			for _, h := range all(t, st, q) {
				got = append(got, h.RunID)
			}
			same(t, fmt.Sprintf("%s in pages of %d", name, limit), got, want)
		}
	}
	for _, cursor := range []string{"x", "AAAA", "%%%"} {
		_, err := st.List(ctx, wf.RunQuery{Cursor: cursor})
		refused[*wf.InvalidError](t, "cursor "+cursor, err)
	}
}

// What is there all along is listed once, whatever comes and goes meanwhile.
func (s *suite) listWhileWritten(t *testing.T) {
	c := newClock()
	st := s.fresh(t, c)
	var stay []string
	for i := range 40 {
		owned(t, st, idOf(i))
		if i%4 == 0 {
			stay = append(stay, idOf(i))
		}
		c.move(time.Millisecond)
	}
	slices.Reverse(stay)
	var got []string
	q := wf.RunQuery{Limit: 3}
	for page := 0; ; page++ {
		p, err := st.List(ctx, q)
		check(t, "list", err)
		for _, h := range p.Runs {
			if slices.Contains(stay, h.RunID) {
				got = append(got, h.RunID)
			}
			_, err := st.Append(ctx, wf.Append{RunID: h.RunID, Fence: 1, Events: lines("e"), Status: wf.StatusCompleted})
			if !slices.Contains(stay, h.RunID) && err == nil {
				check(t, "delete", st.DeleteRun(ctx, h.RunID)) // the mark of the next page too
			}
		}
		c.move(time.Millisecond)
		owned(t, st, fmt.Sprint("new", page))
		if q.Cursor = p.Next; q.Cursor == "" {
			break
		}
	}
	same(t, "those that stayed", got, stay)
}

// A list of many runs costs what its page costs, and gives all of them.
func (s *suite) manyRuns(t *testing.T) {
	c := newClock()
	st := s.fresh(t, c)
	n := s.Runs
	together(32, func(k int) {
		for i := k; i < n; i += 32 {
			if _, err := st.Create(ctx, wf.NewRun{RunID: idOf(i), WakeAt: c.now(), Labels: map[string]string{"k": fmt.Sprint(i % 100)}, Events: lines("e")}); err != nil {
				t.Errorf("create: %v", err)
			}
		}
	})
	heads := all(t, st, wf.RunQuery{Limit: 1000})
	if len(heads) != n {
		t.Fatalf("%d runs are listed, want %d", len(heads), n)
	}
	for i, h := range heads {
		if h.RunID != idOf(n-1-i) {
			t.Fatalf("run %d is %s, want %s", i, h.RunID, idOf(n-1-i))
		}
	}
	same(t, "with a label", len(all(t, st, wf.RunQuery{Labels: map[string]string{"k": "7"}})), n/100)
	claimed := 0
	for {
		got := claim(t, st, wf.ClaimRequest{Max: 1000})
		if claimed += len(got); len(got) == 0 {
			break
		}
	}
	same(t, "claimed", claimed, n)
}
