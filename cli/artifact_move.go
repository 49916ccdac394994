package cli

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"lda.chat/wf/lifecycle"
)

func artifactCreateCommand(a *app) *cobra.Command {
	var flags storeFlags
	p := &lifecycle.CreateArtifact{}
	cmd := &cobra.Command{
		Use:   "create-from-plan PLAN",
		Short: summaryOf("artifacts.create_from_plan"),
		Long: `Makes an artifact of a file with a plan, for good, without a draft. Mistakes are found at their places in the file. Saving the same again
gives what is there; another plan under a version that is there is refused.`,
		Example: "  wf artifact create-from-plan workflow.plan.json --artifact report_case_study --version 1 --store file:runs",
		Args:    takes(1, 1, "one PLAN"),
	}
	cmd.Flags().StringVar(&p.Artifact, "artifact", "", "the artifact's `NAME`; the plan's, if it is not given")
	saveFlags(a, cmd, &p.Version, &p.Title, &p.ArtifactView)
	flags.add(a, cmd)
	cmd.RunE = a.on(&flags, nil, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		if err := stdinOnce(args[0], flags.config); err != nil {
			return nil, err
		}
		text, err := a.read(ctx, args[0], "the plan")
		if err != nil {
			return nil, err
		}
		plan := parsePlan(args[0], text)
		if plan.doc == nil {
			return nil, invalid(plan.diags, plan.repair(flags.config)...)
		}
		p.Plan = text
		r, err := api.CreateArtifact(ctx, p)
		if e, ok := errors.AsType[*lifecycle.Error](err); ok && e.Kind == lifecycle.Invalid {
			plan.diags = nil
			plan.check(e.Diagnostics)
			return nil, invalid(plan.diags, plan.repair(flags.config)...)
		}
		if err != nil {
			return nil, err
		}
		plan.diags = nil
		plan.check(r.Diagnostics)
		out := kept(r, &flags)
		out.diags = plan.diags
		return out, nil
	})
	return cmd
}

func artifactExportCommand(a *app) *cobra.Command {
	var flags storeFlags
	cmd := &cobra.Command{
		Use:   "export ARTIFACT",
		Short: summaryOf("artifacts.export"),
		Long: `Writes an artifact, with the saved workflows that it runs, as one file for another store: "wf artifact import". As text, standard output is
that file.`,
		Example: "  wf artifact export report_case_study@1 --store file:runs > report.artifact.json",
		Args:    takes(1, 1, "one ARTIFACT, NAME@VERSION"),
	}
	flags.add(a, cmd)
	cmd.RunE = a.on(&flags, nil, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		x, err := api.ExportArtifact(ctx, &lifecycle.ExportArtifact{Artifact: args[0]})
		if err != nil {
			return nil, err
		}
		file, err := encode(x.File, "  ")
		if err != nil {
			return nil, err
		}
		out := &answer{result: x, notes: []string{x.Advice.Reason}, next: nextOf(x.Advice.NextActions, &flags), text: func(p *page) { p.Write(file) }}
		x.Advice = nil
		return out, nil
	})
	return cmd
}

func artifactImportCommand(a *app) *cobra.Command {
	var flags storeFlags
	var view lifecycle.ArtifactView
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: summaryOf("artifacts.import"),
		Long: `Takes the artifacts of a file that "wf artifact export" wrote, and checks that nobody has changed them. What they call need not be here.
Those before one that is refused stay.`,
		Example: "  wf artifact import report.artifact.json --store file:runs",
		Args:    takes(1, 1, "one FILE"),
	}
	artifactFlags(a, cmd, &view)
	flags.add(a, cmd)
	cmd.RunE = a.on(&flags, nil, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		if err := stdinOnce(args[0], flags.config); err != nil {
			return nil, err
		}
		text, err := a.readJSON(ctx, args[0], "the artifacts")
		if err != nil {
			return nil, err
		}
		params, err := json.Marshal(struct {
			File json.RawMessage `json:"file"`
			lifecycle.ArtifactView
		}{text, view})
		if err != nil {
			return nil, err
		}
		r, err := lifecycle.Call(ctx, api, "artifacts.import", params) // which reads the file strictly
		if err != nil {
			return nil, fileRefused(err, displayName(args[0]))
		}
		return kept(r.(*lifecycle.Artifact), &flags), nil
	})
	return cmd
}

// fileRefused gives what is wrong with a file of artifacts its place in it.
func fileRefused(err error, name string) error {
	e, ok := errors.AsType[*lifecycle.Error](err)
	if !ok || e.Kind != lifecycle.BadRequest {
		return err
	}
	e.Kind = lifecycle.Invalid
	for i := range e.Diagnostics {
		d := &e.Diagnostics[i]
		d.Doc, d.Path, d.Message = name, strings.TrimPrefix(d.Path, "/file"), strings.TrimPrefix(d.Message, "artifacts.import: ")
		if d.RepairHint == "" {
			d.RepairHint = `give a file that "wf artifact export" wrote, as it is`
		}
	}
	return e
}
