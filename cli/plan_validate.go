package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"lda.chat/wf"
)

func planValidateCommand(a *app) *cobra.Command {
	var configFile string
	cmd := &cobra.Command{
		Use:   "validate PLAN...",
		Short: "Find everything that is wrong with plans",
		Long: `Reads plans and checks everything that can be known before they run. All findings are reported at once, in stable order;
with an error among them the exit code is 3. The capabilities of the configuration's sources are known to the check.

Of a valid plan it also says what the check proved for every run, and what is left to run time: what each run checks for
itself, and where it may fail, with the code of that failure. So it does of a sound plan, which has no error of its own, but
calls what this configuration does not have; the exit code is 3 all the same.`,
		Example: `  wf plan validate plan.json --config wf.config.json
  wf plan validate plans/*.json --format json`,
		Args: takes(1, -1, "at least one PLAN"),
	}
	configFlag(cmd, &configFile)
	cmd.RunE = a.run(func(ctx context.Context, args []string) (*answer, error) {
		if err := stdinOnce(append([]string{configFile}, args...)...); err != nil {
			return nil, err
		}
		rt, err := a.runtimeWith(ctx, configFile)
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
		if a.format == formatTable {
			out.notes = claimNotes(verdicts)
		}
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
	plan.examine(rt)
	v := plan.verdict()
	if v.Valid || v.Sound {
		v.prove(plan, rt)
	}
	if !v.Valid {
		return v, invalid(plan.diags, plan.repair(configFile)...)
	}
	return v, &failure{diags: plan.diags, next: plan.fixNext(configFile)}
}

// verdict is what was found out about one plan.
type verdict struct {
	Plan     string `json:"plan"` // the file
	Valid    bool   `json:"valid"`
	Name     string `json:"name,omitempty"`
	Digest   string `json:"digest,omitempty"`
	Errors   int    `json:"errors"`
	Warnings int    `json:"warnings"`

	// Sound: the plan has no error of its own. All errors are of what it calls and this configuration does not have.
	Sound bool `json:"sound,omitempty"`

	// Of a valid plan, and of a sound one: what holds in every run, and what is left to run time.
	Proved []wf.Claim `json:"proved,omitempty"`
	Left   []wf.Claim `json:"left,omitempty"`
}

// prove adds what the check of a plan without errors of its own proves. The places are moved to the file.
func (v *verdict) prove(p *planFile, rt *wf.Runtime) {
	proof, _ := rt.Prove(p.workflow)
	r := p.rebaser()
	for i := range proof.Left {
		for k, place := range proof.Left[i].Places {
			proof.Left[i].Places[k] = r.place(place)
		}
	}
	v.Proved, v.Left = proof.Proved, proof.Left
}

func (p *planFile) verdict() verdict {
	v := verdict{Plan: p.name, Errors: p.diags.Errors()}
	v.Valid = v.Errors == 0
	v.Sound = !v.Valid && p.workflow != nil && lacksOnly(p.diags)
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

// lacksOnly reports whether all errors say what is missing here, not what is wrong with a plan.
func lacksOnly(found wf.Diagnostics) bool {
	for _, d := range found {
		if d.Severity == wf.SeverityError && d.Code != wf.CodeCapabilityMissing && d.Code != wf.CodeWorkflowUnavailable {
			return false
		}
	}
	return true
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
		if v.Sound {
			word += "; the plan itself is sound, what it calls is not at hand in this configuration"
		}
		p.line(v.Plan+":", word)
		writeClaims(p, v, "  ")
	}
}

// writeClaims says what was proved and what is left to run time.
func writeClaims(p *page, v verdict, indent string) {
	for _, c := range v.Proved {
		p.line(indent+"proved:", c.Text)
	}
	for _, c := range v.Left {
		p.line(indent+"at run time:", c.Text+claimPlaces(c))
	}
}

// claimNotes are the claims beside a table, which only counts them.
func claimNotes(verdicts []verdict) []string {
	p := &page{}
	for _, v := range verdicts {
		writeClaims(p, v, v.Plan+": ")
	}
	if p.Len() == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(p.String(), "\n"), "\n")
}

// claimPlaces names the places of a claim; the whole document is none.
func claimPlaces(c wf.Claim) string {
	var places []string
	for _, place := range c.Places {
		if place != "" {
			places = append(places, place)
		}
	}
	if more := c.Count - len(c.Places); more > 0 {
		places = append(places, fmt.Sprintf("and %d more", more))
	}
	if places == nil {
		return ""
	}
	return " at " + strings.Join(places, ", ")
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func verdictTable(verdicts []verdict) *table {
	t := &table{head: []string{"PLAN", "VALID", "ERRORS", "WARNINGS", "PROVED", "LEFT", "NAME", "DIGEST"}}
	for _, v := range verdicts {
		t.rows = append(t.rows, []string{v.Plan, strconv.FormatBool(v.Valid), strconv.Itoa(v.Errors), strconv.Itoa(v.Warnings),
			strconv.Itoa(len(v.Proved)), strconv.Itoa(len(v.Left)), v.Name, v.Digest})
	}
	return t
}
