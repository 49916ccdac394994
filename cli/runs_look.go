package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
)

// since is a flag that is a moment, or a span of time before now.
type since struct {
	value *time.Time
	now   func() time.Time
}

func (s since) String() string {
	if s.value == nil || s.value.IsZero() {
		return ""
	}
	return s.value.Format(time.RFC3339)
}
func (s since) Type() string { return "time" }
func (s since) Set(text string) error {
	if d, err := time.ParseDuration(text); err == nil && d > 0 {
		*s.value = s.now().Add(-d)
		return nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		if t, err = time.Parse(time.DateOnly, text); err != nil {
			return errors.New("expected a time as 2026-11-30, 2026-11-30T12:00:00Z, or how long ago, as 90m or 24h")
		}
	}
	*s.value = t
	return nil
}

// now is the clock that commands go by.
func (a *app) now() time.Time {
	if a.Runtime != nil && a.Runtime.Clock != nil {
		return a.Runtime.Clock.Now()
	}
	return time.Now()
}

// listFlags say which runs are meant.
type listFlags struct {
	lifecycle.ListRuns
	status statuses
}

// statuses is a flag that may be given several times.
type statuses struct{ list *[]wf.RunStatus }

var statusWords = []string{string(wf.StatusRunning), string(wf.StatusInterrupted), string(wf.StatusCompleted), string(wf.StatusFailed), string(wf.StatusCancelled)}

func (s statuses) String() string { return "" }
func (s statuses) Type() string   { return "STATUS" }
func (s statuses) Set(word string) error {
	if !slices.Contains(statusWords, word) {
		return fmt.Errorf("expected one of %s%s", listed(statusWords), orNearest(word, statusWords))
	}
	*s.list = append(*s.list, wf.RunStatus(word))
	return nil
}

func (l *listFlags) add(a *app, cmd *cobra.Command) {
	l.Labels = map[string]string{}
	flags := cmd.Flags()
	flags.StringVar(&l.Workflow, "workflow", "", "only runs of the workflow of this `NAME`")
	flags.StringVar(&l.Deployment, "deployment", "", "only runs of this `DEPLOYMENT`")
	flags.Var(statuses{&l.Status}, "status", "only runs that are running, interrupted, completed, failed or cancelled; may be given several times")
	flags.BoolVar(&l.Waiting, "waiting", false, "only runs that wait for somebody's answer or decision")
	flags.Var(labels(l.Labels), "label", "only runs with this label; may be given several times")
	flags.Var(since{&l.CreatedFrom, a.now}, "since", "only runs started at or after this time, or at most so long ago (24h)")
	flags.Var(since{&l.CreatedBefore, a.now}, "before", "only runs started before this time, or longer ago")
	flags.Var(since{&l.UpdatedBefore, a.now}, "unchanged-since", "only runs to which nothing has happened since this time, or for so long")
	flags.IntVar(&l.Limit, "limit", 0, "how many `RUNS` are shown; 50, if it is not given")
	flags.StringVar(&l.Cursor, "cursor", "", "go on with the page behind this `CURSOR`")
	a.complete(cmd, "status", statusWords)
}

func runListCommand(a *app) *cobra.Command {
	var flags storeFlags
	var list listFlags
	cmd := &cobra.Command{
		Use:     "list",
		Short:   summaryOf("runs.list"),
		Example: "  wf run list --waiting --store file:runs\n  wf run list --status failed --since 24h --limit 10 --store file:runs",
		Args:    takes(0, 0, ""),
	}
	list.add(a, cmd)
	flags.add(a, cmd)
	cmd.RunE = a.on(&flags, nil, func(ctx context.Context, api *opened, _ []string) (*answer, error) {
		found, err := api.ListRuns(ctx, &list.ListRuns)
		if err != nil {
			return nil, err
		}
		t := &table{head: []string{"RUN", "WORKFLOW", "STATUS", "STARTED", "UPDATED", "LABELS"}}
		out := &answer{result: found, table: t, text: t.write, items: []item{}, next: nextOf(found.Advice.NextActions, &flags)}
		for _, r := range found.Runs {
			t.rows = append(t.rows, []string{r.RunID, r.Workflow, string(r.Status), moment(r.Created), moment(r.Updated), labelText(r.Labels)})
			out.items = append(out.items, item{"run", r})
		}
		if len(found.Runs) == 0 {
			out.notes = []string{found.Advice.Reason}
			out.text, out.table = nil, nil
		}
		found.Advice = nil
		return out, nil
	})
	return cmd
}

