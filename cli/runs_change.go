package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"lda.chat/wf/lifecycle"
)

func runStepCommand(a *app) *cobra.Command {
	var flags storeFlags
	var view viewFlags
	cmd := &cobra.Command{
		Use:     "step RUN",
		Short:   summaryOf("runs.step"),
		Long:    `Lets a run that was started with --step-by-step take one step, and shows where it stands then.`,
		Example: "  wf run step run_1 --trace-limit 100 --store file:runs",
		Args:    takes(1, 1, "one RUN"),
	}
	flags.add(a, cmd)
	view.add(cmd)
	view.addTimeout(cmd)
	cmd.RunE = a.on(&flags, &view.timeout, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		run, err := api.StepRun(ctx, &lifecycle.StepRun{RunID: args[0], View: view.View})
		if err != nil {
			return nil, err
		}
		out := went(run, &flags)
		out.text = func(p *page) { p.run(run) }
		out.notes = nil
		return out, nil
	})
	return cmd
}

func runCancelCommand(a *app) *cobra.Command {
	var flags storeFlags
	var yes bool
	p := &lifecycle.CancelRun{}
	cmd := &cobra.Command{
		Use:     "cancel RUN",
		Short:   summaryOf("runs.cancel"),
		Long:    `Ends a run as cancelled, with its calls, timers and open questions. A run that has ended stays as it is.`,
		Example: "  wf run cancel run_1 --reason 'started twice' --yes --store file:runs",
		Args:    takes(1, 1, "one RUN"),
	}
	flags.add(a, cmd)
	cmd.Flags().StringVar(&p.Reason, "reason", "", "why, for people")
	cmd.Flags().BoolVar(&yes, "yes", false, "do it: a run that was cancelled does not go on")
	cmd.RunE = a.on(&flags, nil, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		if err := a.confirmed(ctx, yes, "cancelling a run"); err != nil {
			return nil, err
		}
		p.RunID = args[0]
		run, err := api.CancelRun(ctx, p)
		if err != nil {
			return nil, err
		}
		out := shown(run, &flags)
		out.whole = "wf run inspect " + quoted(run.RunID) + " --full" + flags.words() + " --format json"
		return out, nil
	})
	return cmd
}

func runDeleteCommand(a *app) *cobra.Command {
	var flags storeFlags
	var yes bool
	cmd := &cobra.Command{
		Use:     "delete RUN",
		Short:   summaryOf("runs.delete"),
		Long:    `Deletes a run that has ended, with all that belongs to it. One that has not is cancelled first: "wf run cancel".`,
		Example: "  wf run delete run_1 --yes --store file:runs",
		Args:    takes(1, 1, "one RUN"),
	}
	flags.add(a, cmd)
	cmd.Flags().BoolVar(&yes, "yes", false, "do it: what is deleted is gone")
	cmd.RunE = a.on(&flags, nil, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		if err := a.confirmed(ctx, yes, "deleting a run"); err != nil {
			return nil, err
		}
		gone, err := api.DeleteRun(ctx, &lifecycle.DeleteRun{RunID: args[0]})
		if err != nil {
			return nil, err
		}
		gone.Advice = nil
		return &answer{result: gone, notes: []string{fmt.Sprintf("%s is deleted", gone.RunID)}}, nil
	})
	return cmd
}
