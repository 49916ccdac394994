package cli

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"lda.chat/wf/lifecycle"
)

func draftListCommand(a *app) *cobra.Command {
	var flags storeFlags
	p := &lifecycle.ListDrafts{}
	cmd := &cobra.Command{
		Use:     "list",
		Short:   summaryOf("drafts.list"),
		Example: "  wf draft list --prefix report --store file:runs",
		Args:    takes(0, 0, ""),
	}
	cmd.Flags().StringVar(&p.Prefix, "prefix", "", "only drafts whose ids begin with this `TEXT`")
	pageFlags(cmd, &p.Limit, &p.Cursor)
	flags.add(a, cmd)
	cmd.RunE = a.on(&flags, nil, func(ctx context.Context, api *opened, _ []string) (*answer, error) {
		list, err := api.ListDrafts(ctx, p)
		if err != nil {
			return nil, err
		}
		out := listing([]string{"DRAFT", "REVISION", "NAME", "STEPS", "ERRORS", "WARNINGS", "UPDATED", "TITLE"}, list.Advice, &flags)
		for _, d := range list.Drafts {
			out.row("draft", d, d.DraftID, strconv.FormatUint(d.Revision, 10), d.Name, strconv.Itoa(d.Steps), strconv.Itoa(d.Errors), strconv.Itoa(d.Warnings), moment(d.Updated), d.Title)
		}
		list.Advice = nil
		return out.of(list), nil
	})
	return cmd
}

// pageFlags are those of commands that show a part of a long list.
func pageFlags(cmd *cobra.Command, limit *int, cursor *string) {
	cmd.Flags().IntVar(limit, "limit", 0, "how `MANY` are shown; 50, if it is not given")
	cmd.Flags().StringVar(cursor, "cursor", "", "go on with the page behind this `CURSOR`")
}

func draftShowCommand(a *app) *cobra.Command {
	var flags draftFlags
	cmd := &cobra.Command{
		Use:   "show DRAFT",
		Short: summaryOf("drafts.show"),
		Long: `Shows a draft's plan, in the short form unless --form says otherwise, what is found in it, and which revisions it can go back to. As text,
standard output is the plan alone.`,
		Example: "  wf draft show report --store file:runs\n  wf draft show report --form written --full --store file:runs > plan.json",
		Args:    takes(1, 1, "one DRAFT"),
	}
	flags.add(a, cmd)
	cmd.RunE = a.on(&flags.storeFlags, nil, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		d, err := api.ShowDraft(ctx, &lifecycle.ShowDraft{DraftID: args[0], DraftView: flags.view})
		if err != nil {
			return nil, err
		}
		out := drafted(d, &flags.storeFlags)
		out.text = func(p *page) {
			if d.Plan != nil {
				p.plan(d.Plan)
			}
		}
		out.notes = []string{d.DraftID + ": " + standing(d)}
		if n := len(d.Undo); n > 0 {
			out.notes = append(out.notes, "it can go back to revision "+strconv.FormatUint(d.Undo[0].Revision, 10)+", as far as to "+strconv.FormatUint(d.Undo[n-1].Revision, 10))
		}
		p := &page{}
		p.omitted(d.Omitted)
		out.say(p)
		return out, nil
	})
	return cmd
}

func draftValidateCommand(a *app) *cobra.Command {
	var flags draftFlags
	cmd := &cobra.Command{
		Use:     "validate DRAFT",
		Short:   summaryOf("drafts.validate"),
		Long:    `Shows what is found in a draft, each finding with its place in the plan as it is read, and what repairs it. The exit code tells whether there are errors.`,
		Example: "  wf draft validate report --store file:runs",
		Args:    takes(1, 1, "one DRAFT"),
	}
	flags.add(a, cmd)
	cmd.RunE = a.on(&flags.storeFlags, nil, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		d, err := api.ValidateDraft(ctx, &lifecycle.ValidateDraft{DraftID: args[0], DraftView: flags.view})
		if err != nil {
			return nil, err
		}
		out := drafted(d, &flags.storeFlags)
		if d.Errors > 0 {
			out.exit = ExitDiagnostics
		}
		return out, nil
	})
	return cmd
}
