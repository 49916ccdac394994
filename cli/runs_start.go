package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"lda.chat/wf"
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
		Long: `Starts a run in a store, and waits until it stops: until it has ended, or goes no further before somebody answers. The exit code
tells which.

What happens is kept in the store before anything else happens. Ctrl-C ends the waiting, not the run: "wf worker" takes it
on from where it stands. With --queued the run is only recorded. Starting the same plan with the same input under the same
--run-id again gives the run that is there.

As text, standard output is the run's output alone.`,
		Example: `  wf run start --plan plan.json --input-file run-input.json --store file:runs
  wf run start --plan plan.json --run-id nightly-2026-11-30 --label team=reports --queued --store sqlite:wf.db`,
		Args: takes(0, 0, ""),
	}
	cmd.Flags().StringVar(&planName, "plan", "", "`FILE` with the plan; \"-\" is standard input")
	in.add(cmd)
	flags.add(a, cmd)
	cmd.Flags().StringVar(&p.RunID, "run-id", "", "the run's `ID`; without it one is made, that sorts by time")
	cmd.Flags().Var(labels(p.Labels), "label", "a label to list the run by; may be given several times")
	cmd.Flags().BoolVar(&p.Queued, "queued", false, "only record the run; a worker takes it up")
	cmd.Flags().BoolVar(&p.StepByStep, "step-by-step", false, "the run takes a step only by \"wf run step\"")
	view.add(cmd)
	view.addTimeout(cmd)
	cmd.RunE = a.on(&flags, &view.timeout, func(ctx context.Context, api *opened, _ []string) (*answer, error) {
		if planName == "" {
			return nil, usagef("wf run start needs a plan: --plan FILE")
		}
		if err := stdinOnce(planName, in.file, flags.config); err != nil {
			return nil, err
		}
		plan, err := a.planText(ctx, api, planName, flags.config)
		if err != nil {
			return nil, err
		}
		given, err := a.readInput(ctx, &in, cmd)
		if err != nil {
			return nil, err
		}
		p.Plan, p.Input, p.Wait, p.View = plan.text, given.value().JSON(), true, view.View
		run, err := api.StartRun(ctx, p)
		if err != nil {
			return nil, inputFailure(err, given)
		}
		out := went(run, &flags)
		out.diags = append(out.diags, plan.diags...)
		return out, nil
	})
	return cmd
}

func runResumeCommand(a *app) *cobra.Command {
	var flags storeFlags
	var view viewFlags
	var replies answers
	cmd := &cobra.Command{
		Use:   "resume RUN",
		Short: summaryOf("runs.resume"),
		Long: `Answers what a run asks, and waits until it stops again.

--answer names an interrupt by its id or its step, with an outcome and a payload; it may be given several times. Each answer
is judged alone: what is taken is taken, and the run goes on with it. An answer that is refused changes nothing.`,
		Example: `  wf run resume run_1 --answer approve=approved --store file:runs
  wf run resume run_1 --answer 'approve=rejected:{"comment": "too long"}' --store file:runs`,
		Args:              takes(1, 1, "one RUN"),
		ValidArgsFunction: a.completeRuns(&flags, 1),
	}
	flags.add(a, cmd)
	cmd.Flags().Var(&replies, "answer", "answer an interrupt; may be given several times")
	view.add(cmd)
	view.addTimeout(cmd)
	cmd.RunE = a.on(&flags, &view.timeout, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		if len(replies.list) == 0 {
			return nil, usagef("wf run resume needs an answer: --answer ID=OUTCOME")
		}
		open, err := api.InspectRun(ctx, &lifecycle.InspectRun{RunID: args[0], View: lifecycle.View{Full: true}})
		if err != nil {
			return nil, err
		}
		p := &lifecycle.ResumeRun{RunID: args[0], Wait: true, View: view.View}
		for _, g := range replies.list {
			p.Answers = append(p.Answers, g.answer(open))
		}
		run, err := api.ResumeRun(ctx, p)
		if err != nil {
			return nil, err
		}
		return went(run, &flags), nil
	})
	return cmd
}

// answer is what an operation takes. An interrupt may be named by its step, if only one is open there.
func (g *given) answer(run *lifecycle.Run) lifecycle.Answer {
	x := lifecycle.Answer{Interrupt: g.who, Outcome: g.outcome}
	if g.payload.doc != nil {
		x.Payload = g.payload.value().JSON()
	}
	var ids []string
	for _, i := range run.Interrupts {
		if i.ID == g.who {
			return x
		}
		if i.Step == g.who {
			ids = append(ids, i.ID)
		}
	}
	if len(ids) == 1 {
		x.Interrupt = ids[0]
	}
	return x
}

