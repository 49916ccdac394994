package cli

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
)

func capCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cap",
		Short: "List, show and call capabilities",
	}
	cmd.AddCommand(capListCommand(a), capShowCommand(a), capCallCommand(a))
	return cmd
}

// catalogFlags are the flags of a command on capabilities: the sources, and the saved workflows of the store if there is one.
func catalogFlags(a *app, cmd *cobra.Command) *storeFlags {
	flags := &storeFlags{optional: true}
	flags.add(a, cmd)
	return flags
}

// onCatalog is on for such a command. Why a store could not be looked at is told as a warning.
func (a *app) onCatalog(flags *storeFlags, timeout *time.Duration, do onStore) func(*cobra.Command, []string) error {
	return a.on(flags, timeout, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		out, err := do(ctx, api, args)
		if err == nil {
			out.diags = append(out.diags, api.lacking...)
			return out, nil
		}
		f := failureOf(a.failure(err, flags))
		f.diags = append(f.diags, api.lacking...)
		return nil, f
	})
}

func capListCommand(a *app) *cobra.Command {
	p := &lifecycle.ListCapabilities{}
	cmd := &cobra.Command{
		Use:   "list",
		Short: summaryOf("capabilities.list"),
		Long: `Lists what steps can call: the capabilities of the sources, and the saved workflows of the store, of each its latest version, NAME@VERSION.
A step runs a saved workflow where it would call a capability.`,
		Example: "  wf cap list --source local.report\n  wf cap list --text notes --limit 10",
		Args:    takes(0, 0, ""),
	}
	cmd.Flags().StringVar(&p.Source, "source", "", "only those of this `SOURCE`, and so no saved workflows")
	cmd.Flags().StringVar(&p.Text, "text", "", "only those with this `TEXT` in their ref, title or description, or in the name of a field that they take or return")
	pageFlags(cmd, &p.Limit, &p.Cursor)
	flags := catalogFlags(a, cmd)
	cmd.RunE = a.onCatalog(flags, nil, func(ctx context.Context, api *opened, _ []string) (*answer, error) {
		list, err := api.ListCapabilities(ctx, p)
		if err != nil {
			return nil, err
		}
		out := listing([]string{"CAPABILITY", "OUTCOMES", "EFFECT", "DESCRIPTION"}, list.Advice, flags)
		for _, c := range list.Capabilities {
			effect, text := string(c.Effect), c.Description
			if c.Workflow {
				effect = "(workflow)"
			}
			if c.Title != "" {
				text = c.Title
			}
			out.row("capability", c, c.Capability, joined(c.Outcomes), effect, text)
		}
		list.Advice = nil
		return out.of(list), nil
	})
	return cmd
}

// outcomesOf are a contract's outcomes, the default one included.
func outcomesOf(def *wf.NodeDef) []wf.Outcome {
	if len(def.Outcomes) == 0 {
		return []wf.Outcome{wf.OK}
	}
	return def.Outcomes
}

func joined(outcomes []wf.Outcome) string {
	words := make([]string, len(outcomes))
	for i, o := range outcomes {
		words[i] = string(o)
	}
	return strings.Join(words, ", ")
}

func capShowCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "show REF",
		Short:   summaryOf("capabilities.show"),
		Long:    "Shows what a capability takes and gives. Of a saved workflow, NAME is the latest version and NAME@VERSION that one.",
		Example: "  wf cap show local.report.extract_report\n  wf cap show report_case_study@1 --store file:runs",
		Args:    takes(1, 1, "one REF"),
	}
	flags := catalogFlags(a, cmd)
	cmd.RunE = a.onCatalog(flags, nil, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		c, err := api.ShowCapability(ctx, &lifecycle.ShowCapability{Capability: args[0]})
		if err != nil {
			return nil, err
		}
		out := &answer{result: c, next: nextOf(c.Advice.NextActions, flags), notes: []string{c.Capability + ": " + c.Advice.Reason}}
		out.text = func(p *page) { p.contract(c) }
		c.Advice = nil
		return out, nil
	})
	return cmd
}

func (p *page) contract(c *lifecycle.ShownCapability) {
	def := c.Contract
	p.line(p.bold(c.Capability))
	for _, text := range []string{c.Title, def.Description} {
		if text != "" {
			p.line(text)
		}
	}
	p.line()
	p.line("outcomes:", joined(outcomesOf(def)))
	if c.Workflow {
		p.line("kind:     a saved workflow, which a step runs")
	} else {
		p.line("effect:  ", string(def.Effect))
	}
	p.line()
	p.line(p.bold("input"))
	p.schema(def.InputSchema)
	p.line(p.bold("output"))
	p.schema(def.OutputSchema)
}

func (p *page) schema(s wf.Schema) {
	if len(s) == 0 {
		p.line("anything")
		return
	}
	p.json(s)
}
