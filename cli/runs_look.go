package cli

import (
	"context"

	"github.com/spf13/cobra"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
)

func runInspectCommand(a *app) *cobra.Command {
	var flags storeFlags
	var view viewFlags
	cmd := &cobra.Command{
		Use:   "inspect RUN",
		Short: summaryOf("runs.inspect"),
		Long: `Shows where a run stands: its status, what it waits for, its state and its output. What is large is left out and named, unless
--full is given.`,
		Example: "  wf run inspect run_1 --store file:runs",
		Args:    takes(1, 1, "one RUN"),
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
		Use:     "trace RUN",
		Short:   summaryOf("runs.trace"),
		Long:    `Shows what a run did, step by step: inputs, outcomes, outputs, writes and failures. As text, a line a step; JSON has all.`,
		Example: "  wf run trace run_1 --from 0 --limit 5 --store file:runs\n  wf run trace run_1 --step review --format json --store file:runs",
		Args:    takes(1, 1, "one RUN"),
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
		Example: "  wf run replay run_1 --event 3 --store file:runs",
		Args:    takes(1, 1, "one RUN"),
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
