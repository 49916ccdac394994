package cli

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"lda.chat/wf/lifecycle"
)

func sourceCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "source",
		Short: "See where capabilities come from",
	}
	cmd.AddCommand(sourceListCommand(a), sourceInspectCommand(a))
	return cmd
}

// sourcesOnly are the flags of a command that needs no store.
func sourcesOnly(cmd *cobra.Command) *storeFlags {
	flags := &storeFlags{store: inMemory}
	configFlag(cmd, &flags.config)
	return flags
}

func sourceListCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list",
		Short: summaryOf("sources.list"),
		Args:  takes(0, 0, ""),
	}
	flags := sourcesOnly(cmd)
	cmd.RunE = a.on(flags, nil, func(ctx context.Context, api *opened, _ []string) (*answer, error) {
		list, err := api.ListSources(ctx, &lifecycle.ListSources{})
		if err != nil {
			return nil, err
		}
		out := listing([]string{"SOURCE", "CAPABILITIES", "BOUND BY DEPLOYMENTS"}, list.Advice, flags)
		for _, s := range list.Sources {
			out.row("source", s, s.Source, strconv.Itoa(s.Capabilities), map[bool]string{true: "no", false: "yes"}[s.Platform])
		}
		list.Advice = nil
		return out.of(list), nil
	})
	return cmd
}

func sourceInspectCommand(a *app) *cobra.Command {
	p := &lifecycle.InspectSource{}
	cmd := &cobra.Command{
		Use:   "inspect SOURCE",
		Short: summaryOf("sources.inspect"),
		Args:  takes(1, 1, "one SOURCE"),
	}
	cmd.Flags().BoolVar(&p.Full, "full", false, "show all capabilities")
	flags := sourcesOnly(cmd)
	cmd.RunE = a.on(flags, nil, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		p.Source = args[0]
		s, err := api.InspectSource(ctx, p)
		if err != nil {
			return nil, err
		}
		out := &answer{result: s, next: nextOf(s.Advice.NextActions, flags), notes: []string{s.Source + ": " + s.Advice.Reason}}
		out.text = func(p *page) {
			for _, ref := range s.Refs {
				p.line(ref)
			}
			p.omitted(s.Omitted)
		}
		s.Advice = nil
		return out, nil
	})
	return cmd
}
