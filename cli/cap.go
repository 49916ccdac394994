package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"lda.chat/wf"
	"lda.chat/wf/source"
)

func capCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cap",
		Short: "List, show and call capabilities",
	}
	cmd.AddCommand(capListCommand(a), capShowCommand(a), capCallCommand(a))
	return cmd
}

// listedCap is a capability in a list.
type listedCap struct {
	Ref         string       `json:"ref"`
	Source      string       `json:"source"`
	Outcomes    []wf.Outcome `json:"outcomes"`
	Effect      wf.Effect    `json:"effect"`
	Description string       `json:"description,omitempty"`
}

func capListCommand(a *app) *cobra.Command {
	var configFile, only string
	cmd := &cobra.Command{
		Use:     "list",
		Short:   summaryOf("capabilities.list"),
		Example: "  wf cap list --source local.report",
		Args:    takes(0, 0, ""),
	}
	cmd.Flags().StringVar(&only, "source", "", "only those of this `SOURCE`")
	configFlag(cmd, &configFile)
	cmd.RunE = a.run(func(ctx context.Context, _ []string) (*answer, error) {
		set, err := a.sources(ctx, configFile)
		if err != nil {
			return nil, err
		}
		if only != "" && !slices.Contains(set.IDs(), only) {
			hint := nearest(only, set.IDs())
			if hint == "" {
				hint = "the sources are " + listed(set.IDs())
			}
			return nil, failed(ExitNotFound, "source_unknown", `there is no source "`+only+`"`, hint)
		}
		caps := []listedCap{}
		t := &table{head: []string{"REF", "OUTCOMES", "EFFECT", "DESCRIPTION"}}
		out := &answer{table: t, text: t.write, items: []item{}}
		for _, ref := range set.Refs() {
			fn, _ := set.Node(ref)
			if only != "" && sourceOf(ref) != only {
				continue
			}
			def := fn.Contract()
			c := listedCap{Ref: ref, Source: sourceOf(ref), Outcomes: outcomesOf(def), Effect: def.Effect, Description: def.Description}
			caps = append(caps, c)
			t.rows = append(t.rows, []string{ref, joined(c.Outcomes), string(c.Effect), c.Description})
			out.items = append(out.items, item{"capability", c})
		}
		out.result = map[string]any{"capabilities": caps}
		if len(caps) == 0 {
			out.notes = []string{"no source has a capability; a configuration names sources: --config"}
			out.text, out.table = nil, nil
		}
		return out, nil
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
	var configFile string
	cmd := &cobra.Command{
		Use:   "show REF",
		Short: "Show the contract of a capability",
		Args:  takes(1, 1, "one REF"),
	}
	configFlag(cmd, &configFile)
	cmd.RunE = a.run(func(ctx context.Context, args []string) (*answer, error) {
		set, err := a.sources(ctx, configFile)
		if err != nil {
			return nil, err
		}
		fn, err := findCap(set, args[0], configFile)
		if err != nil {
			return nil, err
		}
		def := fn.Contract()
		return &answer{result: def, text: func(p *page) { p.contract(def) }}, nil
	})
	return cmd
}

// findCap finds a capability, or fails with what it was probably meant to be.
func findCap(set *source.Set, ref, configFile string) (*wf.Func, error) {
	fn, ok := set.Node(ref)
	if ok {
		return fn, nil
	}
	hint := nearest(ref, set.Refs())
	if hint == "" {
		hint = "the sources are " + listed(set.IDs())
	}
	f := failed(ExitNotFound, wf.CodeCapabilityMissing, `no source has the capability "`+ref+`"`, hint)
	f.next = []nextAction{{Method: "capabilities.list", CLI: "wf cap list" + configWords(configFile), Params: map[string]any{},
		Reason: "which capabilities there are", Kind: "inspect"}}
	return nil, f
}

func (p *page) contract(def *wf.NodeDef) {
	p.line(p.bold(def.Name))
	if def.Description != "" {
		p.line(def.Description)
	}
	p.line()
	p.line("outcomes:", joined(outcomesOf(def)))
	p.line("effect:  ", string(def.Effect))
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

// sourceOf is the id of the source of a ref.
func sourceOf(ref string) string { return ref[:strings.LastIndexByte(ref, '.')] }
