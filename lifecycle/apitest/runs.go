package apitest

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
)

func (s *suite) start() {
	run, err := s.api.StartRun(s.ctx, &lifecycle.StartRun{Plan: json.RawMessage(counting), Input: json.RawMessage(`{"text":"hello"}`), Wait: true,
		Labels: map[string]string{"by": "apitest"}, View: lifecycle.View{TraceFrom: 1, TraceLimit: 5}})
	if err != nil {
		s.Fatal(err)
	}
	if run.Status != wf.StatusCompleted || run.Outcome != wf.OK || string(run.State) != `{"length":5,"again":5}` && string(run.State) != `{"again":5,"length":5}` {
		s.Errorf("the run is %s, %s, state %s", run.Status, run.Outcome, run.State)
	}
	if run.TraceTotal != 2 || len(run.Trace) != 1 || run.Trace[0].Step != "two" || run.Labels["by"] != "apitest" || len(run.Labels) != 1 {
		s.Errorf("trace %d: %+v, labels %v", run.TraceTotal, run.Trace, run.Labels)
	}
	s.advised(run.Advice)
	again, err := s.api.InspectRun(s.ctx, &lifecycle.InspectRun{RunID: run.RunID})
	if err != nil || again.Status != wf.StatusCompleted || again.Workflow != "counting" || again.Trace != nil {
		s.Errorf("inspected: %+v, %v", again, err)
	}
}

func (s *suite) startTwice() {
	one := s.begin(counting, `{"text":"hello"}`, "nightly")
	two := s.begin(counting, `{"text":"hello"}`, "nightly")
	if one.Revision != two.Revision || two.Status != wf.StatusCompleted {
		s.Errorf("the second start gives revision %d and %s, the first %d", two.Revision, two.Status, one.Revision)
	}
	_, err := s.api.StartRun(s.ctx, &lifecycle.StartRun{Plan: json.RawMessage(counting), Input: json.RawMessage(`{"text":"other"}`), RunID: "nightly"})
	s.wants(err, lifecycle.Conflict, "run_exists")
}

func (s *suite) refusedStarts() {
	start := func(plan, input, runID string, labels map[string]string) error {
		_, err := s.api.StartRun(s.ctx, &lifecycle.StartRun{Plan: json.RawMessage(plan), Input: json.RawMessage(input), RunID: runID, Labels: labels})
		return err
	}
	s.wants(start(strings.Replace(counting, "demo.count", "demo.cuont", 1), `{"text":"a"}`, "", nil), lifecycle.Invalid, "node_unknown")
	e := s.wants(start(counting, `{"text":5}`, "", nil), lifecycle.Invalid, wf.CodeInputInvalid)
	if e.Diagnostics[0].Path != "/text" {
		s.Errorf("the finding is at %q, expected /text", e.Diagnostics[0].Path)
	}
	s.wants(start(counting, `{"text":"a"}`, "", map[string]string{"wf.workflow": "mine"}), lifecycle.BadRequest, "params_invalid")
	_, err := s.api.StartRun(s.ctx, &lifecycle.StartRun{})
	s.wants(err, lifecycle.BadRequest, "params_invalid")
	for _, id := range []string{"..", "a/b", `a\b`, "-a", strings.Repeat("x", 10000), "naïve", "a\x00b"} {
		if err := start(counting, `{"text":"a"}`, id, nil); err == nil {
			s.Errorf("a run could be started as %q", id)
		}
	}
	list, err := s.api.ListRuns(s.ctx, &lifecycle.ListRuns{})
	if err != nil || len(list.Runs) != 0 {
		s.Errorf("%v, %v: expected no run", list, err)
	}
}

