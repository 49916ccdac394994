package cli

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/spf13/cobra"

	"lda.chat/wf"
)

// fixFlags say which fixes are applied, and what becomes of the result.
type fixFlags struct {
	config              string
	safe, dryRun, write bool
}

func planFixCommand(a *app) *cobra.Command {
	var flags fixFlags
	cmd := &cobra.Command{
		Use:   "fix PLAN",
		Short: "Repair a plan by the fixes of its findings",
		Long: `Applies the fixes that findings call safe, which leave the meaning of the plan alone: one at a time, and each only if its
finding is gone then and no other error has come. What no fix reaches stays as it was written. The capabilities of the
configuration's sources are known to the check.

Without another flag the repaired plan goes to standard output. --write puts it in the place of the file at once. --dry-run
only lists the fixes. What is left is reported, with its places in the repaired plan; with an error among it the exit code is 3.`,
		Example: `  wf plan fix plan.json --safe --dry-run
  wf plan fix plan.json --safe --write --config wf.config.json
  wf plan fix - --safe < plan.json > fixed.json`,
		Args: takes(1, 1, "one PLAN"),
	}
	configFlag(cmd, &flags.config)
	cmd.Flags().BoolVar(&flags.safe, "safe", false, "apply the fixes that leave the plan's meaning alone; nothing else is applied")
	cmd.Flags().BoolVar(&flags.dryRun, "dry-run", false, "only list the fixes")
	cmd.Flags().BoolVar(&flags.write, "write", false, "rewrite the file in place")
	cmd.RunE = a.run(func(ctx context.Context, args []string) (*answer, error) {
		if err := flags.check(args[0]); err != nil {
			return nil, err
		}
		rt, err := a.runtimeWith(ctx, flags.config)
		if err != nil {
			return nil, err
		}
		text, err := a.read(ctx, args[0], "the plan")
		if err != nil {
			return nil, err
		}
		fixed := rt.ApplySafeFixes(text)
		before := parsePlan(args[0], text)
		if before.workflow != nil {
			before.check(rt.Check(before.workflow))
		}
		before.placeFixes(fixed.Applied)
		return a.fixed(args[0], !bytes.Equal(text, fixed.Text), fixed, &flags)
	})
	return cmd
}

func (flags *fixFlags) check(plan string) error {
	switch {
	case !flags.safe:
		return failed(ExitUsage, codeUsage, "nothing says which fixes to apply", "--safe applies those that leave the plan's meaning alone")
	case flags.write && flags.dryRun:
		return usagef("--write and --dry-run exclude each other: give one of them")
	case flags.write && plan == stdinName:
		return usagef("--write has no file to write: the plan comes from standard input")
	}
	return stdinOnce(flags.config, plan)
}

// repaired is what was done with a plan, or would be.
type repaired struct {
	Plan     string          `json:"plan"` // the file
	Changed  bool            `json:"changed"`
	Written  bool            `json:"written"`
	Fixes    []wf.AppliedFix `json:"fixes"`
	Stopped  bool            `json:"stopped,omitempty"` // there may be more to repair
	Valid    bool            `json:"valid"`             // what is left has no errors
	Errors   int             `json:"errors"`
	Warnings int             `json:"warnings"`
	Content  json.RawMessage `json:"content,omitempty"`
}

func (a *app) fixed(name string, changed bool, fixed *wf.FixedPlan, flags *fixFlags) (*answer, error) {
	plan := parsePlan(name, fixed.Text)
	plan.diags = nil
	plan.check(fixed.Left)
	if plan.doc == nil {
		return nil, invalid(plan.diags, plan.repair(flags.config)...)
	}
	v := plan.verdict()
	done := repaired{Plan: v.Plan, Changed: changed, Fixes: fixed.Applied, Stopped: fixed.Stopped, Valid: v.Valid, Errors: v.Errors, Warnings: v.Warnings}
	if done.Fixes == nil {
		done.Fixes = []wf.AppliedFix{}
	}
	out := &answer{diags: plan.diags, table: fixTable(done.Fixes)}
	if !v.Valid {
		out.exit = ExitDiagnostics
		out.next = plan.repair(flags.config)
	}
	switch {
	case flags.dryRun:
		out.text = func(p *page) { writeFixes(p, done) }
		if changed {
			out.next = append([]nextAction{fixNext(name, flags.config, "apply them")}, explainNext(plan.diags)...)
		}
	case flags.write:
		if changed {
			if err := a.replace(name, fixed.Text); err != nil {
				return nil, err
			}
			done.Written = true
		}
		out.text = func(p *page) { writeFixes(p, done) }
	default:
		out.brief, out.left = done, []string{"/result/content"}
		done.Content = bytes.TrimPrefix(fixed.Text, []byte("\uFEFF"))
		out.text = func(p *page) { p.Write(fixed.Text) }
		for _, f := range done.Fixes {
			out.notes = append(out.notes, fixLine(done.Plan, f))
		}
	}
	out.result, out.items = done, []item{{"plan", done}}
	return out, nil
}

// fixNext advises to apply the safe fixes.
func fixNext(name, config, reason string) nextAction {
	words := " --safe --write"
	if name == stdinName {
		words = " --safe"
	}
	return nextAction{CLI: "wf plan fix " + quoted(name) + words + configWords(config), Kind: "repair",
		Params: map[string]any{"plan": name, "applicability": wf.FixSafe}, Reason: reason}
}

func fixLine(plan string, f wf.AppliedFix) string {
	line := plan + " "
	if f.Path != "" {
		line += f.Path
	} else {
		line += "(whole document)"
	}
	if f.Step != "" {
		line += `: step "` + f.Step + `"`
	}
	return line + ": " + f.Title + " [" + string(f.Code) + "]"
}

func writeFixes(p *page, done repaired) {
	for _, f := range done.Fixes {
		p.line(fixLine(done.Plan, f))
	}
	word := "no finding has a safe fix"
	switch n := counted(len(done.Fixes), "finding"); {
	case done.Written:
		word = n + " fixed, rewritten"
	case done.Changed:
		word = n + " to fix"
	}
	if done.Errors > 0 {
		word += ", " + counted(done.Errors, "error") + " left"
	}
	p.line(done.Plan+":", word)
}

func fixTable(fixes []wf.AppliedFix) *table {
	t := &table{head: []string{"CODE", "STEP", "PLACE", "FIX"}}
	for _, f := range fixes {
		t.rows = append(t.rows, []string{string(f.Code), f.Step, f.Path, f.Title})
	}
	return t
}
