package cli

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"lda.chat/wf/lifecycle"
)

// labels is a flag that may be given several times.
type labels map[string]string

func (l labels) String() string { return "" }
func (l labels) Type() string   { return "NAME=TEXT" }
func (l labels) Set(text string) error {
	name, label, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return errors.New(`expected a name, "=" and a text, as in team=reports`)
	}
	l[name] = label
	return nil
}

// labelText writes labels for people.
func labelText(all map[string]string) string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		words = append(words, name+"="+all[name])
	}
	return strings.Join(words, ", ")
}

func runStartCommand(a *app) *cobra.Command {
	var flags storeFlags
	var view viewFlags
	var in inputFlags
	var planName string
	p := &lifecycle.StartRun{Labels: map[string]string{}}
	cmd := &cobra.Command{
		Use:   "start",
		Short: summaryOf("runs.start"),
		Long: `Starts a run of a plan or of a deployment in a store, and waits until it stops: until it has ended, or goes no further before somebody answers. The exit code
tells which.

What happens is kept in the store before anything else happens. Ctrl-C ends the waiting, not the run: "wf worker" takes it
on from where it stands. With --queued the run is only recorded. Starting the same plan with the same input under the same
--run-id again gives the run that is there.

As text, standard output is the run's output alone.`,
		Example: `  wf run start --plan plan.json --input-file run-input.json --store file:runs
  wf run start --deployment report_case_study.default --input-file run-input.json --store file:runs
  wf run start --plan plan.json --run-id nightly-2026-11-30 --label team=reports --queued --store sqlite:wf.db`,
		Args: takes(0, 0, ""),
	}
	cmd.Flags().StringVar(&planName, "plan", "", "`FILE` with the plan; \"-\" is standard input")
	cmd.Flags().StringVar(&p.Deployment, "deployment", "", "the `DEPLOYMENT` that it is a run of")
	in.add(cmd)
	flags.add(a, cmd)
	cmd.Flags().StringVar(&p.RunID, "run-id", "", "the run's `ID`; without it one is made, that sorts by time")
	cmd.Flags().Var(labels(p.Labels), "label", "a label to list the run by; may be given several times")
	cmd.Flags().BoolVar(&p.Queued, "queued", false, "only record the run; a worker takes it up")
	cmd.Flags().BoolVar(&p.StepByStep, "step-by-step", false, "the run takes a step only by \"wf run step\"")
	view.add(cmd)
	view.addTimeout(cmd)
	cmd.RunE = a.on(&flags, &view.timeout, func(ctx context.Context, api *opened, _ []string) (*answer, error) {
		if (planName == "") == (p.Deployment == "") {
			return nil, usagef("wf run start needs a plan or a deployment: --plan FILE or --deployment DEPLOYMENT")
		}
		if err := stdinOnce(planName, in.file, flags.config); err != nil {
			return nil, err
		}
		plan := &planFile{}
		if planName != "" {
			var err error
			if plan, err = a.planText(ctx, api, planName, flags.config); err != nil {
				return nil, err
			}
		}
		given, err := a.readInput(ctx, &in, cmd)
		if err != nil {
			return nil, err
		}
		p.Plan, p.Input, p.Wait, p.View = plan.text, given.value().JSON(), true, view.View
		run, err := api.StartRun(ctx, p)
		if err != nil {
			if e, ok := errors.AsType[*lifecycle.Error](err); ok {
				namePlan(e.NextActions, planName)
			}
			return nil, inputFailure(err, given)
		}
		namePlan(run.Advice.NextActions, planName)
		out := went(run, &flags)
		out.diags = append(out.diags, plan.diags...)
		return out, nil
	})
	return cmd
}

// namePlan lets advice say the file of the plan, which the operation does not know.
func namePlan(advice []lifecycle.NextAction, file string) {
	for i := range advice {
		n := &advice[i]
		if before, after, ok := strings.Cut(n.CLI, " --plan PLAN"); ok && file != "" && file != "-" {
			n.CLI = before + " --plan " + quoted(file) + after
			n.Fill = slices.DeleteFunc(n.Fill, func(at string) bool { return at == "/plan" })
		}
	}
}
