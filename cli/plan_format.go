package cli

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/spf13/cobra"

	"lda.chat/wf"
)

// The forms in which a plan can be written.
const (
	formCanonical = "canonical"
	formShort     = "short"
)

func planFormatCommand(a *app) *cobra.Command {
	form := formCanonical
	var write, check bool
	cmd := &cobra.Command{
		Use:   "format PLAN...",
		Short: "Write plans in their canonical or short form",
		Long: `Writes a plan as it is saved (canonical) or as people and agents write it (short). Both mean the same and have the same
digest. A plan needs to be readable, not valid.

Without a flag the text goes to standard output. --write puts it in the place of each file at once. --check writes
nothing and exits with 3 if a file differs.`,
		Example: `  wf plan format plan.json --form short
  wf plan format --write --form short plans/*.json
  wf plan format --check plans/*.json`,
		Args: takes(1, -1, "at least one PLAN"),
	}
	forms := []string{formCanonical, formShort}
	cmd.Flags().Var(choice{&form, forms}, "form", "the form to write")
	cmd.Flags().BoolVar(&write, "write", false, "rewrite the files in place")
	cmd.Flags().BoolVar(&check, "check", false, "only look whether the files have this form")
	cmd.RunE = a.run(func(ctx context.Context, args []string) (*answer, error) {
		if write && check {
			return nil, usagef("--write and --check exclude each other: give one of them")
		}
		if !write && !check && len(args) > 1 {
			return nil, usagef("several plans can be formatted only with --write or --check")
		}
		if err := stdinOnce(args...); err != nil {
			return nil, err
		}
		plans := make([]*planFile, len(args))
		var diags wf.Diagnostics
		for i, name := range args {
			if name == stdinName && write {
				return nil, usagef("--write has no file to write: the plan comes from standard input")
			}
			plan, err := a.readPlan(ctx, name)
			if err != nil {
				return nil, err
			}
			plans[i] = plan
			diags = append(diags, plan.diags...)
		}
		if diags.HasErrors() { // before anything is written
			return nil, invalid(diags, explainNext(diags)...)
		}
		return a.formatted(plans, form, write, check, diags)
	})
	return cmd
}

// formatted is what was done with one plan.
type formatted struct {
	Plan    string          `json:"plan"` // the file
	Form    string          `json:"form"`
	Digest  string          `json:"digest"`
	Changed bool            `json:"changed"` // whether the text differs from the file's
	Content json.RawMessage `json:"content,omitempty"`
}

func (a *app) formatted(plans []*planFile, form string, write, check bool, diags wf.Diagnostics) (*answer, error) {
	out := &answer{diags: diags}
	var all []formatted
	for _, plan := range plans {
		text := plan.workflow.Indented()
		if form == formShort {
			text = plan.workflow.Short()
		}
		f := formatted{Plan: plan.name, Form: form, Digest: plan.workflow.Digest(), Changed: !bytes.Equal(text, plan.text)}
		switch {
		case check && f.Changed:
			out.exit = ExitDiagnostics
			out.diags = append(out.diags, wf.Diagnostic{Severity: wf.SeverityError, Code: codeNotFormatted, Doc: plan.name,
				Message: "the text is not in the " + form + " form", RepairHint: "wf plan format --write --form " + form + " " + quoted(plan.arg)})
		case check:
		case write && f.Changed:
			if err := a.replace(plan.arg, text); err != nil {
				return nil, err
			}
			out.notes = append(out.notes, plan.name+": rewritten")
		case !write:
			f.Content = text
			out.text = func(p *page) { p.Write(text) }
		}
		all = append(all, f)
		out.items = append(out.items, item{"plan", f})
	}
	out.result = map[string]any{"plans": all}
	return out, nil
}