func (s *suite) nothingThere() {
	for _, call := range []struct {
		name string
		do   func(id string) error
	}{
		{"inspect", func(id string) error { _, err := s.api.InspectRun(s.ctx, &lifecycle.InspectRun{RunID: id}); return err }},
		{"trace", func(id string) error { _, err := s.api.TraceRun(s.ctx, &lifecycle.TraceRun{RunID: id}); return err }},
		{"explain", func(id string) error { _, err := s.api.ExplainRun(s.ctx, &lifecycle.ExplainRun{RunID: id}); return err }},
		{"resume", func(id string) error {
			_, err := s.api.ResumeRun(s.ctx, &lifecycle.ResumeRun{RunID: id, Answers: []lifecycle.Answer{{}}})
			return err
		}},
		{"decide", func(id string) error {
			_, err := s.api.DecideRun(s.ctx, &lifecycle.DecideRun{RunID: id, Verdict: wf.VerdictFail})
			return err
		}},
		{"step", func(id string) error { _, err := s.api.StepRun(s.ctx, &lifecycle.StepRun{RunID: id}); return err }},
		{"cancel", func(id string) error { _, err := s.api.CancelRun(s.ctx, &lifecycle.CancelRun{RunID: id}); return err }},
		{"delete", func(id string) error { _, err := s.api.DeleteRun(s.ctx, &lifecycle.DeleteRun{RunID: id}); return err }},
		{"watch", func(id string) error {
			for _, err := range s.api.WatchRun(s.ctx, &lifecycle.WatchRun{RunID: id}) {
				return err
			}
			return nil
		}},
	} {
		s.Log(call.name)
		s.wants(call.do("nobody"), lifecycle.NotFound, "run_not_found")
		s.wants(call.do(""), lifecycle.BadRequest, "params_invalid")
	}
}

func (s *suite) interrupts() {
	run := s.begin(asking, "", "")
	if run.Status != wf.StatusInterrupted || len(run.Interrupts) != 1 || run.Interrupts[0].Kind != "approval" || !run.Advice.CanContinue {
		s.Fatalf("the run is %s with %+v", run.Status, run.Interrupts)
	}
	s.advised(run.Advice)
	answer := func(a lifecycle.Answer) error {
		_, err := s.api.ResumeRun(s.ctx, &lifecycle.ResumeRun{RunID: run.RunID, Answers: []lifecycle.Answer{a}, Wait: true})
		return err
	}
	_, err := s.api.ResumeRun(s.ctx, &lifecycle.ResumeRun{RunID: run.RunID})
	s.wants(err, lifecycle.BadRequest, "params_invalid")
	id := run.Interrupts[0].ID
	s.wants(answer(lifecycle.Answer{Interrupt: id, Outcome: "yes"}), lifecycle.Invalid, wf.CodePayloadInvalid)
	s.wants(answer(lifecycle.Answer{Interrupt: id, Outcome: "maybe", Payload: json.RawMessage(`{"comment":"x"}`)}), lifecycle.Invalid, wf.CodeUndeclaredOutcome)
	s.wants(answer(lifecycle.Answer{Interrupt: "/asked", Outcome: "yes", Payload: json.RawMessage(`{"comment":"x"}`)}), lifecycle.NotFound, wf.CodeInterruptUnknown)
	if err := answer(lifecycle.Answer{Interrupt: id, Outcome: "no", Payload: json.RawMessage(`{"comment":"too late"}`)}); err != nil {
		s.Fatal(err)
	}
	s.wants(answer(lifecycle.Answer{Interrupt: id, Outcome: "no", Payload: json.RawMessage(`{"comment":"x"}`)}), lifecycle.Conflict, wf.CodeAlreadyResumed)
	run, err = s.api.InspectRun(s.ctx, &lifecycle.InspectRun{RunID: run.RunID})
	if err != nil || run.Outcome != "refused" || string(run.State) != `{"comment":"too late"}` {
		s.Errorf("the run is %+v, %v", run, err)
	}
}

func (s *suite) racingAnswers() {
	run := s.begin(asking, "", "")
	const callers = 5
	errs := make([]error, callers)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() {
			_, errs[i] = s.api.ResumeRun(s.ctx, &lifecycle.ResumeRun{RunID: run.RunID, Wait: true,
				Answers: []lifecycle.Answer{{Interrupt: run.Interrupts[0].ID, Outcome: "yes", Payload: json.RawMessage(fmt.Sprintf(`{"comment":"%d"}`, i))}}})
		})
	}
	wg.Wait()
	taken := 0
	for _, err := range errs {
		if err == nil {
			taken++
			continue
		}
		s.wants(err, lifecycle.Conflict, wf.CodeAlreadyResumed)
	}
	if taken != 1 {
		s.Errorf("%d answers were taken, expected one", taken)
	}
}

