package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lda.chat/wf"
	"lda.chat/wf/internal/value"
	"lda.chat/wf/lifecycle"
)

func tryCommand(a *app) *cobra.Command {
	var in inputFlags
	var flags storeFlags
	var timeout time.Duration
	var trace bool
	var replies answers
	cmd := &cobra.Command{
		Use:   "try PLAN",
		Short: "Run a plan now",
		Long: `Runs a plan now and waits for its end. Nothing is saved, unless --store names where: then "wf run" finds the run there. PLAN is a file, or "-" for standard input.

--answer answers an interrupt, which it names by its id or its step, with an outcome and a payload; it may be given several
times. Each answer is used once, when the plan asks, in their order. A run that waits for an answer that was not given is
shown with what it asks, and the exit code is 8; so is one with a call of which nobody knows whether it happened, and that must
not be made twice.

The result is all that the run can tell: status, outcome, output, state, error and the trace, step by step. As text, standard
output is the run's output alone. Ctrl-C cancels the run; in a store, it goes on where "wf worker" takes it up.`,
		Example: `  wf try plan.json --input '{"path": "notes.md"}'
  wf try plan.json --config wf.config.json --input-file run-input.json --format json
  wf try plan.json --answer 'approve=rejected:{"comment": "too long"}' --answer approve=approved
  cat plan.json | wf try - --trace`,
		Args: takes(1, 1, "one PLAN"),
	}
	in.add(cmd)
	cmd.Flags().StringVar(&flags.store, "store", "", "keep the run in this `STORE`: file:FOLDER, sqlite:FILE or postgres://…; without it nothing is kept")
	configFlag(cmd, &flags.config)
	cmd.Flags().Var(positive{&timeout}, "timeout", "cancel the run after this time (30s, 2m; 30 is seconds), and exit with 9")
	cmd.Flags().Var(&replies, "answer", "answer an interrupt; may be given several times")
	cmd.Flags().BoolVar(&trace, "trace", false, "show the steps, on standard error; JSON has them always")
	cmd.RunE = a.run(func(ctx context.Context, args []string) (*answer, error) {
		if err := stdinOnce(args[0], in.file, flags.config); err != nil {
			return nil, err
		}
		plan, err := a.readPlan(ctx, args[0])
		if err != nil {
			return nil, err
		}
		rt, done, err := a.runtimeOn(ctx, &flags)
		if err != nil {
			return nil, err
		}
		defer done()
		plan.examine(rt)
		if plan.diags.HasErrors() {
			return nil, invalid(plan.diags, plan.repair(flags.config)...)
		}
		given, err := a.readInput(ctx, &in, cmd)
		if err != nil {
			return nil, err
		}
		end, err := start(ctx, rt, plan.workflow, given, given.value(), &replies, timeout)
		if err != nil {
			return nil, a.failure(err, &flags)
		}
		out := plan.ran(end, trace, timeout)
		out.diags = append(out.diags, replies.unused(end.info)...)
		switch {
		case flags.store != "" && flags.store != inMemory:
			out.next = append(out.next, nextOf(lifecycle.RunAdvice(end.info).NextActions, &flags)...)
			out.next = out.next[:min(len(out.next), 3)]
		case len(end.info.Interrupts) > 0:
			out.next = a.answerNext(end.info.Interrupts)
		}
		return out, nil
	})
	return cmd
}

// ended is a run that has ended.
type ended struct {
	info *wf.RunInfo // with the trace
	exit int
}

var errTimeout = errors.New("the time of --timeout is over")

