package cli

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
)

func runCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Start runs in a store, look at them, answer and change them",
	}
	cmd.AddCommand(runStartCommand(a), runListCommand(a), runInspectCommand(a), runTraceCommand(a), runWatchCommand(a), runExplainCommand(a),
		runResumeCommand(a), runDecideCommand(a), runStepCommand(a), runCancelCommand(a), runDeleteCommand(a),
		runReplayCommand(a), runDiffCommand(a), runForkCommand(a), runBacktestCommand(a))
	return cmd
}

// summaryOf is the line about an operation in the table of methods.
func summaryOf(method string) string {
	m, ok := lifecycle.LookupMethod(method)
	if !ok {
		panic("there is no method " + method)
	}
	return m.Summary
}

// onStore does the work of a command on a store.
type onStore func(ctx context.Context, api *opened, args []string) (*answer, error)

// on makes a command's action of an operation on a store. A time above zero is how long it may take.
func (a *app) on(flags *storeFlags, timeout *time.Duration, do onStore) func(*cobra.Command, []string) error {
	return a.run(func(ctx context.Context, args []string) (*answer, error) {
		api, err := a.open(ctx, flags)
		if err != nil {
			return nil, err
		}
		defer api.close()
		if timeout != nil && *timeout > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, *timeout)
			defer cancel()
		}
		out, err := do(ctx, api, args)
		return out, a.failure(err, flags)
	})
}

// viewFlags say how much of a run is shown.
type viewFlags struct {
	lifecycle.View
	timeout time.Duration
}

func (v *viewFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&v.Full, "full", false, "show all, also what is large")
	cmd.Flags().IntVar(&v.TraceFrom, "trace-from", 0, "the first `ENTRY` of the trace that is shown, counted from 0")
	cmd.Flags().IntVar(&v.TraceLimit, "trace-limit", 0, "how many `ENTRIES` of the trace are shown")
}

func (v *viewFlags) addTimeout(cmd *cobra.Command) {
	cmd.Flags().Var(positive{&v.timeout}, "timeout", "wait no longer than this (30s, 2m; 30 is seconds), and exit with 9; the run goes on")
}

// exitOfRun is the code of a command that waits for a run.
func exitOfRun(status wf.RunStatus) int {
	switch status {
	case wf.StatusFailed, wf.StatusCancelled:
		return ExitRunFailed
	case wf.StatusInterrupted:
		return ExitWaiting
	}
	return ExitDone
}

// went is the answer about a run that a command has waited for. As text, its output is the result.
func went(r *lifecycle.Run, flags *storeFlags) *answer {
	out := shown(r, flags)
	out.exit = exitOfRun(r.Status)
	out.whole = "wf run inspect " + quoted(r.RunID) + " --full" + flags.words() + " --format json"
	out.text = func(p *page) {
		if r.Output != nil {
			p.json(r.Output)
		}
	}
	if len(r.Trace) > 0 {
		p := &page{}
		out.table.write(p)
		out.notes = append(out.notes, strings.TrimSuffix(p.String(), "\n"))
	}
	out.notes = append(out.notes, summary(&r.RunInfo))
	p := &page{}
	writeInterrupts(p, r.Interrupts)
	writeDoubts(p, r.Doubts)
	if p.Len() > 0 {
		out.notes = append(out.notes, strings.TrimSuffix(p.String(), "\n"))
	}
	if e := r.Error; e != nil {
		out.diags = append(out.diags, wf.Diagnostic{Severity: wf.SeverityError, Code: e.Code, Doc: "run:" + r.RunID, Step: e.Step, Message: e.Message})
	}
	return out
}

