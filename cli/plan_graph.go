package cli

import (
	"context"

	"github.com/spf13/cobra"
)

// The languages of diagrams.
const (
	asMermaid = "mermaid"
	asDOT     = "dot"
)

func planGraphCommand(a *app) *cobra.Command {
	as := asMermaid
	languages := []string{asMermaid, asDOT}
	cmd := &cobra.Command{
		Use:   "graph PLAN",
		Short: "Draw a plan",
		Long: `Writes a diagram of a plan, in the language of Mermaid or of Graphviz (dot). Regions are drawn around their steps. A plan
needs to be readable, not valid.`,
		Example: "  wf plan graph plan.json\n  wf plan graph plan.json --as dot | dot -Tsvg > plan.svg",
		Args:    takes(1, 1, "one PLAN"),
	}
	cmd.Flags().Var(choice{&as, languages}, "as", "the language of the diagram")
	cmd.RunE = a.run(func(ctx context.Context, args []string) (*answer, error) {
		plan, err := a.readPlan(ctx, args[0])
		if err != nil {
			return nil, err
		}
		if plan.workflow == nil {
			return nil, invalid(plan.diags, plan.repair("")...)
		}
		text := plan.workflow.Mermaid()
		if as == asDOT {
			text = plan.workflow.DOT()
		}
		return &answer{
			result: map[string]string{"plan": plan.name, "as": as, "graph": text}, diags: plan.diags,
			text: func(p *page) { p.WriteString(text) },
		}, nil
	})
	return cmd
}
