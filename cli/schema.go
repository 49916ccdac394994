package cli

import (
	"cmp"
	"context"
	"strings"

	"github.com/spf13/cobra"

	"lda.chat/wf"
	"lda.chat/wf/internal/value"
)

func schemaCommand(a *app) *cobra.Command {
	var verbose bool
	cmd := &cobra.Command{
		Use:   "schema [TYPE]",
		Short: summaryOf("schemas.get"),
		Long: `Lists every shape that an author writes, with a valid example each; with a TYPE only that one. --verbose adds the JSON
Schema, and the example as it is saved. A kind of step may be named by its type alone: foreach is foreach_step. "reducer"
lists the standard reducers.`,
		Example: "  wf schema\n  wf schema foreach\n  wf schema condition --verbose\n  wf schema workflow --verbose --format json",
		Args:    takes(0, 1, "one TYPE"),
	}
	cmd.Flags().BoolVar(&verbose, "verbose", false, "with the JSON Schema and the canonical form")
	cmd.RunE = a.run(func(_ context.Context, args []string) (*answer, error) {
		if len(args) == 0 {
			return allShapes(verbose), nil
		}
		s, ok := shapeNamed(args[0])
		if !ok {
			return nil, failed(ExitNotFound, codeShapeUnknown, `there is no type "`+args[0]+`"`, shapeHint(args[0]))
		}
		s = s.trimmed(verbose)
		return &answer{result: s, text: func(p *page) { p.shape(s) }, table: reducerTable(s.Reducers)}, nil
	})
	return cmd
}

func (s shapeInfo) trimmed(verbose bool) shapeInfo {
	if !verbose && s.Example != nil {
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
	if s.Example != nil {
		p.json(s.Example)
	}
	if t := reducerTable(s.Reducers); t != nil {
		p.line()
		t.write(p)
	}
	if s.Canonical != nil {
		p.line()
		p.line(p.bold("as it is saved"))
		p.json(s.Canonical)
	}
	if s.Schema != nil {
		p.line()
		p.line(p.bold("schema"))
		p.json(s.Schema)
	}
}

// reducerTable shows reducers; nil if there are none.
func reducerTable(reducers []wf.ReducerSpec) *table {
	if reducers == nil {
		return nil
	}
	t := &table{head: []string{"REDUCER", "FIELD", "PARALLEL", "WHAT"}}
	for _, r := range reducers {
		parallel := "no"
		if r.Concurrent {
			parallel = "yes"
		}
		t.rows = append(t.rows, []string{r.Name, fieldType(r.ValueSchema), parallel, r.Description})
	}
	return t
}

// fieldType says what a field with a reducer holds.
func fieldType(s wf.Schema) string {
	schema, _ := value.Parse(s)
	kinds := schema.Get("type")
	if word, ok := kinds.AsString(); ok {
		return word
	}
	var words []string
	for _, kind := range kinds.Items() {
		word, _ := kind.AsString()
		words = append(words, word)
	}
	return cmp.Or(strings.Join(words, " or "), "anything")
}