// shown is the answer about a run as it stands.
func shown(r *lifecycle.Run, flags *storeFlags) *answer {
	out := &answer{table: traceTable(r.Trace)}
	if r.Advice != nil {
		out.next = nextOf(r.Advice.NextActions, flags)
		out.warn(r.Advice)
		r.Advice = nil
	}
	out.result, out.brief, out.left = r, briefOf(r), []string{"/result: state, input and the steps' data"}
	for _, x := range r.Trace {
		out.items = append(out.items, item{"step", x})
	}
	for _, open := range r.Interrupts {
		out.items = append(out.items, item{"interrupt", open})
	}
	for _, open := range r.Doubts {
		out.items = append(out.items, item{"doubt", open})
	}
	rest := *r
	rest.Trace, rest.Interrupts, rest.Doubts = nil, nil, nil
	out.items = append(out.items, item{"run", &rest})
	out.text = func(p *page) { p.run(r) }
	return out
}

// briefOf is what the compact format says of a run in a store.
func briefOf(r *lifecycle.Run) any {
	b := brief(&r.RunInfo)
	return struct {
		*briefRun
		Steps []string `json:"steps,omitempty"`
		Taken int64    `json:"steps_taken"`
	}{b, b.Steps, r.RunInfo.Steps}
}

// run writes how a run stands.
func (p *page) run(r *lifecycle.Run) {
	p.line(p.bold(summary(&r.RunInfo)))
	t := &table{}
	row := func(name, text string) {
		if text != "" {
			t.rows = append(t.rows, []string{"  " + name, text})
		}
	}
	row("deployment", r.Deployment)
	row("labels", labelText(r.Labels))
	row("started", moment(r.StartedAt))
	row("updated", moment(r.UpdatedAt))
	if r.Idle {
		row("driven by", "nobody: \"wf worker\" takes it up")
	}
	row("driven by", r.Owner)
	row("goes on", moment(r.WakeAt))
	row("events", strconv.FormatUint(uint64(r.Revision), 10))
	for _, f := range r.Frames {
		if f.Step != "" && !r.Status.Ended() {
			row("at", f.Step+" in "+f.Path+": "+f.Status)
		}
	}
	if e := r.Error; e != nil {
		row("error", e.Error())
	}
	t.write(p)
	if len(r.Trace) > 0 {
		traceTable(r.Trace).write(p)
	}
	writeInterrupts(p, r.Interrupts)
	writeDoubts(p, r.Doubts)
	p.omitted(r.Omitted)
	if r.Output != nil {
		p.json(r.Output)
	}
}

// omitted tells what is left out.
func (p *page) omitted(list []lifecycle.Omitted) {
	for _, o := range list {
		if o.Bytes > 0 {
			p.line(o.Field + ": " + strconv.Itoa(o.Bytes) + " bytes, see --full")
		} else {
			p.line(o.Field + ": " + strconv.Itoa(o.Count) + " more, see --full")
		}
	}
}

func moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// planText reads a plan for an operation that takes one, and finds its mistakes at their places in the file.
func (a *app) planText(ctx context.Context, api *opened, name, config string) (*planFile, error) {
	plan, err := a.readPlan(ctx, name)
	if err != nil {
		return nil, err
	}
	plan.examine(api.Runtime())
	if plan.diags.HasErrors() {
		return nil, invalid(plan.diags, plan.repair(config)...)
	}
	return plan, nil
}

// inputFailure gives what is wrong with an input its place in the file.
func inputFailure(err error, in *input) error {
	e, ok := errors.AsType[*lifecycle.Error](err)
	if !ok || e.Kind != lifecycle.Invalid {
		return err
	}
	for i := range e.Diagnostics {
		d := &e.Diagnostics[i]
		if d.Doc != "input" {
			continue
		}
		if d.Doc = in.name; in.doc != nil {
			d.Line, d.Column, _ = in.doc.Position(d.Path)
		} else {
			d.RepairHint = in.less
		}
	}
	return e
}

// verdicts are what can be decided about a call in doubt.
var verdicts = []string{string(wf.VerdictResult), string(wf.VerdictAgain), string(wf.VerdictFail)}
