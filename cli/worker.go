package cli

import (
	"context"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"lda.chat/wf"
)

func workerCommand(a *app) *cobra.Command {
	var flags storeFlags
	var lease time.Duration
	match := map[string]string{}
	work := &wf.WorkOptions{Match: match}
	cmd := &cobra.Command{
		Use:   "worker",
		Short: "Take on the runs of a store, until a signal ends it",
		Long: `Takes on the runs of a store that need it: those that were queued, that got an answer, whose time has come, and whose process is
gone. Any number of workers may do so at once, as far as the store lets them; a run is driven by one of them. Runs that ended longer ago
than their deployment keeps them are deleted, at the start and every ten minutes, as "wf deploy retain" does.

Ctrl-C or SIGTERM ends it: nothing new begins, calls that are out may end within --grace, and what is unfinished goes on
elsewhere. A second signal ends it at once; then others take its runs over when their leases have run out.
Standard error has a line for what happens.`,
		Example: "  wf worker --store sqlite:wf.db --runs 50",
		Args:    takes(0, 0, ""),
	}
	flags.add(a, cmd)
	cmd.Flags().IntVar(&work.Runs, "runs", 0, "how many `RUNS` are driven at once; 256, if it is not given")
	cmd.Flags().Var(positive{&lease}, "lease", "for how long a run is kept from others; it is renewed as long as the process lives (15s)")
	cmd.Flags().Var(positive{&work.Poll}, "poll", "how often runs are looked for of which nobody tells (1s)")
	cmd.Flags().Var(positive{&work.Grace}, "grace", "for how long calls may go on when it is to end (10s)")
	cmd.Flags().Var(labels(match), "label", "only runs with this label; may be given several times")
	cmd.RunE = a.run(func(ctx context.Context, _ []string) (*answer, error) {
		if work.Runs < 0 {
			return nil, usagef("--runs is %d: expected a number above zero", work.Runs)
		}
		logger := slog.New(slog.NewTextHandler(a.Stderr, nil))
		api, err := a.openWith(ctx, &flags, func(o *wf.RuntimeOptions) {
			if o.Lease = lease; o.Logger == nil {
				o.Logger = logger
			}
		})
		if err != nil {
			return nil, err
		}
		defer api.close()
		logger.Info("the worker begins")
		if err := api.Work(ctx, work); err != nil {
			return nil, a.failure(err, &flags)
		}
		logger.Info("the worker has ended")
		return &answer{result: map[string]bool{"ended": true}}, nil
	})
	return cmd
}
