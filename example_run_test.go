package wf_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"lda.chat/wf"
)

// addTwice is a workflow of two Set steps.
func addTwice() *wf.Workflow {
	type State struct {
		N int `json:"n" wf:"add"`
	}
	w, err := wf.Define[struct{}, State, State]("add_twice").
		Set("one").OutValue("state.n", 1).
		Set("ten").OutValue("state.n", 10).
		Build()
	if err != nil {
		log.Fatal(wf.DiagnosticsOf(err))
	}
	return w
}

// A field of the state names its reducer in a tag: how a write is merged with what is there.
func ExampleDefine_reducers() {
	type State struct {
		Log   []string       `json:"log" wf:"append"`     // one value more
		Lines []string       `json:"lines" wf:"extend"`   // each element of an array
		Tags  []string       `json:"tags" wf:"set_union"` // those that are not there yet
		Total float64        `json:"total" wf:"add"`
		Best  int            `json:"best" wf:"max"`
		Meta  map[string]any `json:"meta" wf:"merge_object"`
		Last  string         `json:"last"` // replaced
	}
	write := func(b *wf.Builder, id, word string, n int) *wf.Builder {
		return b.Set(id).
			OutValue("state.log", word).
			OutValue("state.lines", []string{word, word}).
			OutValue("state.tags", []string{word, "tag"}).
			OutValue("state.total", float64(n)/10).
			OutValue("state.best", n).
			OutValue("state.meta", map[string]any{word: n}).
			OutValue("state.last", word).Builder
	}
	b := wf.Define[struct{}, State, State]("reducers")
	w, err := write(write(b, "first", "a", 2), "second", "b", 1).Build()
	if err != nil {
		log.Fatal(wf.DiagnosticsOf(err))
	}
	fmt.Println(string(mustRun(w, nil).Info().State))
	// Output: {"best":2,"last":"b","lines":["a","a","b","b"],"log":["a","b"],"meta":{"a":2,"b":1},"tags":["a","tag","b"],"total":0.3}
}

// A host's reducer is a pure Go function. The runtime has it; the field of the state names it.
func ExampleNewReducer() {
	longest := wf.NewReducer(wf.ReducerSpec{Name: "acme.longest", Description: "The longest text stays."},
		func(old, written string) (string, error) {
			if len(written) > len(old) {
				return written, nil
			}
			return old, nil
		})
	type State struct {
		Word string `json:"word" wf:"acme.longest"`
	}
	w, err := wf.Define[struct{}, State, State]("longest").
		Set("a").OutValue("state.word", "giraffe").
		Set("b").OutValue("state.word", "cat").
		Build()
	if err != nil {
		log.Fatal(wf.DiagnosticsOf(err))
	}
	rt, err := wf.NewRuntime(&wf.RuntimeOptions{Reducers: []*wf.Reducer{longest}})
	if err != nil {
		log.Fatal(err)
	}
	out, err := wf.Run[State](context.Background(), rt, w, nil)
	fmt.Println(out.Word, err)
	// Output: giraffe <nil>
}

// A contract that is data, not a Go type: the function reads and writes JSON text.
func ExampleRawNode() {
	shout := wf.RawNode(&wf.NodeDef{
		Name:         "shout",
		InputSchema:  wf.Schema(`{"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}`),
		OutputSchema: wf.Schema(`{"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}`),
		Effect:       wf.EffectPure,
	}, func(_ context.Context, input json.RawMessage) (*wf.Result, error) {
		var in struct{ Text string }
		if err := json.Unmarshal(input, &in); err != nil {
			return nil, err
		}
		output, err := json.Marshal(map[string]string{"text": in.Text + "!"})
		return &wf.Result{Output: output}, err
	})
	w, err := wf.Define[NotesText, struct{}, NotesText]("loud").Step("shout", shout).Build()
	if err != nil {
		log.Fatal(wf.DiagnosticsOf(err))
	}
	fmt.Println(string(mustRun(w, NotesText{"Hello"}).Info().Output))
	// Output: {"text":"Hello!"}
}

// The trace tells step by step what a run did.
func ExampleRunHandle_Trace() {
	run := mustRun(addTwice(), nil)
	trace, err := run.Trace()
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range trace {
		for _, write := range e.Writes {
			fmt.Println(e.Step, e.Outcome, write.Op, write.Path, string(write.Value), "then", e.Next)
		}
	}
	// Output:
	// one done add state.n 1 then ten
	// ten done add state.n 10 then __end__
}

// A run that was started step by step takes one step of the plan at a time.
func ExampleRunHandle_Step() {
	rt, err := wf.NewRuntime(nil)
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	run, err := rt.Start(ctx, addTwice(), nil, &wf.StartOptions{StepByStep: true})
	if err != nil {
		log.Fatal(err)
	}
	for more := true; more; {
		fmt.Println("before", run.Info().Frames[0].Step, string(run.Info().State))
		if more, err = run.Step(ctx); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(run.Status(), string(run.Info().State))
	// Output:
	// before one {}
	// before ten {"n":1}
	// completed {"n":11}
}

// Cancel ends a run at once, whatever its functions do.
func ExampleRunHandle_Cancel() {
	started := make(chan struct{})
	work := wf.Node("work", func(ctx context.Context, _ struct{}) (struct{}, error) {
		close(started)
		<-ctx.Done()
		return struct{}{}, ctx.Err()
	})
	w, err := wf.Define[struct{}, struct{}, struct{}]("endless").Step("work", work).Build()
	if err != nil {
		log.Fatal(wf.DiagnosticsOf(err))
	}
	rt, err := wf.NewRuntime(nil)
	if err != nil {
		log.Fatal(err)
	}
	run, err := rt.Start(context.Background(), w, nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	<-started
	run.Cancel(context.Background(), "enough")
	fmt.Println(run.Status(), run.Err())
	// Output: cancelled cancelled: enough
}

// All codes of findings and failures are explained, with an example that has the problem and one that has not.
func ExampleLookupCode() {
	info, _ := wf.LookupCode("cycle_unbounded")
	fmt.Println(info.Severity, info.Title)
	// Output: warning A cycle that nothing bounds
}
