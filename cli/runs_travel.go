package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
)

// runPoint reads RUN or RUN@EVENT.
func runPoint(text string) (wf.RunPoint, error) {
	id, event, at := strings.Cut(text, "@")
	if !at {
		return wf.RunPoint{RunID: id}, nil
	}
	n, err := strconv.ParseUint(event, 10, 63)
	if err != nil || n == 0 {
		return wf.RunPoint{}, usagef("%q is no point of a run: expected the run's id, or that with @ and the number of an event, as run_1@3", text)
	}
	return wf.RunPoint{RunID: id, Event: wf.Revision(n)}, nil
}

func runDiffCommand(a *app) *cobra.Command {
	var flags storeFlags
	cmd := &cobra.Command{
		Use:     "diff RUN[@EVENT] RUN[@EVENT]",
		Short:   summaryOf("runs.diff"),
		Long:    `Compares two runs, or one run after two of its events: input, state, output, and the steps that went otherwise.`,
		Example: "  wf run diff run_1 run_2 --store file:runs\n  wf run diff run_1@2 run_1 --store file:runs",
		Args:    takes(2, 2, "two runs"),
	}
	flags.add(a, cmd)
	cmd.RunE = a.on(&flags, nil, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		p := &lifecycle.DiffRuns{}
		for i, side := range []*wf.RunPoint{&p.A, &p.B} {
			point, err := runPoint(args[i])
			if err != nil {
				return nil, err
			}
			*side = point
		}
		d, err := api.DiffRuns(ctx, p)
		if err != nil {
			return nil, err
		}
		out := &answer{result: d, next: nextOf(d.Advice.NextActions, &flags), notes: []string{d.Advice.Reason}, text: func(p *page) { p.runDiff(&d.RunDiff) }}
		d.Advice = nil
		return out, nil
	})
	return cmd
}

// runDiff tells people what two runs have not in common.
func (p *page) runDiff(d *wf.RunDiff) {
	side := func(mark string, s wf.RunSide) {
		how := string(s.Status)
		if s.Outcome != "" {
			how += ", outcome " + visible(string(s.Outcome))
		}
		p.line(fmt.Sprintf("%s %s@%d: %s", mark, visible(s.RunID), s.Event, how))
	}
	side("-", d.A)
	side("+", d.B)
	for _, part := range []struct {
		name string
		list []wf.ValueDiff
	}{{"input", d.Input}, {"state", d.State}, {"output", d.Output}} {
		for _, v := range part.list {
			p.line(p.bold(part.name + visible(v.Path)))
			p.sides(v.A, v.B)
		}
	}
	for _, s := range d.Steps {
		p.stepDiff(&s)
	}
}

func (p *page) sides(a, b []byte) {
	for _, side := range []struct {
		mark string
		text []byte
	}{{"  - ", a}, {"  + ", b}} {
		if side.text != nil {
			p.line(side.mark + shortened(visible(string(side.text)), 200))
		}
	}
}

func (p *page) stepDiff(s *wf.StepDiff) {
	name := s.Step
	if s.Frame != "/" {
		name = s.Frame + "/" + s.Step
	}
	if s.Visit > 1 {
		name += "#" + strconv.Itoa(s.Visit)
	}
	p.line(p.bold("step " + visible(name)))
	for _, side := range []struct {
		mark string
		r    *wf.StepResult
	}{{"  - ", s.A}, {"  + ", s.B}} {
		p.line(side.mark + visitText(side.r))
	}
}

// visitText says in a line what came of a visit of a step.
func visitText(r *wf.StepResult) string {
	switch {
	case r == nil:
		return "no such visit"
	case r.Outcome != "":
		return visible(string(r.Outcome)+" → "+r.Next) + " " + shortened(visible(string(r.Output)), 200)
	case r.Error != nil:
		return "failed: " + shortened(visible(r.Error.Error()), 200)
	}
	return "unfinished"
}

