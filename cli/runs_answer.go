package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
)

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
		Args: takes(1, 1, "one RUN"),
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
		Args: takes(1, 1, "one RUN"),
	}
	flags.add(a, cmd)
	cmd.Flags().StringVar(&p.Step, "step", "", "the doubt's `ID`; may be left out while there is only one")
	cmd.Flags().Var(choice{&verdict, verdicts}, "verdict", "what is decided")
	cmd.Flags().StringVar(&outcome, "outcome", "", "the `OUTCOME` of the call; may be left out if it has only one")
	cmd.Flags().StringVar(&output, "output", "", "the output of the call, an object in `JSON`; without it {}")
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