func (s *suite) doubts() {
	run := s.begin(doubtful, "", "")
	if run.Status != wf.StatusInterrupted || len(run.Doubts) != 1 {
		s.Fatalf("the run is %s with %+v", run.Status, run.Doubts)
	}
	s.advised(run.Advice)
	decide := func(p lifecycle.DecideRun) (*lifecycle.Run, error) {
		p.RunID, p.Wait = run.RunID, true
		return s.api.DecideRun(s.ctx, &p)
	}
	_, err := decide(lifecycle.DecideRun{Verdict: "perhaps"})
	s.wants(err, lifecycle.Invalid, wf.CodeDecisionInvalid)
	_, err = decide(lifecycle.DecideRun{Step: "/paid", Verdict: wf.VerdictFail})
	s.wants(err, lifecycle.NotFound, wf.CodeDoubtUnknown)
	done, err := decide(lifecycle.DecideRun{Step: run.Doubts[0].ID, Verdict: wf.VerdictResult, Output: json.RawMessage(`{"paid":5}`)})
	if err != nil || done.Status != wf.StatusCompleted {
		s.Fatalf("decided: %+v, %v", done, err)
	}
	_, err = decide(lifecycle.DecideRun{Verdict: wf.VerdictFail})
	s.wants(err, lifecycle.Conflict, wf.CodeRunEnded)
}

func (s *suite) cancelAndDelete() {
	run := s.begin(asking, "", "")
	_, err := s.api.DeleteRun(s.ctx, &lifecycle.DeleteRun{RunID: run.RunID})
	s.wants(err, lifecycle.Conflict, "run_status")
	for range 2 {
		run, err = s.api.CancelRun(s.ctx, &lifecycle.CancelRun{RunID: run.RunID, Reason: "enough"})
		if err != nil || run.Status != wf.StatusCancelled || !strings.Contains(run.Error.Message, "enough") {
			s.Fatalf("cancelled: %+v, %v", run, err)
		}
	}
	s.advised(run.Advice)
	gone, err := s.api.DeleteRun(s.ctx, &lifecycle.DeleteRun{RunID: run.RunID})
	if err != nil || gone.RunID != run.RunID {
		s.Fatal(gone, err)
	}
	_, err = s.api.InspectRun(s.ctx, &lifecycle.InspectRun{RunID: run.RunID})
	s.wants(err, lifecycle.NotFound, "run_not_found")
}

func (s *suite) stepByStep() {
	run, err := s.api.StartRun(s.ctx, &lifecycle.StartRun{Plan: json.RawMessage(counting), Input: json.RawMessage(`{"text":"hello"}`), StepByStep: true, Wait: true})
	if err != nil || run.Steps != 0 || !run.StepByStep {
		s.Fatalf("started: %+v, %v", run, err)
	}
	s.advised(run.Advice)
	for _, want := range []int64{1, 2, 2} {
		if run, err = s.api.StepRun(s.ctx, &lifecycle.StepRun{RunID: run.RunID}); err != nil || run.Steps != want {
			s.Fatalf("%v, %d steps, expected %d", err, run.Steps, want)
		}
	}
	if run.Status != wf.StatusCompleted {
		s.Errorf("the run is %s", run.Status)
	}
	_, err = s.api.StepRun(s.ctx, &lifecycle.StepRun{RunID: s.begin(asking, "", "").RunID})
	s.wants(err, lifecycle.Conflict, "run_status")
}

