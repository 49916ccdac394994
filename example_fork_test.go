package wf_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"lda.chat/wf"
)

type Claim struct {
	Amount int `json:"amount"`
}

type Opinion struct {
	Text string `json:"text"`
}

// opinion is a branch with one step that thinks for a while.
func opinion(name string, takes time.Duration) *wf.Builder {
	return wf.Body().Step(name, wf.Node(name, func(ctx context.Context, in Claim) (Opinion, error) {
		select {
		case <-time.After(takes):
			return Opinion{fmt.Sprintf("%s has looked at %d", name, in.Amount)}, nil
		case <-ctx.Done():
			return Opinion{}, ctx.Err()
		}
	})).Out("text", "state.opinions").Builder
}

type Opinions struct {
	Opinions []string `json:"opinions" wf:"append"`
}

// A branch with a condition runs only if that holds; the join waits for those that run. What they wrote is merged in
// the order of the branches, by each field's reducer.
func ExampleBranchBuilder_When() {
	w, err := wf.Define[Claim, Opinions, Opinions]("opinions").
		Fork("ask",
			wf.Branch("legal", opinion("legal", 5*time.Millisecond)),
			wf.Branch("finance", opinion("finance", 0)).When(wf.Gt("input.amount", 1000)),
			wf.Branch("sales", opinion("sales", 0))).
		Build()
	if err != nil {
		log.Fatal(wf.DiagnosticsOf(err))
	}
	fmt.Println(string(mustRun(w, Claim{10}).Info().Output))
	fmt.Println(string(mustRun(w, Claim{5000}).Info().Output))
	// Output:
	// {"opinions":["legal has looked at 10","sales has looked at 10"]}
	// {"opinions":["legal has looked at 5000","finance has looked at 5000","sales has looked at 5000"]}
}

// With Complete the fork goes on as soon as so many branches have succeeded. The others are cancelled, and what they
// wrote is dropped.
func ExampleForkBuilder_Complete() {
	w, err := wf.Define[Claim, Opinions, Opinions]("quorum").
		Fork("ask",
			wf.Branch("legal", opinion("legal", time.Hour)),
			wf.Branch("finance", opinion("finance", 0)),
			wf.Branch("sales", opinion("sales", 0))).
		Complete(2).Unmet("too_few").
		Fail("too_few", "no_quorum").
		Build()
	if err != nil {
		log.Fatal(wf.DiagnosticsOf(err))
	}
	fmt.Println(string(mustRun(w, Claim{10}).Info().Output))
	// Output: {"opinions":["finance has looked at 10","sales has looked at 10"]}
}

// The first good answer: what is no good goes to ToDiscard, where it does not count, and the fork is complete with one.
func ExampleForkBuilder_firstGoodAnswer() {
	type Question struct {
		Text string `json:"text"`
	}
	type Answer struct {
		Answer string `json:"answer"`
	}
	ask := func(name, says string) *wf.Builder {
		answer := wf.Node(name, func(context.Context, Question) (Answer, error) { return Answer{says}, nil })
		return wf.Body().
			Step(name, answer).Out("answer", "state.answer").
			If(name+"_good", wf.Ne("steps."+name+".answer", "no idea")).Else(wf.ToDiscard).Builder
	}
	w, err := wf.Define[Question, Answer, Answer]("first_good").
		Fork("ask", wf.Branch("one", ask("one", "no idea")), wf.Branch("two", ask("two", "42"))).
		Complete(1).Unmet("nobody").
		Fail("nobody", "nobody_knows").
		Build()
	if err != nil {
		log.Fatal(wf.DiagnosticsOf(err))
	}
	fmt.Println(string(mustRun(w, Question{"the answer"}).Info().Output))
	// Output: {"answer":"42"}
}

// With Timeout a fork that takes too long goes on elsewhere, with what had succeeded by then.
func ExampleForkBuilder_Timeout() {
	w, err := wf.Define[Claim, Opinions, Opinions]("in_time").
		Fork("ask",
			wf.Branch("legal", opinion("legal", time.Hour)),
			wf.Branch("sales", opinion("sales", 0))).
		Timeout(50*time.Millisecond, "late").Goto(wf.ToEnd).
		Set("late").OutText("state.opinions", "somebody is late").
		Build()
	if err != nil {
		log.Fatal(wf.DiagnosticsOf(err))
	}
	fmt.Println(string(mustRun(w, Claim{10}).Info().Output))
	// Output: {"opinions":["sales has looked at 10","somebody is late"]}
}

// Retry tries the fork again as a whole when a branch fails; nothing of the first attempt is left.
func ExampleForkBuilder_Retry() {
	calls := 0
	work := wf.Node("work", func(context.Context, struct{}) (Opinion, error) {
		if calls++; calls == 1 {
			return Opinion{}, &wf.Error{Code: "transport", Message: "no route"}
		}
		return Opinion{"work is done"}, nil
	})
	w, err := wf.Define[Claim, Opinions, Opinions]("again").
		Fork("ask",
			wf.Branch("work", wf.Body().Step("work", work).Out("text", "state.opinions")),
			wf.Branch("sales", opinion("sales", 0))).
		Retry(wf.Retry{MaxAttempts: 2, InitialIntervalSeconds: 0.001}).
		Build()
	if err != nil {
		log.Fatal(wf.DiagnosticsOf(err))
	}
	run := mustRun(w, Claim{10})
	trace, err := run.Trace()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(run.Info().Output))
	for _, e := range trace {
		if e.Step == "work" {
			fmt.Println(e.Frame, e.Outcome, e.Error)
		}
	}
	// Output:
	// {"opinions":["work is done","sales has looked at 10"]}
	// /ask:work  transport: no route
	// /ask~2:work ok no error
}