// start runs a workflow until it has ended, or waits for an answer that is not among those that are given. What is wrong with the
// value that it is given is wrong with the input.
func start(ctx context.Context, rt *wf.Runtime, w *wf.Workflow, in *input, given value.Value, replies *answers, timeout time.Duration) (*ended, error) {
	limited := ctx
	if timeout > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeoutCause(ctx, timeout, errTimeout)
		defer cancel()
	}
	run, err := rt.Run(limited, w, given)
	kept := rt.Journal() != nil
	if run != nil && err != nil { // it is in a store, and nobody waits for it any more
		if err := leave(ctx, limited, run); err != nil {
			return nil, err
		}
	} else if err != nil && errors.Is(context.Cause(limited), errTimeout) && errors.Is(err, context.DeadlineExceeded) {
		return nil, failed(ExitTimeout, wf.CodeTimeout, fmt.Sprintf("the run did not begin within %s, the time of --timeout", timeout), "give it more time")
	} else if err != nil {
		var e *wf.Error
		if errors.As(err, &e) {
			if found, ok := in.violations(e); ok {
				return nil, invalid(found, explainNext(found)...)
			}
		}
		return nil, err
	}
	if !kept {
		defer run.Cancel(context.Background(), "nobody waits for it any more")
	}
	if err := replies.give(limited, run, kept); err != nil && run.Status() == wf.StatusInterrupted {
		return nil, err
	} else if err != nil && kept {
		if err := leave(ctx, limited, run); err != nil {
			return nil, err
		}
	}
	end := &ended{info: run.Info()}
	if end.info.Trace, err = run.Trace(); err != nil {
		return nil, err
	}
	switch {
	case end.info.Status == wf.StatusCompleted:
	case end.info.Status == wf.StatusInterrupted:
		end.exit = ExitWaiting
	case end.info.Status == wf.StatusCancelled && errors.Is(context.Cause(limited), errTimeout):
		end.exit = ExitTimeout
	case end.info.Status == wf.StatusCancelled && ctx.Err() != nil:
		end.exit = ExitInterrupted
	default:
		end.exit = ExitRunFailed
	}
	return end, nil
}

// leave ends the waiting for a run that is in a store: one whose time is over is cancelled, one whose caller goes away goes on.
func leave(ctx, limited context.Context, run *wf.RunHandle) error {
	if ctx.Err() == nil && limited.Err() != nil {
		return run.Cancel(ctx, errTimeout.Error())
	}
	return lifecycle.GoesOn(ctx, run.ID())
}

// runtimeOn makes the runtime of a plan that is tried: on a store, if one is named, else in memory.
func (a *app) runtimeOn(ctx context.Context, flags *storeFlags) (*wf.Runtime, func(), error) {
	if flags.store == "" {
		rt, err := a.runtimeWith(ctx, flags.config)
		return rt, func() {}, err
	}
	api, err := a.open(ctx, flags)
	if err != nil {
		return nil, nil, err
	}
	return api.Runtime(), api.close, nil
}

// ran is the answer about a run of the plan.
func (p *planFile) ran(end *ended, trace bool, timeout time.Duration) *answer {
	info := end.info
	out := &answer{exit: end.exit, result: info, diags: p.diags, table: traceTable(info.Trace)}
	out.text = func(page *page) {
		if info.Output != nil {
			page.json(info.Output)
		}
	}
	for _, entry := range info.Trace {
		out.items = append(out.items, item{"step", entry})
	}
	for _, open := range info.Interrupts {
		out.items = append(out.items, item{"interrupt", open})
	}
	for _, open := range info.Doubts {
		out.items = append(out.items, item{"doubt", open})
	}
	rest := *info
	rest.Trace = nil
	out.items = append(out.items, item{"run", &rest})
	out.brief, out.left = brief(info), []string{"/result: state, input and the steps' data"}
	if trace {
		page := &page{}
		out.table.write(page)
		out.notes = append(out.notes, strings.TrimSuffix(page.String(), "\n"))
	}
	out.notes = append(out.notes, summary(info))
	if len(info.Interrupts)+len(info.Doubts) > 0 {
		page := &page{}
		writeInterrupts(page, info.Interrupts)
		writeDoubts(page, info.Doubts)
		out.notes = append(out.notes, strings.TrimSuffix(page.String(), "\n"))
	}
	if f := p.failed(end, timeout); f != nil {
		out.diags = append(wf.Diagnostics{*f}, out.diags...)
		out.next = explainNext(out.diags)
	}
	return out
}
