package cli

import (
	"context"
	"encoding/json"

	"github.com/spf13/cobra"

	"lda.chat/wf"
)

// shapeInfo is a shape as `wf schema` shows it.
type shapeInfo struct {
	Name      string          `json:"name"`
	Doc       string          `json:"doc"`
	Example   json.RawMessage `json:"example"`             // in the form that authors write
	Canonical json.RawMessage `json:"canonical,omitempty"` // the same as it is saved; --verbose
	Schema    json.RawMessage `json:"schema,omitempty"`    // of the canonical form; --verbose
}

func schemaCommand(a *app) *cobra.Command {
	var verbose bool
	cmd := &cobra.Command{
		Use:   "schema [TYPE]",
		Short: "Show every shape that an author writes, with an example each",
		Long: `Lists every shape that an author writes, with a valid example each; with a TYPE only that one. --verbose adds the JSON
Schema, and the example as it is saved.`,
		Example: "  wf schema\n  wf schema condition --verbose\n  wf schema workflow --verbose --format json",
		Args:    takes(0, 1, "one TYPE"),
		ValidArgsFunction: func(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
			return beginning(begun, args, shapeNames()), cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.Flags().BoolVar(&verbose, "verbose", false, "with the JSON Schema and the canonical form")
	cmd.RunE = a.run(func(_ context.Context, args []string) (*answer, error) {
		if len(args) == 0 {
			return allShapes(verbose), nil
		}
		for _, s := range shapes() {
			if s.Name == args[0] {
				s = s.trimmed(verbose)
				return &answer{result: s, text: func(p *page) { p.shape(s) }}, nil
			}
		}
		hint := nearest(args[0], shapeNames())
		if hint == "" {
			hint = "the types are " + listed(shapeNames())
		}
		return nil, failed(ExitNotFound, codeShapeUnknown, `there is no type "`+args[0]+`"`, hint)
	})
	return cmd
}

// shapes are those of plans and the configuration.
func shapes() []shapeInfo {
	var all []shapeInfo
	for _, s := range wf.Shapes() {
		all = append(all, shapeInfo{Name: s.Name, Doc: s.Doc, Example: s.Short, Canonical: s.Example, Schema: s.Schema})
	}
	return append(all, shapeInfo{
		Name: "config", Doc: "The file " + configName + ": which sources a command has at hand.",
		Example: json.RawMessage(configExample), Canonical: json.RawMessage(configExample), Schema: configSchema,
	})
}

func shapeNames() []string {
	var names []string
	for _, s := range shapes() {
		names = append(names, s.Name)
	}
	return names
}

func (s shapeInfo) trimmed(verbose bool) shapeInfo {
	if !verbose {
		s.Canonical, s.Schema = nil, nil
	}
	return s
}

func allShapes(verbose bool) *answer {
	all := []shapeInfo{}
	t := &table{head: []string{"TYPE", "WHAT"}}
	out := &answer{table: t}
	for _, s := range shapes() {
		s = s.trimmed(verbose)
		all = append(all, s)
		t.rows = append(t.rows, []string{s.Name, s.Doc})
		out.items = append(out.items, item{"shape", s})
	}
	out.result = map[string]any{"shapes": all}
	out.text = func(p *page) {
		for i, s := range all {
			if i > 0 {
				p.line()
			}
			if verbose {
				p.shape(s)
				continue
			}
			p.line(p.bold(s.Name) + ": " + s.Doc)
			p.json1(s.Example)
		}
	}
	return out
}

func (p *page) shape(s shapeInfo) {
	p.line(p.bold(s.Name))
	p.line(wrapped(s.Doc, 100))
	p.json(s.Example)
	if s.Schema != nil {
		p.line()
		p.line(p.bold("as it is saved"))
		p.json(s.Canonical)
		p.line()
		p.line(p.bold("schema"))
		p.json(s.Schema)
	}
}
