package wf_test

import (
	"context"
	"fmt"
	"log"

	"lda.chat/wf"
	"lda.chat/wf/store"
)

type Order struct {
	Item  string `json:"item"`
	Price int    `json:"price"`
}

// orders prices an order, asks whether it may be placed, and places it.
func orders() *wf.Workflow {
	w, err := wf.Define[Order, Order, Order]("order").
		Step("price", wf.Node("price", func(_ context.Context, in Order) (Order, error) {
			return Order{Item: in.Item, Price: 10 * len(in.Item)}, nil
		})).
		Step("approve", wf.Ask[Order, struct{}]("approval", "yes", "no")).On("no", wf.ToEnd).
		Step("place", wf.Node("place", func(_ context.Context, in Order) (Order, error) {
			fmt.Println("placed:", in.Item, in.Price)
			return in, nil
		})).
		Build()
	if err != nil {
		log.Fatal(err)
	}
	return w
}

// A run on a journal outlasts the process that started it: here it is answered and ends in another runtime. A store that is
// more than memory is opened with file.Open, sqlite.Open or postgres.Open.
func ExampleRuntime_Load() {
	ctx := context.Background()
	st := store.NewMemory(nil)
	w := orders()

	first, err := wf.NewRuntime(&wf.RuntimeOptions{Journal: st})
	if err != nil {
		log.Fatal(err)
	}
	run, err := first.Run(ctx, w, Order{Item: "lamp"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(run.Status(), string(run.Interrupts()[0].Request))
	if err := first.Close(ctx); err != nil {
		log.Fatal(err)
	}

	// Another process, later. It knows the workflow, as that brings functions of its own.
	second, err := wf.NewRuntime(&wf.RuntimeOptions{Journal: st, Workflows: []*wf.Workflow{w}})
	if err != nil {
		log.Fatal(err)
	}
	defer second.Close(ctx)
	same, err := second.Load(ctx, run.ID())
	if err != nil {
		log.Fatal(err)
	}
	if err := same.Resume(ctx, wf.Answer{Outcome: "yes"}); err != nil {
		log.Fatal(err)
	}
	if err := same.Wait(ctx); err != nil {
		log.Fatal(err)
	}
	fmt.Println(same.Status())
	// Output:
	// interrupted {"item":"lamp","price":40}
	// placed: lamp 40
	// completed
}

// A worker drives whatever runs of the journal need it; any number of processes may do so.
func ExampleRuntime_Work() {
	ctx, stop := context.WithCancel(context.Background())
	rt, err := wf.NewRuntime(&wf.RuntimeOptions{Journal: store.NewMemory(nil)})
	if err != nil {
		log.Fatal(err)
	}
	done := make(chan error)
	go func() { done <- rt.Work(ctx, nil) }()

	run, err := rt.Start(ctx, orders(), Order{Item: "lamp"}, &wf.StartOptions{Queued: true}) // recorded, and left to a worker
	if err != nil {
		log.Fatal(err)
	}
	if err := run.Wait(ctx); err != nil {
		log.Fatal(err)
	}
	fmt.Println(run.Status())
	stop()
	fmt.Println(<-done)
	// Output:
	// interrupted
	// <nil>
}

// What was done before the point is not done again; what was asked after it is asked again.
func ExampleRuntime_Fork() {
	ctx := context.Background()
	rt, err := wf.NewRuntime(&wf.RuntimeOptions{Journal: store.NewMemory(nil)})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close(ctx)
	run, err := rt.Run(ctx, orders(), Order{Item: "lamp"})
	if err != nil {
		log.Fatal(err)
	}
	if err := run.Resume(ctx, wf.Answer{Outcome: "no"}); err != nil {
		log.Fatal(err)
	}
	if err := run.Wait(ctx); err != nil {
		log.Fatal(err)
	}

	fork, err := rt.Fork(ctx, run.ID(), &wf.ForkOptions{At: 2, State: []byte(`{"price": 15}`)})
	if err != nil {
		log.Fatal(err)
	}
	if err := fork.Resume(ctx, wf.Answer{Outcome: "yes"}); err != nil {
		log.Fatal(err)
	}
	if err := fork.Wait(ctx); err != nil {
		log.Fatal(err)
	}
	diff, err := rt.Diff(ctx, wf.RunPoint{RunID: run.ID()}, wf.RunPoint{RunID: fork.ID()})
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range diff.State {
		fmt.Println(d.Path, string(d.A), string(d.B))
	}
	// Output:
	// placed: lamp 15
	// /price 40 15
}

// Another edition of the plan is tried on what came to a past run. Nothing is called.
func ExampleRuntime_Backtest() {
	ctx := context.Background()
	rt, err := wf.NewRuntime(&wf.RuntimeOptions{Journal: store.NewMemory(nil)})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close(ctx)
	w := orders()
	run, err := rt.Run(ctx, w, Order{Item: "lamp"})
	if err != nil {
		log.Fatal(err)
	}
	if err := run.Resume(ctx, wf.Answer{Outcome: "yes"}); err != nil {
		log.Fatal(err)
	}
	if err := run.Wait(ctx); err != nil {
		log.Fatal(err)
	}

	careless := *w
	careless.Edges = nil
	for _, e := range w.Edges {
		if e.From == "price" {
			e.To = "place" // nobody is asked any more
		}
		if e.From != "approve" {
			careless.Edges = append(careless.Edges, e)
		}
	}
	careless.Nodes = nil
	for _, s := range w.Nodes {
		if s.StepID() != "approve" {
			careless.Nodes = append(careless.Nodes, s)
		}
	}
	b, err := rt.Backtest(ctx, &careless, run.ID())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the same:", b.Same(), "new calls:", len(b.New), "not asked any more:", b.Unused)
	// Output:
	// placed: lamp 40
	// the same: false new calls: 0 not asked any more: [/approve]
}