// Whoever answers, decides or cancels does not wait for a run that only goes on when it is told to.
func (s *suite) answeredStepByStep() {
	begin := func(plan string) string {
		run, err := s.api.StartRun(s.ctx, &lifecycle.StartRun{Plan: json.RawMessage(plan), StepByStep: true, Wait: true})
		if err != nil {
			s.Fatal(err)
		}
		for run.Status == wf.StatusRunning && run.Steps < 5 {
			if run, err = s.api.StepRun(s.ctx, &lifecycle.StepRun{RunID: run.RunID}); err != nil {
				s.Fatal(err)
			}
		}
		return run.RunID
	}
	asked := begin(asking)
	_, err := s.api.StepRun(s.ctx, &lifecycle.StepRun{RunID: asked})
	if e := s.wants(err, lifecycle.Conflict, "run_status"); !strings.Contains(e.Error(), "the run waits for 1 answer") || len(e.NextActions) == 0 {
		s.Errorf("a step while it waits: %v, %v", e, e.NextActions)
	}
	run, err := s.api.ResumeRun(s.ctx, &lifecycle.ResumeRun{RunID: asked, Wait: true,
		Answers: []lifecycle.Answer{{Outcome: "no", Payload: json.RawMessage(`{"comment":"x"}`)}}})
	if err != nil || run.Status != wf.StatusRunning {
		s.Fatalf("answered: %+v, %v", run, err)
	}
	s.advised(run.Advice)
	if run, err = s.api.StepRun(s.ctx, &lifecycle.StepRun{RunID: asked}); err != nil || run.Outcome != "refused" {
		s.Errorf("the step after the answer: %+v, %v", run, err)
	}
	run, err = s.api.CancelRun(s.ctx, &lifecycle.CancelRun{RunID: begin(asking)})
	if err != nil || run.Status != wf.StatusCancelled {
		s.Errorf("cancelled: %+v, %v", run, err)
	}
}

func (s *suite) queued() {
	run, err := s.api.StartRun(s.ctx, &lifecycle.StartRun{Plan: json.RawMessage(counting), Input: json.RawMessage(`{"text":"hello"}`), Queued: true, Wait: true})
	if err != nil || run.Status != wf.StatusRunning {
		s.Fatalf("started: %+v, %v", run, err)
	}
	s.advised(run.Advice)
}

// What is large is left out and named, unless all is asked for.
func (s *suite) bounds() {
	long := strings.Repeat("long ", lifecycle.Bound)
	run := s.begin(counting, fmt.Sprintf(`{"text":%q}`, long), "")
	if len(run.Input) > len("null") || len(run.Omitted) != 1 || run.Omitted[0].Field != "input" || run.Omitted[0].Bytes < len(long) || run.State == nil {
		s.Errorf("omitted %+v, input of %d bytes", run.Omitted, len(run.Input))
	}
	full, err := s.api.InspectRun(s.ctx, &lifecycle.InspectRun{RunID: run.RunID, View: lifecycle.View{Full: true}})
	if err != nil || len(full.Input) < len(long) || full.Omitted != nil {
		s.Errorf("in full: %+v, %v", full.Omitted, err)
	}
}

// Who knows nothing but the advice comes to the end.
func (s *suite) followingAdvice() {
	for _, plan := range []string{asking, doubtful} {
		run := s.begin(plan, "", "")
		for range 10 {
			if !run.Advice.CanContinue {
				break
			}
			a := run.Advice.NextActions[0]
			out, err := lifecycle.Call(s.ctx, s.api, a.Method, a.Params)
			if err != nil {
				s.Fatalf("%s %s: %v", a.Method, a.Params, err)
			}
			run = out.(*lifecycle.Run)
		}
		if !run.Status.Ended() {
			s.Errorf("the run is %s", run.Status)
		}
	}
}

func (s *suite) callsByName() {
	call := func(method, params string) (any, error) {
		return lifecycle.Call(s.ctx, s.api, method, json.RawMessage(params))
	}
	_, err := call("runs.lsit", `{}`)
	e := s.wants(err, lifecycle.BadRequest, "method_unknown")
	if !strings.Contains(e.Diagnostics[0].RepairHint, "runs.list") {
		s.Errorf("the hint is %q", e.Diagnostics[0].RepairHint)
	}
	for _, params := range []string{`{"statsu":[]}`, `{"limit":"ten"}`, `[]`, `{`, `{} {}`, `{"limit":1,"limit":2}`, `{"cursor":"\ud800"}`, `{"limit":-1}`, `{"status":["wating"]}`, `{"waiting":true,"status":["failed"]}`} {
		_, err := call("runs.list", params)
		s.wants(err, lifecycle.BadRequest, "params_invalid")
	}
	_, err = call("runs.watch", `{}`)
	s.wants(err, lifecycle.BadRequest, "method_unknown")
	for _, err := range lifecycle.Stream(s.ctx, s.api, "runs.list", nil) {
		s.wants(err, lifecycle.BadRequest, "method_unknown")
	}
	if out, err := call("runs.list", ""); err != nil || len(out.(*lifecycle.RunList).Runs) != 0 {
		s.Errorf("%v, %v", out, err)
	}
}
