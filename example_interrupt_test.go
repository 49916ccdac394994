package wf_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"lda.chat/wf"
)

// A run stops where it asks, and goes on with the answer. The answer is typed, and checked before anything happens.
func ExampleRunHandle_Resume() {
	type Draft struct {
		Text string `json:"text"`
	}
	type Feedback struct {
		Comment string `json:"comment" jsonschema:"minLength=3"`
	}
	type State struct {
		Comment string `json:"comment"`
	}
	approval := wf.Ask[Draft, Feedback]("approval", "approved", "rejected")
	w, err := wf.Define[Draft, State, State]("approve").
		Step("approve", approval).On("rejected", "refused").
		End("refused", "refused").
		Build()
	if err != nil {
		log.Fatal(wf.DiagnosticsOf(err))
	}
	ctx := context.Background()
	run := mustRun(w, Draft{"Dear all"})
	open := run.Interrupts()[0]
	fmt.Println(run.Status(), open.ID, open.Kind, string(open.Request), open.Outcomes)

	err = run.Resume(ctx, wf.Answer{Interrupt: open.ID, Outcome: "rejected", Payload: Feedback{"no"}})
	fmt.Println(errors.Is(err, &wf.Error{Code: wf.CodePayloadInvalid}), run.Status())

	err = run.Resume(ctx, wf.Answer{Interrupt: open.ID, Outcome: "rejected", Payload: Feedback{"too short"}})
	if err != nil {
		log.Fatal(err)
	}
	if err := run.Wait(ctx); err != nil {
		log.Fatal(err)
	}
	fmt.Println(run.Status(), run.Outcome(), string(run.Info().Output))
	// Output:
	// interrupted /approve approval {"text":"Dear all"} [approved rejected]
	// true interrupted
	// completed refused {"comment":"too short"}
}

// Items that run side by side may all ask. Each question is answered for itself, in any order, or several at once.
func ExampleRunHandle_Interrupts() {
	type Names struct {
		Names []string `json:"names"`
	}
	type Ask struct {
		Name string `json:"name"`
	}
	type Choice struct {
		Dish string `json:"dish"`
	}
	type Orders struct {
		Dishes []string `json:"dishes"`
	}
	w, err := wf.Define[Names, Orders, Orders]("orders").
		Foreach("each", "input.names", "name", wf.Body().Step("order", wf.Ask[Ask, Choice]("choice"))).
		Parallel(0).Result("steps.order.dish").Out("results", "state.dishes").
		Build()
	if err != nil {
		log.Fatal(wf.DiagnosticsOf(err))
	}
	ctx := context.Background()
	run := mustRun(w, Names{[]string{"Ada", "Bob"}})
	var answers []wf.Answer
	for _, open := range run.Interrupts() {
		fmt.Println(open.ID, string(open.Request))
		answers = append(answers, wf.Answer{Interrupt: open.ID, Payload: Choice{"soup for " + open.Frame}})
	}
	if err := run.Resume(ctx, answers[1], answers[0]); err != nil {
		log.Fatal(err)
	}
	if err := run.Wait(ctx); err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(run.Info().Output))
	// Output:
	// /each[0]/order {"name":"Ada"}
	// /each[1]/order {"name":"Bob"}
	// {"dishes":["soup for /each[0]","soup for /each[1]"]}
}

// A question may have a time after which the plan goes on without an answer.
func ExampleQuestion_Timeout() {
	w, err := wf.Define[struct{}, struct{}, struct{}]("impatient").
		Step("approve", wf.Ask[struct{}, struct{}]("approval", "approved").Timeout(time.Millisecond, "late")).
		On("late", "too_late").
		End("too_late", "too_late").
		Build()
	if err != nil {
		log.Fatal(wf.DiagnosticsOf(err))
	}
	run := mustRun(w, nil)
	<-run.Done()
	fmt.Println(run.Status(), run.Outcome())
	// Output: completed too_late
}

// A wait lets time pass, and needs no goroutine for it. With package wftest it takes no time in tests.
func ExampleBuilder_Wait() {
	type State struct {
		Done []string `json:"done" wf:"append"`
	}
	w, err := wf.Define[struct{}, State, State]("patient").
		Set("before").OutValue("state.done", "before").
		Wait("pause", 10*time.Millisecond).
		Set("after").OutValue("state.done", "after").
		Build()
	if err != nil {
		log.Fatal(wf.DiagnosticsOf(err))
	}
	info := mustRun(w, nil).Info()
	fmt.Println(string(info.Output), info.UpdatedAt.Sub(info.StartedAt) >= 10*time.Millisecond)
	// Output: {"done":["before","after"]} true
}
