package cli

import (
	"context"

	"github.com/spf13/cobra"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
)

func explainCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "explain [CODE]",
		Short:   summaryOf("codes.explain"),
		Long:    "Explains a code of a diagnostic or a failure, with an example that has the problem and one that has not. Without one, all are listed.",
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
					hint = `"wf code list" lists them`
				}
				return nil, failed(ExitNotFound, codeCodeUnknown, `there is no code "`+args[0]+`"`, hint)
			}
			return &answer{result: c, text: func(p *page) { p.code(c) }}, nil
		}),
	}
}

func codeCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "code",
		Short: "List the codes of diagnostics and failures",
	}
	cmd.AddCommand(codeListCommand(a))
	return cmd
}

func codeListCommand(a *app) *cobra.Command {
	p := &lifecycle.ListCodes{}
	cmd := &cobra.Command{
		Use:     "list",
		Short:   summaryOf("codes.list"),
		Long:    `Lists the codes that diagnostics and failures can have, those of commands too. "wf explain CODE" tells more about one.`,
		Example: "  wf code list --text binding",
		Args:    takes(0, 0, ""),
	}
	cmd.Flags().StringVar(&p.Text, "text", "", "only those with this `TEXT` in the code, its title or its text")
	cmd.RunE = a.run(func(context.Context, []string) (*answer, error) {
		list := p.Among(codes())
		out := listing([]string{"CODE", "SEVERITY", "TITLE"}, list.Advice, &storeFlags{})
		for _, c := range list.Codes {
			out.row("code", c, string(c.Code), string(c.Severity), c.Title)
		}
		list.Advice = nil
		return out.of(list), nil
	})
	return cmd
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
