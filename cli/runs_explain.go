package cli

import (
	"context"

	"github.com/spf13/cobra"

	"lda.chat/wf/lifecycle"
)

func runExplainCommand(a *app) *cobra.Command {
	var flags storeFlags
	cmd := &cobra.Command{
		Use:   "explain RUN",
		Short: summaryOf("runs.explain"),
		Long: `Explains why a run failed: the step, its input, where that breaks a schema, who wrote last what it was made of, and what may repair
it. Of a run that waits it shows for what.`,
		Example: "  wf run explain run_1 --store file:runs",
		Args:    takes(1, 1, "one RUN"),
	}
	flags.add(a, cmd)
	cmd.RunE = a.on(&flags, nil, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		x, err := api.ExplainRun(ctx, &lifecycle.ExplainRun{RunID: args[0]})
		if err != nil {
			return nil, err
		}
		out := &answer{result: x, next: nextOf(x.Advice.NextActions, &flags), text: func(p *page) { p.explanation(x) }}
		out.warn(x.Advice)
		x.Advice = nil
		return out, nil
	})
	return cmd
}

// explanation tells people why a run failed.
func (p *page) explanation(x *lifecycle.Explanation) {
	p.line(visible(x.Summary))
	for _, v := range x.Violations {
		p.line("  at " + orWhole(v.Path) + ": " + visible(v.Message))
	}
	if x.Place != "" {
		p.line("  step: " + x.Place + " of the plan" + ofNode(x.Node))
	}
	if len(x.Input) > 0 {
		p.WriteString("  input: ")
		p.json1([]byte(visible(string(x.Input))))
	}
	for _, r := range x.Reads {
		line := "  it read " + r.Path + ", which nobody had written"
		if c := r.Changed; c != nil {
			line = "  it read " + r.Path + ", written last by " + c.Step + " (" + c.Op + " " + c.Path + ")"
		}
		p.line(visible(line))
	}
	for _, t := range x.Retries {
		p.line("  tried before: " + visible(t.Error.Message))
	}
	if x.RepairHint != "" {
		p.line("  hint: " + visible(x.RepairHint))
	}
	writeInterrupts(p, x.Interrupts)
	writeDoubts(p, x.Doubts)
	if x.Meaning != "" {
		p.line()
		p.line(wrapped(x.Meaning, 100))
	}
}

func orWhole(pointer string) string {
	if pointer == "" {
		return "(the whole)"
	}
	return pointer
}

func ofNode(node string) string {
	if node == "" {
		return ""
	}
	return ", which calls " + node
}
