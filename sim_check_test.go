package wf

import (
	"slices"
	"strconv"
	"strings"

	"lda.chat/wf/internal/kernel"
)

// check judges a machine after a step: what is out is what its frames wait for, nothing else, and it is not stuck.
func (w *simWorld) check() {
	status := w.live.Status()
	if status.Ended() {
		if w.ended != 1 || len(w.calls)+len(w.asks)+len(w.timers) > 0 {
			w.t.Fatalf("the run ended %d times, and left %s", w.ended, w.outside())
		}
		if got := w.live.Positions(); len(got) > 0 && got[0].Status != "closed" || len(got) > 1 {
			w.t.Fatalf("the run has ended, and has frames: %v", got)
		}
		w.judgeEnd()
		return
	}
	if w.ended > 0 {
		w.t.Fatalf("the run goes on behind its end")
	}
	var calls, asks, pausing []string
	for _, p := range w.live.Positions() {
		name := strings.TrimSuffix(p.Frame, "/") + "/" + p.Step
		if p.Visit > 1 {
			name += "#" + strconv.Itoa(int(p.Visit))
		}
		switch p.Status {
		case "calling":
			calls = append(calls, name)
		case "interrupted":
			asks = append(asks, name)
		case "backoff", "waiting":
			pausing = append(pausing, name)
		case "ended":
			w.t.Fatalf("frame %s has ended, and is still there", p.Frame)
		}
	}
	var out, open, set []string
	for _, c := range w.calls {
		out = append(out, c.Ref.ID())
	}
	for _, r := range w.asks {
		open = append(open, r.ID())
	}
	for _, e := range w.timers {
		if e.Timer.Kind == kernel.BackoffTimer || e.Timer.Kind == kernel.WaitTimer {
			set = append(set, e.Timer.Ref.ID())
		}
	}
	w.same("calls", calls, out)
	w.same("questions", asks, open)
	w.same("timers", pausing, set)
	if questions := w.live.Questions(); len(questions) != len(asks) {
		w.t.Fatalf("the machine tells of %d questions, its frames of %d", len(questions), len(asks))
	}
	switch {
	case w.more:
	case status == kernel.Running && len(calls)+len(pausing) == 0:
		w.t.Fatalf("the run is stuck: it is running, and waits for nothing\n%s", w.live.Dump())
	case status == kernel.Interrupted && (len(asks) == 0 || len(calls)+len(pausing) > 0):
		w.t.Fatalf("the run is interrupted, with %d questions, and %s", len(asks), w.outside())
	}
	w.checkLimits()
}

// same compares what frames wait for with what is out.
func (w *simWorld) same(what string, frames, out []string) {
	slices.Sort(out)
	slices.Sort(frames)
	if !slices.Equal(out, frames) {
		w.t.Fatalf("%s that are out: %v; frames wait for: %v", what, out, frames)
	}
}

func (w *simWorld) outside() string {
	var list []string
	for _, c := range w.calls {
		list = append(list, "call "+attemptName(c.Ref))
	}
	for _, r := range w.asks {
		list = append(list, "question "+attemptName(r))
	}
	for _, e := range w.timers {
		list = append(list, "timer "+simTimerName(e.Timer))
	}
	return strings.Join(list, ", ")
}

// checkLimits counts the items of each foreach that have a call out.
func (w *simWorld) checkLimits() {
	busy := map[string]map[string]bool{}
	limits := map[string]int{}
	for _, c := range w.calls {
		path := c.Ref.Frame().Path()
		for end := strings.IndexByte(path, ']'); end >= 0; {
			item := path[:end+1]
			each := item[:strings.LastIndexByte(item, '[')]
			if busy[each] == nil {
				busy[each] = map[string]bool{}
			}
			busy[each][item] = true
			next := strings.IndexByte(path[end+1:], ']')
			if next < 0 {
				break
			}
			end += 1 + next
		}
	}
	for each, items := range busy {
		limit, ok := limits[each]
		if !ok {
			limit = w.limitOf(each)
		}
		if limit > 0 && len(items) > limit {
			w.t.Fatalf("%d items of %s call at once, its limit is %d", len(items), each, limit)
		}
	}
}

// limitOf finds the limit of the foreach whose visit a path names.
func (w *simWorld) limitOf(path string) int {
	prog := w.prog
	var op *kernel.Op
	for part := range strings.SplitSeq(path[1:], "/") {
		if i := strings.IndexAny(part, "#~[:"); i >= 0 {
			part = part[:i]
		}
		at, _ := prog.Op(part)
		if op = &prog.Ops[at]; op.Kind == kernel.Subgraph {
			prog = op.Child
		}
	}
	return int(op.Fan.Limit)
}

// judgeEnd refuses ends that no validated plan may come to.
func (w *simWorld) judgeEnd() {
	fail, at := w.live.Failure()
	if (fail != nil) == (w.live.Status() == kernel.Completed) {
		w.t.Fatalf("the run is %s, its failure %v", w.live.Status(), fail)
	}
	if fail == nil {
		return
	}
	switch fail.Code {
	case kernel.CodeUnwiredOutcome, kernel.CodeUndeclaredOutcome, "", string(CodeHandlerPanic):
		w.t.Fatalf("the run failed with %q at %s in %s: %s", fail.Code, at.Step, at.Frame, fail.Message)
	}
}
