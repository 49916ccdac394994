package lifecycle_test

import (
	"context"
	"encoding/json"
	"sync"
	"testing"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
	"lda.chat/wf/source"
	"lda.chat/wf/store"
)

// slow is a store whose appends wait.
type slow struct {
	store.Store
	once    sync.Once
	entered chan struct{} // closed when the first append has come
	release chan struct{}
}

func (s *slow) Append(ctx context.Context, a wf.Append) (wf.RunHead, error) {
	s.once.Do(func() { close(s.entered) })
	<-s.release
	return s.Store.Append(ctx, a)
}

// What is not kept yet is not told, also by the process in which it has happened.
func TestOnlyWhatIsKeptIsTold(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	set, err := source.NewSet(ctx)
	if err != nil {
		t.Fatal(err)
	}
	st := &slow{Store: store.NewMemory(nil), entered: make(chan struct{}), release: make(chan struct{})}
	s, err := lifecycle.NewService(st, set, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close(context.Background()) })
	const plan = `{"name": "p", "state_schema": {"type": "object", "properties": {"n": {"type": "integer"}}},
		"nodes": [{"id": "one", "type": "set", "output": {"state.n": {"value": 1}}, "next": "__end__"}]}`
	run, err := s.StartRun(ctx, &lifecycle.StartRun{Plan: json.RawMessage(plan), StepByStep: true})
	if err != nil {
		t.Fatal(err)
	}
	stepped := make(chan error)
	go func() {
		_, err := s.StepRun(ctx, &lifecycle.StepRun{RunID: run.RunID})
		stepped <- err
	}()
	<-st.entered
	during, err := s.InspectRun(ctx, &lifecycle.InspectRun{RunID: run.RunID, View: lifecycle.View{TraceLimit: 9}})
	if err != nil || during.Status != wf.StatusRunning || during.Steps != 0 || during.TraceTotal != 0 {
		t.Errorf("while its step is being kept, the run is %+v, %v", during, err)
	}
	close(st.release)
	if err := <-stepped; err != nil {
		t.Fatal(err)
	}
	after, err := s.InspectRun(ctx, &lifecycle.InspectRun{RunID: run.RunID, View: lifecycle.View{TraceLimit: 9}})
	if err != nil || after.Status != wf.StatusCompleted || after.TraceTotal != 1 {
		t.Errorf("then it is %+v, %v", after, err)
	}
}
