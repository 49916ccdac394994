package wf_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"
	"time"

	"lda.chat/wf"
)

// mustRun runs a workflow in a runtime of its own, whatever becomes of it.
func mustRun(w *wf.Workflow, input any) *wf.RunHandle {
	rt, err := wf.NewRuntime(nil)
	if err != nil {
		log.Fatal(err)
	}
	run, err := rt.Run(context.Background(), w, input)
	if err != nil {
		log.Fatal(err)
	}
	return run
}

// A call that fails is made again if the function, or the step, has a Retry. Without one it is called once.
func ExampleFunc_Retry() {
	type Page struct {
		Text string `json:"text"`
	}
	fetch := wf.Node("fetch", func(ctx context.Context, _ struct{}) (Page, error) {
		if call, _ := wf.CallFrom(ctx); call.Attempt < 3 {
			return Page{}, errors.New("busy")
		}
		return Page{"at last"}, nil
	}).Retry(wf.Retry{MaxAttempts: 5, InitialIntervalSeconds: 0.001})
	w, err := wf.Define[struct{}, struct{}, Page]("patient").Step("fetch", fetch).Build()
	if err != nil {
		log.Fatal(wf.DiagnosticsOf(err))
	}
	run := mustRun(w, nil)
	trace, err := run.Trace()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(run.Status(), trace[0].Attempts, trace[0].Retries[0].Error)
	// Output: completed 3 handler_error: busy
}

// A function names its failure with a code of its own; a catch turns that failure into a way on.
func ExampleStepBuilder_Catch() {
	type File struct {
		Path string `json:"path"`
	}
	type Text struct {
		Text string `json:"text"`
	}
	read := wf.Node("read", func(_ context.Context, in File) (Text, error) {
		return Text{}, &wf.Error{Code: "no_file", Message: in.Path + " is gone"}
	})
	w, err := wf.Define[File, Text, Text]("read_or_not").
		Step("read", read).Catch("instead", "no_file").Goto(wf.ToEnd).
		Set("instead").OutValue("state.text", "nothing to read").
		Build()
	if err != nil {
		log.Fatal(wf.DiagnosticsOf(err))
	}
	run := mustRun(w, File{"notes.md"})
	fmt.Println(run.Status(), string(run.Info().Output))
	// Output: completed {"text":"nothing to read"}
}

// What is not caught ends the run. The error has the code, and errors.Is compares by it.
func ExampleError() {
	pay := wf.Node("pay", func(context.Context, struct{}) (struct{}, error) {
		return struct{}{}, &wf.Error{Code: "no_budget", Message: "nothing is left of it"}
	})
	w, err := wf.Define[struct{}, struct{}, struct{}]("payment").Step("pay", pay).Build()
	if err != nil {
		log.Fatal(wf.DiagnosticsOf(err))
	}
	err = mustRun(w, nil).Err()
	fmt.Println(err)
	fmt.Println(errors.Is(err, &wf.Error{Code: "no_budget"}))
	// Output:
	// no_budget at step "pay": nothing is left of it
	// true
}

// Set writes to the state: values at paths, literals, texts with paths in braces.
func ExampleBuilder_Set() {
	type Order struct {
		Name string `json:"name"`
		Note string `json:"note,omitempty"`
	}
	type State struct {
		Title string `json:"title"`
		Note  string `json:"note"`
		Count int    `json:"count" wf:"add"`
	}
	w, err := wf.Define[Order, State, State]("title").
		Set("prepare").OutText("state.title", "Order of {input.name}").OutOr("input.note", "state.note", "none").OutValue("state.count", 1).
		Set("again").OutValue("state.count", 41).
		Build()
	if err != nil {
		log.Fatal(wf.DiagnosticsOf(err))
	}
	fmt.Println(string(mustRun(w, Order{Name: "Ada"}).Info().State))
	// Output: {"count":42,"note":"none","title":"Order of Ada"}
}

// If chooses between two ways; the one that is not routed falls through.
func ExampleBuilder_If() {
	type Order struct {
		Amount int `json:"amount"`
	}
	type Answer struct {
		Text string `json:"text"`
	}
	w, err := wf.Define[Order, Answer, Answer]("limit").
		If("large", wf.Gt("input.amount", 1000)).Then("ask").
		Set("accept").OutValue("state.text", "accepted").Goto(wf.ToEnd).
		Set("ask").OutText("state.text", "{input.amount} is too much").
		Build()
	if err != nil {
		log.Fatal(wf.DiagnosticsOf(err))
	}
	fmt.Println(string(mustRun(w, Order{10}).Info().Output), string(mustRun(w, Order{5000}).Info().Output))
	// Output: {"text":"accepted"} {"text":"5000 is too much"}
}

// A function with outcomes decides where the plan goes on. An outcome is no failure: both ways are wired, and the
// workflow may end with outcomes of its own.
func ExampleDecision() {
	type Draft struct {
		Text string `json:"text"`
	}
	type Verdict struct {
		Comment string `json:"comment"`
	}
	review := wf.Decision("review", func(_ context.Context, in Draft) (wf.Outcome, Verdict, error) {
		if strings.Contains(in.Text, "!") {
			return "rejected", Verdict{"too loud"}, nil
		}
		return "approved", Verdict{"fine"}, nil
	}, "approved", "rejected")
	w, err := wf.Define[Draft, struct{}, Verdict]("review").
		Step("review", review).On("rejected", "refused").
		End("refused", "refused").
		Build()
	if err != nil {
		log.Fatal(wf.DiagnosticsOf(err))
	}
	for _, text := range []string{"Good news.", "Good news!"} {
		run := mustRun(w, Draft{text})
		fmt.Println(run.Status(), run.Outcome(), string(run.Info().Output))
	}
	// Output:
	// completed ok {"comment":"fine"}
	// completed refused {"comment":"too loud"}
}

// Loop goes back at most so often: with 2, the step that it leads to runs at most three times, once before the loop.
func ExampleStepBuilder_Loop() {
	type Try struct {
		Number int `json:"number"`
	}
	tries := 0
	try := wf.Node("try", func(context.Context, struct{}) (Try, error) { tries++; return Try{tries}, nil })
	judge := wf.Decision("judge", func(_ context.Context, in Try) (wf.Outcome, struct{}, error) {
		return "rejected", struct{}{}, nil
	}, "approved", "rejected")
	w, err := wf.Define[struct{}, struct{}, struct{}]("stubborn").
		Step("try", try).
		Step("judge", judge).Loop("rejected", "try", 2, "gave_up").
		Fail("gave_up", "no_good_try").Message("after {steps.try.number} tries").
		Build()
	if err != nil {
		log.Fatal(wf.DiagnosticsOf(err))
	}
	fmt.Println(mustRun(w, nil).Err())
	// Output: no_good_try at step "gave_up": after 3 tries
}

// A timeout bounds one attempt. A function that ignores its context does not hold the run.
func ExampleFunc_Timeout() {
	slow := wf.Node("slow", func(ctx context.Context, _ struct{}) (struct{}, error) {
		<-ctx.Done()
		return struct{}{}, ctx.Err()
	}).Timeout(time.Millisecond)
	w, err := wf.Define[struct{}, struct{}, struct{}]("impatient").Step("slow", slow).Build()
	if err != nil {
		log.Fatal(wf.DiagnosticsOf(err))
	}
	fmt.Println(mustRun(w, nil).Err())
	// Output: timeout at step "slow": no result within 0.001 s, the limit for one attempt
}