func runInspectCommand(a *app) *cobra.Command {
	var flags storeFlags
	var view viewFlags
	cmd := &cobra.Command{
		Use:   "inspect RUN",
		Short: summaryOf("runs.inspect"),
		Long: `Shows where a run stands: its status, what it waits for, its state and its output. What is large is left out and named, unless
--full is given.`,
		Example:           "  wf run inspect run_1 --store file:runs",
		Args:              takes(1, 1, "one RUN"),
		ValidArgsFunction: a.completeRuns(&flags, 1),
	}
	flags.add(a, cmd)
	view.add(cmd)
	cmd.RunE = a.on(&flags, nil, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		run, err := api.InspectRun(ctx, &lifecycle.InspectRun{RunID: args[0], View: view.View})
		if err != nil {
			return nil, err
		}
		return shown(run, &flags), nil
	})
	return cmd
}

func runTraceCommand(a *app) *cobra.Command {
	var flags storeFlags
	p := &lifecycle.TraceRun{}
	cmd := &cobra.Command{
		Use:               "trace RUN",
		Short:             summaryOf("runs.trace"),
		Long:              `Shows what a run did, step by step: inputs, outcomes, outputs, writes and failures. As text, a line a step; JSON has all.`,
		Example:           "  wf run trace run_1 --from 0 --limit 5 --store file:runs\n  wf run trace run_1 --step review --format json --store file:runs",
		Args:              takes(1, 1, "one RUN"),
		ValidArgsFunction: a.completeRuns(&flags, 1),
	}
	flags.add(a, cmd)
	cmd.Flags().IntVar(&p.From, "from", 0, "the first `ENTRY` that is shown, counted from 0")
	cmd.Flags().IntVar(&p.Limit, "limit", 0, "how many `ENTRIES` are shown; 100, if it is not given")
	cmd.Flags().StringVar(&p.Step, "step", "", "only visits of this `STEP`")
	cmd.Flags().StringVar(&p.Frame, "frame", "", "only what happened in this `FRAME` and below it, as /each[3]")
	cmd.RunE = a.on(&flags, nil, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		p.RunID = args[0]
		t, err := api.TraceRun(ctx, p)
		if err != nil {
			return nil, err
		}
		rows := traceTable(t.Entries)
		out := &answer{result: t, table: rows, text: rows.write, next: nextOf(t.Advice.NextActions, &flags), items: []item{}, notes: []string{t.Advice.Reason}}
		lines := make([]string, len(t.Entries))
		for i, x := range t.Entries {
			lines[i] = stepName(&x) + ": " + stepEnd(x)
			out.items = append(out.items, item{"step", x})
		}
		out.brief = map[string]any{"run_id": t.RunID, "status": t.Status, "from": t.From, "total": t.Total, "steps": lines}
		out.left = []string{"/result: the steps' data"}
		if len(t.Entries) == 0 {
			out.text, out.table = nil, nil
		}
		t.Advice = nil
		return out, nil
	})
	return cmd
}

func runReplayCommand(a *app) *cobra.Command {
	var flags storeFlags
	var view viewFlags
	var event uint64
	cmd := &cobra.Command{
		Use:   "replay RUN",
		Short: summaryOf("runs.replay"),
		Long: `Shows where a run stood after one of its events: its state, its frames, its trace until then. Nothing is called. "wf run fork" goes on
from there.`,
		Example:           "  wf run replay run_1 --event 3 --store file:runs",
		Args:              takes(1, 1, "one RUN"),
		ValidArgsFunction: a.completeRuns(&flags, 1),
	}
	flags.add(a, cmd)
	cmd.Flags().Uint64Var(&event, "event", 0, "the `NUMBER` of the event, from 1; the latest, if it is not given")
	view.add(cmd)
	cmd.RunE = a.on(&flags, nil, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		run, err := api.ReplayRun(ctx, &lifecycle.ReplayRun{RunID: args[0], Event: wf.Revision(event), View: view.View})
		if err != nil {
			return nil, err
		}
		return shown(run, &flags), nil
	})
	return cmd
}

func runExplainCommand(a *app) *cobra.Command {
	var flags storeFlags
	cmd := &cobra.Command{
		Use:   "explain RUN",
		Short: summaryOf("runs.explain"),
		Long: `Explains why a run failed: the step, its input, where that breaks a schema, who wrote last what it was made of, and what may repair
it. Of a run that waits it shows for what.`,
		Example:           "  wf run explain run_1 --store file:runs",
		Args:              takes(1, 1, "one RUN"),
		ValidArgsFunction: a.completeRuns(&flags, 1),
	}
	flags.add(a, cmd)
	cmd.RunE = a.on(&flags, nil, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		x, err := api.ExplainRun(ctx, &lifecycle.ExplainRun{RunID: args[0]})
		if err != nil {
			return nil, err
		}
		out := &answer{result: x, next: nextOf(x.Advice.NextActions, &flags), text: func(p *page) { p.explanation(x) }}
		x.Advice = nil
		return out, nil
	})
	return cmd
}

