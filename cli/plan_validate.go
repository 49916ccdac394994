package cli

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"lda.chat/wf"
)

func planValidateCommand(a *app) *cobra.Command {
	var configFile string
	cmd := &cobra.Command{
		Use:   "validate PLAN...",
		Short: "Find everything that is wrong with plans",
		Long: `Reads plans and checks everything that can be known before they run. All findings are reported at once, in stable order;
with an error among them the exit code is 3. The capabilities of the configuration's sources are known to the check.`,
		Example: `  wf plan validate plan.json --config wf.config.json
  wf plan validate plans/*.json --format json`,
		Args: takes(1, -1, "at least one PLAN"),
	}
	configFlag(cmd, &configFile)
	cmd.RunE = a.run(func(ctx context.Context, args []string) (*answer, error) {
		if err := stdinOnce(append([]string{configFile}, args...)...); err != nil {
			return nil, err
		}
		set, err := a.sources(ctx, configFile)
		if err != nil {
			return nil, err
		}
		rt, err := a.runtime(set)
		if err != nil {
			return nil, err
		}
		out := &answer{}
		verdicts := []verdict{}
		for _, name := range args {
			v, f := a.validate(ctx, rt, name, configFile)
			verdicts = append(verdicts, v)
			out.items = append(out.items, item{"plan", v})
			out.diags = append(out.diags, f.diags...)
			if out.exit == ExitDone && (f.exit != ExitDone || out.next == nil) {
				out.exit, out.next = f.exit, f.next
			}
		}
		out.result = map[string]any{"plans": verdicts}
		out.text, out.table = func(p *page) { writeVerdicts(p, verdicts) }, verdictTable(verdicts)
		return out, nil
	})
	return cmd
}

// validate checks one plan. The failure, never nil, has the findings, warnings too, the exit code and what to do next.
func (a *app) validate(ctx context.Context, rt *wf.Runtime, name, configFile string) (verdict, *failure) {
	plan, err := a.readPlan(ctx, name)
	if err != nil {
		return verdict{Plan: displayName(name), Errors: 1}, failureOf(err)
	}
	if plan.workflow != nil {
		plan.check(rt.Check(plan.workflow))
	}
	if plan.diags.HasErrors() {
		return plan.verdict(), invalid(plan.diags, plan.repair(configFile)...)
	}
	return plan.verdict(), &failure{diags: plan.diags, next: plan.fixNext(configFile)}
}

// verdict is what was found out about one plan.
type verdict struct {
	Plan     string `json:"plan"` // the file
	Valid    bool   `json:"valid"`
	Name     string `json:"name,omitempty"`
	Digest   string `json:"digest,omitempty"`
	Errors   int    `json:"errors"`
	Warnings int    `json:"warnings"`
}

func (p *planFile) verdict() verdict {
	v := verdict{Plan: p.name, Errors: p.diags.Errors()}
	v.Valid = v.Errors == 0
	for _, d := range p.diags {
		if d.Severity == wf.SeverityWarning {
			v.Warnings++
		}
	}
	if p.workflow != nil {
		v.Name, v.Digest = p.workflow.Name, p.workflow.Digest()
	}
	return v
}

func writeVerdicts(p *page, verdicts []verdict) {
	for _, v := range verdicts {
		word := "valid"
		if !v.Valid {
			word = counted(v.Errors, "error")
		}
		if v.Warnings > 0 {
			word += ", " + counted(v.Warnings, "warning")
		}
		p.line(v.Plan+":", word)
	}
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func verdictTable(verdicts []verdict) *table {
	t := &table{head: []string{"PLAN", "VALID", "ERRORS", "WARNINGS", "NAME", "DIGEST"}}
	for _, v := range verdicts {
		t.rows = append(t.rows, []string{v.Plan, strconv.FormatBool(v.Valid), strconv.Itoa(v.Errors), strconv.Itoa(v.Warnings), v.Name, v.Digest})
	}
	return t
}
