package apitest

import (
	"encoding/json"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
)

func (s *suite) replayAndDiff() {
	run := s.begin(counting, `{"text":"hello"}`, "")
	was, err := s.api.ReplayRun(s.ctx, &lifecycle.ReplayRun{RunID: run.RunID, Event: 1})
	if err != nil || was.Status != wf.StatusRunning || was.Steps != 1 || was.Revision != 1 {
		s.Fatalf("after its first event: %+v, %v", was, err)
	}
	s.advised(was.Advice)
	now, err := s.api.ReplayRun(s.ctx, &lifecycle.ReplayRun{RunID: run.RunID})
	if err != nil || now.Status != wf.StatusCompleted {
		s.Errorf("now: %+v, %v", now, err)
	}
	_, err = s.api.ReplayRun(s.ctx, &lifecycle.ReplayRun{RunID: run.RunID, Event: 99})
	s.wants(err, lifecycle.NotFound, "not_found")
	other := s.begin(counting, `{"text":"goodbye"}`, "")
	d, err := s.api.DiffRuns(s.ctx, &lifecycle.DiffRuns{A: wf.RunPoint{RunID: run.RunID}, B: wf.RunPoint{RunID: other.RunID}})
	if err != nil || d.Same || len(d.Input) != 1 || len(d.State) != 2 || len(d.Steps) != 2 {
		s.Errorf("compared: %+v, %v", d, err)
	}
	s.advised(d.Advice)
	d, err = s.api.DiffRuns(s.ctx, &lifecycle.DiffRuns{A: wf.RunPoint{RunID: run.RunID}, B: wf.RunPoint{RunID: run.RunID}})
	if err != nil || !d.Same {
		s.Errorf("compared with itself: %+v, %v", d, err)
	}
	_, err = s.api.DiffRuns(s.ctx, &lifecycle.DiffRuns{A: wf.RunPoint{RunID: run.RunID}})
	s.wants(err, lifecycle.BadRequest, "params_invalid")
}

func (s *suite) fork() {
	run := s.begin(failing, "", "")
	repaired := strings.Replace(failing, "too long", "fits", 1)
	fork, err := s.api.ForkRun(s.ctx, &lifecycle.ForkRun{RunID: run.RunID, NewID: "repaired", State: json.RawMessage(`{"text":"short"}`), Wait: true})
	if err != nil || fork.RunID != "repaired" || fork.Status != wf.StatusCompleted {
		s.Fatalf("with other state: %+v, %v", fork, err)
	}
	s.advised(fork.Advice)
	fork, err = s.api.ForkRun(s.ctx, &lifecycle.ForkRun{RunID: run.RunID, Plan: json.RawMessage(repaired), Event: 1, Wait: true})
	if err != nil {
		s.Errorf("with another plan: %+v, %v", fork, err)
	}
	_, err = s.api.ForkRun(s.ctx, &lifecycle.ForkRun{RunID: "nobody"})
	s.wants(err, lifecycle.NotFound, "run_not_found")
	_, err = s.api.ForkRun(s.ctx, &lifecycle.ForkRun{RunID: run.RunID, Plan: json.RawMessage(`{"name": "none", "nodes": []}`)})
	if e, ok := err.(*lifecycle.Error); !ok || e.Kind != lifecycle.Invalid {
		s.Errorf("with a plan that is none: %v", err)
	}
}

func (s *suite) backtest() {
	s.begin(counting, `{"text":"hello"}`, "one")
	s.begin(counting, `{"text":"goodbye"}`, "two")
	s.begin(asking, "", "")
	play := func(p lifecycle.BacktestRuns) *lifecycle.Backtests {
		all, err := s.api.BacktestRuns(s.ctx, &p)
		if err != nil {
			s.Fatal(err)
		}
		s.advised(all.Advice)
		return all
	}
	if all := play(lifecycle.BacktestRuns{Plan: json.RawMessage(counting)}); all.Same != 2 || len(all.Runs) != 2 {
		s.Errorf("by the same plan: %+v", all)
	}
	edited := strings.Replace(counting, `"output": {"length": "state.again"}, `, "", 1)
	if all := play(lifecycle.BacktestRuns{Plan: json.RawMessage(edited), RunIDs: []string{"two"}}); all.Differs != 1 || all.Runs[0].Verdict != lifecycle.BacktestDiffers {
		s.Errorf("by a plan that writes less: %+v", all)
	}
	calls := strings.Replace(counting, `"input": {"text": "input.text"}, "output": {"length": "state.again"}`, `"input": {"text": {"value": "new"}}`, 1)
	if all := play(lifecycle.BacktestRuns{Plan: json.RawMessage(calls)}); all.Stops != 2 {
		s.Errorf("by a plan with new calls: %+v", all)
	}
	_, err := s.api.BacktestRuns(s.ctx, &lifecycle.BacktestRuns{Plan: json.RawMessage(counting), RunIDs: []string{"nobody"}})
	s.wants(err, lifecycle.NotFound, "run_not_found")
}
