package cli

import (
	"context"

	"github.com/spf13/cobra"

	"lda.chat/wf"
)

func explainCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "explain [CODE]",
		Short:   "Explain a code of a diagnostic or a failure; without one, list all",
		Example: "  wf explain node_unknown",
		Args:    takes(0, 1, "one CODE"),
		RunE: a.run(func(_ context.Context, args []string) (*answer, error) {
			if len(args) == 0 {
				return allCodes(), nil
			}
			c, known := lookup(args[0])
			if !known {
				hint := nearest(args[0], codeNames())
				if hint == "" {
					hint = `"wf explain" lists all codes`
				}
				return nil, failed(ExitNotFound, codeCodeUnknown, `there is no code "`+args[0]+`"`, hint)
			}
			return &answer{result: c, text: func(p *page) { p.code(c) }}, nil
		}),
	}
}

func codeNames() []string {
	var names []string
	for _, c := range codes() {
		names = append(names, string(c.Code))
	}
	return names
}

func allCodes() *answer {
	all := codes()
	t := &table{head: []string{"CODE", "SEVERITY", "TITLE"}}
	titles := map[string]string{}
	out := &answer{result: map[string]any{"codes": all}, table: t, text: t.write,
		brief: map[string]any{"codes": titles}, left: []string{"/result/codes: all but code and title"}}
	for _, c := range all {
		titles[string(c.Code)] = c.Title
		t.rows = append(t.rows, []string{string(c.Code), string(c.Severity), c.Title})
		out.items = append(out.items, item{"code", c})
	}
	return out
}

func (p *page) code(c wf.CodeInfo) {
	p.line(p.bold(string(c.Code)), "("+string(c.Severity)+")")
	p.line(c.Title)
	p.line()
	p.line(wrapped(c.Text, 100))
	p.line()
	p.line("Not so:" + indented(c.Bad))
	p.line("But so:" + indented(c.Good))
}
