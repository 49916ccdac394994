package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
)

func capCallCommand(a *app) *cobra.Command {
	var in inputFlags
	var timeout time.Duration
	p := &lifecycle.CallCapability{}
	cmd := &cobra.Command{
		Use:   "call REF",
		Short: summaryOf("capabilities.call"),
		Long: `Calls a capability as a step of a plan would: its input, outcome and output are checked against its contract, its retries
and its timeout hold. No run is kept. A saved workflow is not called but run, since it may wait and ask: the answer says how.`,
		Example: `  wf cap call local.report.extract_report --input-file cap-input.json
  wf cap call local.report.read_notes --input '{"path": "notes.md"}'`,
		Args: takes(1, 1, "one REF"),
	}
	in.add(cmd)
	flags := catalogFlags(a, cmd)
	cmd.Flags().Var(positive{&timeout}, "timeout", "give up after this time (30s, 2m; 30 is seconds), and exit with 9")
	cmd.Flags().BoolVar(&p.Full, "full", false, "show the output, however large it is")
	cmd.RunE = a.onCatalog(flags, &timeout, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		if err := stdinOnce(in.file, flags.config); err != nil {
			return nil, err
		}
		given, err := a.readInput(ctx, &in, cmd)
		if err != nil {
			return nil, err
		}
		p.Capability, p.Input = args[0], given.value().JSON()
		c, err := api.CallCapability(ctx, p)
		if e, ok := errors.AsType[*lifecycle.Error](err); ok && e.Kind == lifecycle.TimedOut {
			e.Diagnostics[0].Message = fmt.Sprintf("the call was cancelled: it did not end within %v", timeout)
			e.Diagnostics[0].LogicalRef = args[0]
		}
		if err != nil {
			return nil, inputFailure(err, given)
		}
		return called(c, flags), nil
	})
	return cmd
}

// called is the answer about a call.
func called(c *lifecycle.CapabilityCall, flags *storeFlags) *answer {
	verdict := string(c.Status)
	if c.Outcome != "" {
		verdict = "outcome " + string(c.Outcome)
	}
	out := &answer{result: c, notes: []string{c.Capability + ": " + verdict}, next: nextOf(c.Advice.NextActions, flags)}
	if c.Output != nil || c.Omitted != nil {
		out.text = func(p *page) {
			if c.Output != nil {
				p.json(c.Output)
			}
			p.omitted(c.Omitted)
		}
	}
	if e := c.Error; e != nil {
		out.exit, out.diags = ExitRunFailed, wf.Diagnostics{{Severity: wf.SeverityError, Code: e.Code, LogicalRef: c.Capability, Message: e.Message}}
	}
	c.Advice = nil
	return out
}