func runDecideCommand(a *app) *cobra.Command {
	var flags storeFlags
	var view viewFlags
	var verdict, outcome, output string
	p := &lifecycle.DecideRun{Wait: true}
	cmd := &cobra.Command{
		Use:   "decide RUN",
		Short: summaryOf("runs.decide"),
		Long: `Decides about a call of which nobody knows whether it happened, because its process died or no answer came, and that must not be
made twice; then waits until the run stops again. "wf run inspect" shows the call with its idempotency key and its input, by
which it can be looked for where it was made.

--verdict result: it happened; give its outcome and its output. again: it did not; make it again, with the same key. fail:
the step fails with in_doubt, which the plan may catch.`,
		Example: `  wf run decide run_1 --verdict result --output '{"id": 17}' --store file:runs
  wf run decide run_1 --step /pay --verdict again --store file:runs`,
		Args:              takes(1, 1, "one RUN"),
		ValidArgsFunction: a.completeRuns(&flags, 1),
	}
	flags.add(a, cmd)
	cmd.Flags().StringVar(&p.Step, "step", "", "the doubt's `ID`; may be left out while there is only one")
	cmd.Flags().Var(choice{&verdict, verdicts}, "verdict", "what is decided")
	cmd.Flags().StringVar(&outcome, "outcome", "", "the `OUTCOME` of the call; may be left out if it has only one")
	cmd.Flags().StringVar(&output, "output", "", "the output of the call, an object in `JSON`; without it {}")
	a.complete(cmd, "verdict", verdicts)
	view.add(cmd)
	view.addTimeout(cmd)
	cmd.RunE = a.on(&flags, &view.timeout, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		if verdict == "" {
			return nil, usagef("wf run decide needs a verdict: --verdict %s", strings.Join(verdicts, "|"))
		}
		if output != "" {
			in, err := parseInput("--output", []byte(output))
			if err != nil {
				return nil, err
			}
			p.Output = in.value().JSON()
		}
		p.RunID, p.View = args[0], view.View
		p.Verdict, p.Outcome = wf.Verdict(verdict), wf.Outcome(outcome)
		run, err := api.DecideRun(ctx, p)
		if err != nil {
			return nil, err
		}
		return went(run, &flags), nil
	})
	return cmd
}

func runStepCommand(a *app) *cobra.Command {
	var flags storeFlags
	var view viewFlags
	cmd := &cobra.Command{
		Use:               "step RUN",
		Short:             summaryOf("runs.step"),
		Long:              `Lets a run that was started with --step-by-step take one step, and shows where it stands then.`,
		Example:           "  wf run step run_1 --trace-limit 100 --store file:runs",
		Args:              takes(1, 1, "one RUN"),
		ValidArgsFunction: a.completeRuns(&flags, 1),
	}
	flags.add(a, cmd)
	view.add(cmd)
	view.addTimeout(cmd)
	cmd.RunE = a.on(&flags, &view.timeout, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		run, err := api.StepRun(ctx, &lifecycle.StepRun{RunID: args[0], View: view.View})
		if err != nil {
			return nil, err
		}
		out := went(run, &flags)
		out.text = func(p *page) { p.run(run) }
		out.notes = nil
		return out, nil
	})
	return cmd
}

func runCancelCommand(a *app) *cobra.Command {
	var flags storeFlags
	var yes bool
	p := &lifecycle.CancelRun{}
	cmd := &cobra.Command{
		Use:               "cancel RUN",
		Short:             summaryOf("runs.cancel"),
		Long:              `Ends a run as cancelled, with its calls, timers and open questions. A run that has ended stays as it is.`,
		Example:           "  wf run cancel run_1 --reason 'started twice' --yes --store file:runs",
		Args:              takes(1, 1, "one RUN"),
		ValidArgsFunction: a.completeRuns(&flags, 1),
	}
	flags.add(a, cmd)
	cmd.Flags().StringVar(&p.Reason, "reason", "", "why, for people")
	cmd.Flags().BoolVar(&yes, "yes", false, "do it: a run that was cancelled does not go on")
	cmd.RunE = a.on(&flags, nil, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		if err := confirmed(yes, "cancelling a run"); err != nil {
			return nil, err
		}
		p.RunID = args[0]
		run, err := api.CancelRun(ctx, p)
		if err != nil {
			return nil, err
		}
		out := shown(run, &flags)
		out.whole = "wf run inspect " + quoted(run.RunID) + " --full" + flags.words() + " --format json"
		return out, nil
	})
	return cmd
}

func runDeleteCommand(a *app) *cobra.Command {
	var flags storeFlags
	var yes bool
	cmd := &cobra.Command{
		Use:               "delete RUN",
		Short:             summaryOf("runs.delete"),
		Long:              `Deletes a run that has ended, with all that belongs to it. One that has not is cancelled first: "wf run cancel".`,
		Example:           "  wf run delete run_1 --yes --store file:runs",
		Args:              takes(1, 1, "one RUN"),
		ValidArgsFunction: a.completeRuns(&flags, 1),
	}
	flags.add(a, cmd)
	cmd.Flags().BoolVar(&yes, "yes", false, "do it: what is deleted is gone")
	cmd.RunE = a.on(&flags, nil, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		if err := confirmed(yes, "deleting a run"); err != nil {
			return nil, err
		}
		gone, err := api.DeleteRun(ctx, &lifecycle.DeleteRun{RunID: args[0]})
		if err != nil {
			return nil, err
		}
		gone.Advice = nil
		return &answer{result: gone, notes: []string{fmt.Sprintf("%s is deleted", gone.RunID)}}, nil
	})
	return cmd
}
