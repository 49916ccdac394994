package wf_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"lda.chat/wf"
)

// Serial items follow one another, and each sees what those before it wrote.
func ExampleBuilder_Foreach_serial() {
	type Numbers struct {
		Numbers []int `json:"numbers"`
	}
	type State struct {
		Sum  int   `json:"sum" wf:"add"`
		Sums []int `json:"sums"`
	}
	w, err := wf.Define[Numbers, State, State]("sums").
		Foreach("each", "input.numbers", "n", wf.Body().
			Set("add").Out("item.n", "state.sum")).
		Result("state.sum").Out("results", "state.sums").
		Build()
	if err != nil {
		log.Fatal(wf.DiagnosticsOf(err))
	}
	fmt.Println(string(mustRun(w, Numbers{[]int{1, 2, 3}}).Info().Output))
	// Output: {"sum":6,"sums":[1,3,6]}
}

// Parallel items do not see one another. Results are in the order of the items, whatever finished first.
func ExampleForeachBuilder_Parallel() {
	type Names struct {
		Names []string `json:"names"`
	}
	type Name struct {
		Name string `json:"name"`
	}
	type Greeting struct {
		Text string `json:"text"`
	}
	type Greetings struct {
		Texts []string `json:"texts"`
	}
	greet := wf.Node("greet", func(_ context.Context, in Name) (Greeting, error) {
		if in.Name == "Ada" {
			time.Sleep(10 * time.Millisecond)
		}
		return Greeting{"Hello, " + in.Name + "!"}, nil
	})
	w, err := wf.Define[Names, Greetings, Greetings]("greetings").
		Foreach("each", "input.names", "name", wf.Body().Step("greet", greet)).
		Parallel(4).Result("steps.greet.text").Out("results", "state.texts").
		Build()
	if err != nil {
		log.Fatal(wf.DiagnosticsOf(err))
	}
	fmt.Println(string(mustRun(w, Names{[]string{"Ada", "Bob", "Cleo"}}).Info().Output))
	// Output: {"texts":["Hello, Ada!","Hello, Bob!","Hello, Cleo!"]}
}

// With Collect the items that did not fail go on, and the failures are listed. What a failed item wrote is dropped.
func ExampleForeachBuilder_OnError() {
	type Numbers struct {
		Numbers []int `json:"numbers"`
	}
	type Number struct {
		N int `json:"n"`
	}
	type State struct {
		Halves []int  `json:"halves" wf:"append"`
		Errors []any  `json:"errors"`
		Failed int    `json:"failed"`
		Seen   []bool `json:"seen" wf:"append"`
	}
	half := wf.Node("half", func(_ context.Context, in Number) (Number, error) {
		if in.N%2 != 0 {
			return Number{}, &wf.Error{Code: "odd", Message: fmt.Sprint(in.N, " is odd")}
		}
		return Number{in.N / 2}, nil
	})
	w, err := wf.Define[Numbers, State, State]("halves").
		Foreach("each", "input.numbers", "n", wf.Body().
			Set("see").OutValue("state.seen", true).
			Step("half", half).Out("n", "state.halves")).
		Parallel(0).OnError(wf.Collect).Out("errors", "state.errors").Out("failed", "state.failed").
		Build()
	if err != nil {
		log.Fatal(wf.DiagnosticsOf(err))
	}
	fmt.Println(string(mustRun(w, Numbers{[]int{2, 3, 8}}).Info().State))
	// Output: {"errors":[{"code":"odd","index":1,"item":3,"message":"3 is odd"}],"failed":1,"halves":[1,4],"seen":[true,true]}
}

// A foreach that failed leaves nothing behind, so it can be tried again as a whole: here with a second item that fails at
// first. What fails in the end can be caught, like the failure of any step.
func ExampleForeachBuilder_Retry() {
	type Numbers struct {
		Numbers []int `json:"numbers"`
	}
	type State struct {
		Done    []int `json:"done" wf:"append"`
		Problem any   `json:"problem,omitempty"`
	}
	calls := 0
	work := wf.Node("work", func(context.Context, struct{}) (struct{}, error) {
		if calls++; calls == 2 {
			return struct{}{}, &wf.Error{Code: "transport", Message: "no route"}
		}
		return struct{}{}, nil
	})
	w, err := wf.Define[Numbers, State, State]("persistent").
		Foreach("each", "input.numbers", "n", wf.Body().
			Step("work", work).
			Set("note").Out("item.n", "state.done")).
		Retry(wf.Retry{MaxAttempts: 2, InitialIntervalSeconds: 0.001}).
		CatchInto(wf.ToEnd, "state.problem").
		Build()
	if err != nil {
		log.Fatal(wf.DiagnosticsOf(err))
	}
	fmt.Println(string(mustRun(w, Numbers{[]int{1, 2}}).Info().State), calls, "calls")
	// Output: {"done":[1,2]} 4 calls
}