func runForkCommand(a *app) *cobra.Command {
	var flags storeFlags
	var view viewFlags
	var planName, state string
	var event uint64
	p := &lifecycle.ForkRun{Labels: map[string]string{}, Wait: true}
	cmd := &cobra.Command{
		Use:   "fork RUN",
		Short: summaryOf("runs.fork"),
		Long: `Starts a run that shares the events of another one up to a point, and goes on from there: with other state, with another plan, or as
it was. The other run stays as it is. What was called before the point is not called again; what was asked after it is
asked again. Then it waits as "wf run start" does.`,
		Example: `  wf run fork run_1 --state '{"text": "shorter"}' --store file:runs
  wf run fork run_1 --event 3 --plan repaired.json --new-id run_1b --store file:runs`,
		Args: takes(1, 1, "one RUN"),
	}
	flags.add(a, cmd)
	cmd.Flags().Uint64Var(&event, "event", 0, "after which `EVENT` it goes on; the latest at which the run had not ended, if it is not given")
	cmd.Flags().StringVar(&planName, "plan", "", "`FILE` with the plan that it goes on with; without it the same")
	cmd.Flags().StringVar(&state, "state", "", "fields of the state that are set, an object in `JSON`")
	cmd.Flags().StringArrayVar(&p.Unset, "unset", nil, "a `FIELD` of the state that takes its default; may be given several times")
	cmd.Flags().StringVar(&p.NewID, "new-id", "", "the new run's `ID`; without it one is made")
	cmd.Flags().Var(labels(p.Labels), "label", "a label to list the new run by; may be given several times")
	cmd.Flags().BoolVar(&p.Queued, "queued", false, "only record the run; a worker takes it up")
	cmd.Flags().BoolVar(&p.StepByStep, "step-by-step", false, "the run takes a step only by \"wf run step\"")
	view.add(cmd)
	view.addTimeout(cmd)
	cmd.RunE = a.on(&flags, &view.timeout, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		p.RunID, p.Event, p.View = args[0], wf.Revision(event), view.View
		if planName != "" {
			plan, err := a.planText(ctx, api, planName, flags.config)
			if err != nil {
				return nil, err
			}
			p.Plan = plan.text
		}
		if state != "" {
			in, err := parseInput("--state", []byte(state))
			if err != nil {
				return nil, err
			}
			p.State = in.value().JSON()
		}
		run, err := api.ForkRun(ctx, p)
		if err != nil {
			return nil, err
		}
		return went(run, &flags), nil
	})
	return cmd
}

func runBacktestCommand(a *app) *cobra.Command {
	var flags storeFlags
	var list listFlags
	var only []string
	cmd := &cobra.Command{
		Use:   "backtest PLAN",
		Short: summaryOf("runs.backtest"),
		Long: `Plays past runs by another plan, on what came to them from outside then: the results of calls and the answers to questions. Nothing is
called. It tells which runs would go as they did, which otherwise, and which would make a call or ask something of which
no result is recorded.

Without --run these are the runs of the plan's name that have completed or failed, newest first; other flags say which. The
exit code is 0 whatever comes out.`,
		Example: "  wf run backtest edited.json --limit 100 --store file:runs\n  wf run backtest edited.json --run run_1 --format json --store file:runs",
		Args:    takes(1, 1, "one PLAN"),
	}
	list.add(a, cmd)
	flags.add(a, cmd)
	cmd.Flags().StringArrayVar(&only, "run", nil, "play this `RUN`; may be given several times")
	cmd.RunE = a.on(&flags, nil, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		plan, err := a.planText(ctx, api, args[0], flags.config)
		if err != nil {
			return nil, err
		}
		all, err := api.BacktestRuns(ctx, &lifecycle.BacktestRuns{Plan: plan.text, RunIDs: only, List: list.ListRuns})
		if err != nil {
			return nil, err
		}
		t := &table{head: []string{"RUN", "VERDICT", "BEFORE", "AFTER", "WHAT"}}
		out := &answer{result: all, table: t, text: t.write, items: []item{}, notes: []string{all.Advice.Reason}}
		for _, n := range nextOf(all.Advice.NextActions, &flags) {
			n.CLI = strings.Replace(n.CLI, "PLAN", quoted(args[0]), 1)
			out.next = append(out.next, n)
		}
		for i := range all.Runs {
			b := &all.Runs[i]
			t.rows = append(t.rows, []string{b.RunID, b.Verdict, sideText(b.Before), sideText(b.After), whatDiffers(b)})
			out.items = append(out.items, item{"backtest", b})
		}
		if len(all.Runs) == 0 {
			out.text, out.table = nil, nil
		}
		all.Advice = nil
		return out, nil
	})
	return cmd
}

func sideText(s wf.RunSide) string {
	return strings.TrimSpace(string(s.Status) + " " + string(s.Outcome))
}

// whatDiffers says in some words what would be otherwise.
func whatDiffers(b *lifecycle.Backtest) string {
	var words []string
	for _, c := range b.New {
		what := "asks"
		if c.Node != "" {
			what = "calls " + c.Node
		}
		words = append(words, c.Step+" "+what)
	}
	for _, s := range b.Routes {
		words = append(words, "step "+s.Step)
	}
	for _, v := range b.Output {
		words = append(words, "output"+v.Path)
	}
	for _, v := range b.State {
		words = append(words, "state"+v.Path)
	}
	const most = 5
	if len(words) > most {
		words = append(words[:most], fmt.Sprintf("%d more", len(words)-most))
	}
	return strings.Join(words, ", ")
}
