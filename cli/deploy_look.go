package cli

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"lda.chat/wf/lifecycle"
)

func deployListCommand(a *app) *cobra.Command {
	var flags storeFlags
	var enabled bool
	p := &lifecycle.ListDeployments{}
	cmd := &cobra.Command{
		Use:     "list",
		Short:   summaryOf("deployments.list"),
		Example: "  wf deploy list --artifact report_case_study --store file:runs",
		Args:    takes(0, 0, ""),
	}
	cmd.Flags().StringVar(&p.Prefix, "prefix", "", "only deployments whose ids begin with this `TEXT`")
	cmd.Flags().StringVar(&p.Artifact, "artifact", "", "only deployments of this `ARTIFACT`, NAME@VERSION, or of all versions of a name")
	cmd.Flags().BoolVar(&enabled, "enabled", true, "only those that are enabled; with --enabled=false, only those that are not")
	pageFlags(cmd, &p.Limit, &p.Cursor)
	flags.add(a, cmd)
	cmd.RunE = a.on(&flags, nil, func(ctx context.Context, api *opened, _ []string) (*answer, error) {
		if cmd.Flags().Changed("enabled") {
			p.Enabled = &enabled
		}
		list, err := api.ListDeployments(ctx, p)
		if err != nil {
			return nil, err
		}
		out := listing([]string{"DEPLOYMENT", "REVISION", "ARTIFACT", "STATE", "UPDATED"}, list.Advice, &flags)
		for _, d := range list.Deployments {
			out.row("deployment", d, d.Deployment, strconv.FormatUint(d.Revision, 10), d.Artifact, enabledWord(d.Enabled), moment(d.Updated))
		}
		list.Advice = nil
		return out.of(list), nil
	})
	return cmd
}

// aDeployment makes the command of an operation that looks at a deployment.
func aDeployment(a *app, method, word, long, example string, look func(ctx context.Context, api *opened, id string, flags *storeFlags) (*answer, error)) *cobra.Command {
	var flags storeFlags
	cmd := &cobra.Command{
		Use:     word + " DEPLOYMENT",
		Short:   summaryOf(method),
		Long:    long,
		Example: example,
		Args:    takes(1, 1, "one DEPLOYMENT"),
	}
	flags.add(a, cmd)
	cmd.RunE = a.on(&flags, nil, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		return look(ctx, api, args[0], &flags)
	})
	return cmd
}

func deployShowCommand(a *app) *cobra.Command {
	return aDeployment(a, "deployments.show", "show", `Shows which artifact a deployment runs, with which sources and policies, and what keeps it from running.`,
		"  wf deploy show report_case_study.default --store file:runs", func(ctx context.Context, api *opened, id string, flags *storeFlags) (*answer, error) {
			d, err := api.ShowDeployment(ctx, &lifecycle.ShowDeployment{Deployment: id})
			if err != nil {
				return nil, err
			}
			return deployed(d, flags), nil
		})
}

func deployValidateCommand(a *app) *cobra.Command {
	return aDeployment(a, "deployments.validate", "validate", `Checks a deployment against the sources as they are now: whether each is bound and has what the artifact needs, as its contract was when
the artifact was saved. The exit code tells whether something keeps it from running.`,
		"  wf deploy validate report_case_study.default --store file:runs", func(ctx context.Context, api *opened, id string, flags *storeFlags) (*answer, error) {
			d, err := api.ValidateDeployment(ctx, &lifecycle.ValidateDeployment{Deployment: id})
			if err != nil {
				return nil, err
			}
			out := deployed(d, flags)
			if !d.Valid {
				out.exit = ExitDiagnostics
			}
			return out, nil
		})
}

// previewResult is a preview without what stands elsewhere in the envelope.
type previewResult struct {
	*lifecycle.DeploymentPreview
	Diagnostics *struct{} `json:"diagnostics,omitempty"`
	Advice      *struct{} `json:"advice,omitempty"`
}

func deployPreviewCommand(a *app) *cobra.Command {
	return aDeployment(a, "deployments.preview", "preview", `Shows what a run of a deployment may do, before anybody lets it: how many calls of which sources at least and at most, what cannot be undone,
secrets, questions and waits; and what keeps it from running.`,
		"  wf deploy preview report_case_study.default --store file:runs", func(ctx context.Context, api *opened, id string, flags *storeFlags) (*answer, error) {
			d, err := api.PreviewDeployment(ctx, &lifecycle.PreviewDeployment{Deployment: id})
			if err != nil {
				return nil, err
			}
			return &answer{result: previewResult{DeploymentPreview: d}, diags: d.Diagnostics, next: nextOf(d.Advice.NextActions, flags), notes: []string{d.Deployment + ": " + d.Advice.Reason},
				text: func(p *page) { p.WriteString(d.Text) }}, nil
		})
}
