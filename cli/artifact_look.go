package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"lda.chat/wf/lifecycle"
	"lda.chat/wf/lifecycle/plandiff"
	"lda.chat/wf/source"
)

func artifactListCommand(a *app) *cobra.Command {
	var flags storeFlags
	p := &lifecycle.ListArtifacts{}
	cmd := &cobra.Command{
		Use:     "list",
		Short:   summaryOf("artifacts.list"),
		Example: "  wf artifact list --name report_case_study --store file:runs",
		Args:    takes(0, 0, ""),
	}
	cmd.Flags().StringVar(&p.Name, "name", "", "only versions of the artifact with this `NAME`")
	cmd.Flags().StringVar(&p.Prefix, "prefix", "", "only artifacts whose names begin with this `TEXT`")
	pageFlags(cmd, &p.Limit, &p.Cursor)
	flags.add(a, cmd)
	cmd.RunE = a.on(&flags, nil, func(ctx context.Context, api *opened, _ []string) (*answer, error) {
		list, err := api.ListArtifacts(ctx, p)
		if err != nil {
			return nil, err
		}
		out := listing([]string{"ARTIFACT", "OUTCOMES", "SOURCES", "CREATED", "TITLE"}, list.Advice, &flags)
		for _, r := range list.Artifacts {
			out.row("artifact", r, r.Artifact, joined(r.Outcomes), strings.Join(r.Sources, ", "), moment(r.Created), r.Title)
		}
		list.Advice = nil
		return out.of(list), nil
	})
	return cmd
}

func artifactShowCommand(a *app) *cobra.Command {
	var flags storeFlags
	p := &lifecycle.ShowArtifact{}
	cmd := &cobra.Command{
		Use:   "show ARTIFACT",
		Short: summaryOf("artifacts.show"),
		Long: `Shows what an artifact is and needs: its outcomes, the sources that a deployment binds, the capabilities that it calls with their contracts
as they were when it was saved, the saved workflows that it runs, and its plan.`,
		Example: "  wf artifact show report_case_study@1 --store file:runs",
		Args:    takes(1, 1, "one ARTIFACT, NAME@VERSION"),
	}
	artifactFlags(a, cmd, &p.ArtifactView)
	flags.add(a, cmd)
	cmd.RunE = a.on(&flags, nil, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		p.Artifact = args[0]
		r, err := api.ShowArtifact(ctx, p)
		if err != nil {
			return nil, err
		}
		return saved(r, &flags), nil
	})
	return cmd
}

func artifactDiffCommand(a *app) *cobra.Command {
	var flags storeFlags
	p := &lifecycle.DiffArtifacts{}
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: summaryOf("artifacts.diff"),
		Long: `Compares two artifacts by what they mean: steps, routes, schemas, outcomes, the contracts of what they call, the saved workflows that they
run. A difference is breaking if those who start the workflow can no longer rely on what they did.`,
		Example: "  wf artifact diff report_case_study@1 report_case_study@2 --store file:runs",
		Args:    takes(2, 2, "two ARTIFACTS, each NAME@VERSION"),
	}
	cmd.Flags().BoolVar(&p.Full, "full", false, "show all differences")
	flags.add(a, cmd)
	cmd.RunE = a.on(&flags, nil, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		p.Old, p.New = args[0], args[1]
		d, err := api.DiffArtifacts(ctx, p)
		if err != nil {
			return nil, err
		}
		t := &table{head: []string{"KIND", "WHAT", "BREAKING", "DIFFERENCE"}}
		out := &answer{result: d, notes: []string{d.Advice.Reason}, items: []item{}, next: nextOf(d.Advice.NextActions, &flags)}
		breaking := map[bool]string{true: "breaking"}
		for _, c := range d.Plan.Changes {
			t.rows = append(t.rows, []string{string(c.Kind), subjectOf(&c), breaking[c.Breaking], c.Message})
			out.items = append(out.items, item{"change", c})
		}
		for _, c := range d.Contracts {
			for _, x := range c.Differences {
				t.rows = append(t.rows, []string{string(x.Kind), "contract of " + c.Ref, breaking[x.Verdict == source.VerdictBreaking], x.Message})
			}
			out.items = append(out.items, item{"contract", c})
		}
		for _, c := range d.Children {
			t.rows = append(t.rows, []string{c.Kind, "workflow", "", fmt.Sprintf("%s is %s", c.Artifact, c.Kind)})
			out.items = append(out.items, item{"child", c})
		}
		if len(t.rows) > 0 {
			out.table, out.text = t, t.write
		}
		note := &page{}
		note.omitted(d.Omitted)
		out.say(note)
		d.Advice = nil
		return out, nil
	})
	return cmd
}

// subjectOf says what of a plan is different: "route greet ok in price".
func subjectOf(c *plandiff.Change) string {
	text := c.Subject
	for _, part := range []string{c.Name, c.Member} {
		if part != "" {
			text += " " + part
		}
	}
	if c.Workflow != "" {
		text += " in " + c.Workflow
	}
	return text
}

func artifactGraphCommand(a *app) *cobra.Command {
	var flags storeFlags
	as := asMermaid
	languages := []string{asMermaid, asDOT}
	cmd := &cobra.Command{
		Use:     "graph ARTIFACT",
		Short:   summaryOf("artifacts.graph"),
		Long:    `Writes a diagram of an artifact, in the language of Mermaid or of Graphviz (dot).`,
		Example: "  wf artifact graph report_case_study@1 --as dot --store file:runs | dot -Tsvg > report.svg",
		Args:    takes(1, 1, "one ARTIFACT, NAME@VERSION"),
	}
	cmd.Flags().Var(choice{&as, languages}, "as", "the language of the diagram")
	flags.add(a, cmd)
	cmd.RunE = a.on(&flags, nil, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		g, err := api.GraphArtifact(ctx, &lifecycle.GraphArtifact{Artifact: args[0], As: as})
		if err != nil {
			return nil, err
		}
		out := &answer{result: g, next: nextOf(g.Advice.NextActions, &flags), text: func(p *page) { p.WriteString(g.Text) }}
		g.Advice = nil
		return out, nil
	})
	return cmd
}
