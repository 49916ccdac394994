// Command report_workflow reads the notes of a meeting, finds the report in them and renders it as Markdown: three typed
// Go functions, put in order by a workflow that is built in Go and run in this process.
//
//	go run ./examples/report_workflow [NOTES]
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"lda.chat/wf"
	"lda.chat/wf/examples/report_workflow/report"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	notes := filepath.Join("examples", "report_workflow", "notes.md")
	if len(os.Args) > 1 {
		notes = os.Args[1]
	}
	if err := run(ctx, notes); err != nil {
		fmt.Fprintln(os.Stderr, "report_workflow:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, notes string) error {
	workflow, err := report.Workflow()
	if err != nil {
		return err
	}
	rt, err := wf.NewRuntime(nil)
	if err != nil {
		return err
	}
	r, err := rt.Run(ctx, workflow, report.ReadInput{Path: notes})
	if err != nil {
		return err
	}
	if err := r.Err(); err != nil {
		return err
	}
	var out report.Output
	if err := r.Output(&out); err != nil {
		return err
	}
	fmt.Print(out.Markdown)
	trace, err := r.Trace()
	if err != nil {
		return err
	}
	fmt.Printf("\n---\n%s: %s, %d steps\n", r.ID(), r.Status(), len(trace))
	for _, e := range trace {
		fmt.Printf("  %-8s %-5s → %-8s %v\n", e.Step, e.Outcome, e.Next, e.EndedAt.Sub(e.StartedAt))
	}
	return nil
}
