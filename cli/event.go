package cli

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"lda.chat/wf/lifecycle"
)

func eventCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "event",
		Short: "See what was changed, by whom, when",
	}
	cmd.AddCommand(eventListCommand(a))
	return cmd
}

func eventListCommand(a *app) *cobra.Command {
	var flags storeFlags
	p := &lifecycle.ListEvents{}
	cmd := &cobra.Command{
		Use:     "list",
		Short:   summaryOf("events.list"),
		Example: "  wf event list --subject draft:report --limit 10 --store file:runs",
		Args:    takes(0, 0, ""),
	}
	cmd.Flags().StringVar(&p.Subject, "subject", "", "only events on this `SUBJECT`, such as draft:report or artifact:report@1")
	cmd.Flags().StringVar(&p.Method, "method", "", "only events of this `OPERATION`, such as drafts.save")
	pageFlags(cmd, &p.Limit, &p.Cursor)
	flags.add(a, cmd)
	cmd.RunE = a.on(&flags, nil, func(ctx context.Context, api *opened, _ []string) (*answer, error) {
		list, err := api.ListEvents(ctx, p)
		if err != nil {
			return nil, err
		}
		out := listing([]string{"AT", "OPERATION", "SUBJECT", "REVISION", "WHO", "NOTE"}, list.Advice, &flags)
		for _, e := range list.Events {
			revision := ""
			if e.Revision > 0 {
				revision = strconv.FormatUint(e.Revision, 10)
			}
			out.row("event", e, moment(e.At), e.Method, e.Subject, revision, e.Who, e.Note)
		}
		list.Advice = nil
		return out.of(list), nil
	})
	return cmd
}
