package cli

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"lda.chat/wf/lifecycle"
)

func runWatchCommand(a *app) *cobra.Command {
	var flags storeFlags
	var timeout time.Duration
	p := &lifecycle.WatchRun{}
	cmd := &cobra.Command{
		Use:   "watch RUN",
		Short: summaryOf("runs.watch"),
		Long: `Follows a run until it stops: shows each visit of a step as it ends, and what the run asks. With --format jsonl each is a line at
once. The exit code tells how the run stopped. Who watches does not drive: "wf worker" does.`,
		Example: "  wf run watch run_1 --store sqlite:wf.db --format jsonl",
		Args:    takes(1, 1, "one RUN"),
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
