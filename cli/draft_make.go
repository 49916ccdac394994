package cli

import (
	"context"

	"github.com/spf13/cobra"

	"lda.chat/wf/lifecycle"
)

func draftCreateCommand(a *app) *cobra.Command {
	var flags draftFlags
	var planName string
	p := &lifecycle.CreateDraft{}
	cmd := &cobra.Command{
		Use:   "create DRAFT",
		Short: summaryOf("drafts.create"),
		Long: `Begins a draft: an empty one, or one with a step that calls a capability, or with a plan, which may be unfinished or broken, or with the
plan of an artifact, or of the one that a deployment runs.`,
		Example: "  wf draft create report --capability local.report.read_notes --title 'Report' --store file:runs\n  wf draft create mail --plan plan.json --store file:runs",
		Args:    takes(1, 1, "one DRAFT"),
	}
	cmd.Flags().StringVar(&p.Name, "name", "", "the plan's `NAME`; without it that of the plan, or the draft's id")
	cmd.Flags().StringVar(&p.Title, "title", "", "a line for people, which the artifact gets")
	cmd.Flags().StringVar(&p.Capability, "capability", "", "begin with a step that calls the capability `REF`, or runs the saved workflow of that NAME@VERSION (NAME: the latest); what it needs is bound to the workflow's input")
	cmd.Flags().StringVar(&p.Step, "step", "", "with --capability, the `ID` of the step; call, if it is not given")
	cmd.Flags().StringVar(&planName, "plan", "", "begin with the plan in this `FILE`; \"-\" is standard input")
	cmd.Flags().StringVar(&p.Artifact, "artifact", "", "begin with the plan of this artifact, `NAME@VERSION`")
	cmd.Flags().StringVar(&p.Deployment, "deployment", "", "begin with the plan of the artifact that this `DEPLOYMENT` runs, which the new version is for")
	cmd.Flags().StringArrayVar(&p.Sources, "source", nil, "the plan may call this `SOURCE`; may be given several times, and without it the plan may call all")
	flags.add(a, cmd)
	cmd.RunE = a.on(&flags.storeFlags, nil, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		p.DraftID, p.DraftView = args[0], flags.view
		if cmd.Flags().Changed("plan") {
			if err := stdinOnce(planName, flags.config); err != nil {
				return nil, err
			}
			plan, err := a.readJSON(ctx, planName, "the plan")
			if err != nil {
				return nil, err
			}
			p.Plan = plan
		}
		d, err := api.CreateDraft(ctx, p)
		if err != nil {
			return nil, err
		}
		return drafted(d, &flags.storeFlags), nil
	})
	return cmd
}

func draftSaveCommand(a *app) *cobra.Command {
	var flags storeFlags
	p := &lifecycle.SaveDraft{}
	cmd := &cobra.Command{
		Use:   "save DRAFT",
		Short: summaryOf("drafts.save"),
		Long: `Makes an artifact of a draft without errors, for good. The draft stays. Saving the same again gives what is there; another plan under a
version that is there is refused.`,
		Example: "  wf draft save report --revision 10 --artifact report_case_study --version 1 --store file:runs",
		Args:    takes(1, 1, "one DRAFT"),
	}
	cmd.Flags().StringVar(&p.Artifact, "artifact", "", "the artifact's `NAME`; without it that of the artifact that the draft began with, or the plan's")
	saveFlags(a, cmd, &p.Version, &p.Title, &p.ArtifactView)
	revisionFlag(cmd, &p.Revision)
	flags.add(a, cmd)
	cmd.RunE = a.on(&flags, nil, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		p.DraftID = args[0]
		saved, err := api.SaveDraft(ctx, p)
		if err != nil {
			return nil, err
		}
		return kept(saved, &flags), nil
	})
	return cmd
}

func draftDeleteCommand(a *app) *cobra.Command {
	var flags storeFlags
	var yes bool
	p := &lifecycle.DeleteDraft{}
	cmd := &cobra.Command{
		Use:     "delete DRAFT",
		Short:   summaryOf("drafts.delete"),
		Long:    `Deletes a draft, with the plans that it keeps to undo. Artifacts that were made of it stay.`,
		Example: "  wf draft delete report --yes --store file:runs",
		Args:    takes(1, 1, "one DRAFT"),
	}
	revisionFlag(cmd, &p.Revision)
	flags.add(a, cmd)
	cmd.Flags().BoolVar(&yes, "yes", false, "do it: what is deleted is gone")
	cmd.RunE = a.on(&flags, nil, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		if err := a.confirmed(ctx, yes, "deleting a draft"); err != nil {
			return nil, err
		}
		p.DraftID = args[0]
		gone, err := api.DeleteDraft(ctx, p)
		if err != nil {
			return nil, err
		}
		next := nextOf(gone.Advice.NextActions, &flags)
		gone.Advice = nil
		return &answer{result: gone, next: next, notes: []string{gone.DraftID + " is deleted"}}, nil
	})
	return cmd
}