// explanation tells people why a run failed.
func (p *page) explanation(x *lifecycle.Explanation) {
	p.line(visible(x.Summary))
	for _, v := range x.Violations {
		p.line("  at " + orWhole(v.Path) + ": " + visible(v.Message))
	}
	if x.Place != "" {
		p.line("  step: " + x.Place + " of the plan" + ofNode(x.Node))
	}
	if len(x.Input) > 0 {
		p.WriteString("  input: ")
		p.json1([]byte(visible(string(x.Input))))
	}
	for _, r := range x.Reads {
		line := "  it read " + r.Path + ", which nobody had written"
		if c := r.Changed; c != nil {
			line = "  it read " + r.Path + ", written last by " + c.Step + " (" + c.Op + " " + c.Path + ")"
		}
		p.line(visible(line))
	}
	for _, t := range x.Retries {
		p.line("  tried before: " + visible(t.Error.Message))
	}
	if x.RepairHint != "" {
		p.line("  hint: " + visible(x.RepairHint))
	}
	writeInterrupts(p, x.Interrupts)
	writeDoubts(p, x.Doubts)
	if x.Meaning != "" {
		p.line()
		p.line(wrapped(x.Meaning, 100))
	}
}

func orWhole(pointer string) string {
	if pointer == "" {
		return "(the whole)"
	}
	return pointer
}

func ofNode(node string) string {
	if node == "" {
		return ""
	}
	return ", which calls " + node
}

func runWatchCommand(a *app) *cobra.Command {
	var flags storeFlags
	var timeout time.Duration
	p := &lifecycle.WatchRun{}
	cmd := &cobra.Command{
		Use:   "watch RUN",
		Short: summaryOf("runs.watch"),
		Long: `Follows a run until it stops: shows each visit of a step as it ends, and what the run asks. With --format jsonl each is a line at
once. The exit code tells how the run stopped. Who watches does not drive: "wf worker" does.`,
		Example:           "  wf run watch run_1 --store sqlite:wf.db --format jsonl",
		Args:              takes(1, 1, "one RUN"),
		ValidArgsFunction: a.completeRuns(&flags, 1),
	}
	flags.add(a, cmd)
	cmd.Flags().Int64Var(&p.After, "after", 0, "what happened up to this `EVENT` is not shown again")
	cmd.Flags().Var(positive{&timeout}, "timeout", "watch no longer than this (30s, 2m; 30 is seconds), and exit with 9")
	cmd.RunE = a.on(&flags, &timeout, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		p.RunID = args[0]
		events := []*lifecycle.RunEvent{}
		for e, err := range api.WatchRun(ctx, p) {
			if err != nil {
				return nil, err
			}
			if e.Type != "stopped" {
				if err := a.tell(e); err != nil {
					return nil, err
				}
				events = append(events, e)
				continue
			}
			out := went(e.Run, &flags)
			out.result, out.items = map[string]any{"events": events, "run": e.Run}, []item{{"stopped", e}}
			out.table = nil
			return out, nil
		}
		return nil, errors.New("the stream of a run's events ended before the run did")
	})
	return cmd
}

// tell shows an event at once, where the format can: as a line of JSON, or for people on standard error.
func (a *app) tell(e *lifecycle.RunEvent) error {
	switch a.format {
	case formatJSONL:
		text, err := encode(line{e.Type, e}, "")
		if err == nil {
			_, err = a.Stdout.Write(text)
		}
		return err
	case formatText, formatTable:
		p := &page{colour: a.coloured(a.Stderr)}
		switch {
		case e.Step != nil:
			p.line(strconv.FormatInt(e.Seq, 10) + "  " + visible(stepName(e.Step)) + ": " + visible(stepEnd(*e.Step)))
		case e.Interrupt != nil:
			p.line(strconv.FormatInt(e.Seq, 10) + "  " + visible(e.Interrupt.ID) + " asks")
		case e.Doubt != nil:
			p.line(strconv.FormatInt(e.Seq, 10) + "  " + visible(e.Doubt.ID) + " is in doubt")
		}
		_, err := a.Stderr.Write(p.Bytes())
		return err
	}
	return nil
}
