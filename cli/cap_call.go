package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"lda.chat/wf"
	"lda.chat/wf/internal/value"
)

func capCallCommand(a *app) *cobra.Command {
	var in inputFlags
	var configFile string
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:   "call REF",
		Short: "Call a capability now",
		Long: `Calls a capability as a step of a plan would: its input, outcome and output are checked against its contract, its retries
and its timeout hold. Nothing is saved.`,
		Example: `  wf cap call local.report.extract_report --input-file cap-input.json
  wf cap call local.report.read_notes --input '{"path": "notes.md"}'`,
		Args: takes(1, 1, "one REF"),
	}
	in.add(cmd)
	configFlag(cmd, &configFile)
	cmd.Flags().Var(positive{&timeout}, "timeout", "give up after this time (30s, 2m; 30 is seconds), and exit with 9")
	cmd.RunE = a.run(func(ctx context.Context, args []string) (*answer, error) {
		if err := stdinOnce(in.file, configFile); err != nil {
			return nil, err
		}
		set, err := a.sources(ctx, configFile)
		if err != nil {
			return nil, err
		}
		fn, err := findCap(set, args[0], configFile)
		if err != nil {
			return nil, err
		}
		rt, err := a.runtime(set)
		if err != nil {
			return nil, err
		}
		given, err := a.readInput(ctx, &in, cmd)
		if err != nil {
			return nil, err
		}
		end, err := start(ctx, rt, oneCall(fn.Contract()), given, value.Object(value.Member{Key: "input", Value: given.value()}), nil, timeout)
		if err != nil {
			return nil, err
		}
		return called(args[0], end, given, timeout)
	})
	return cmd
}

// oneCall is the workflow that calls one capability, and ends with its outcome and its output. The capability's input, which
// may be any JSON, is the member "input" of the run's, which is an object.
func oneCall(def *wf.NodeDef) *wf.Workflow {
	whole := func(root wf.Root, parts ...wf.Part) *wf.Path { return &wf.Path{Root: root, Parts: parts} }
	w := &wf.Workflow{Format: wf.Format, Name: "call", Outcomes: outcomesOf(def), Start: "call"}
	w.Nodes = append(w.Nodes, &wf.NodeStep{
		StepCommon: wf.StepCommon{ID: "call"}, Node: def.Name,
		Input: []wf.InputBinding{{Target: *whole(wf.RootLocal), Operand: wf.Operand{Path: whole(wf.RootInput, wf.Part{Name: "input"})}}},
	})
	for i, outcome := range w.Outcomes {
		id := "end_" + strconv.Itoa(i)
		w.Nodes = append(w.Nodes, &wf.EndStep{
			StepCommon: wf.StepCommon{ID: id}, Outcome: outcome,
			Output: []wf.InputBinding{{Target: *whole(wf.RootLocal), Operand: wf.Operand{Path: whole(wf.RootSteps, wf.Part{Name: "call"})}}},
		})
		w.Edges = append(w.Edges, wf.Edge{From: "call", Outcome: outcome, To: id})
	}
	return w
}

// callResult is how a call went.
type callResult struct {
	Ref       string          `json:"ref"`
	Status    wf.RunStatus    `json:"status"`
	Outcome   wf.Outcome      `json:"outcome,omitempty"`
	Output    json.RawMessage `json:"output,omitempty"`
	Extra     json.RawMessage `json:"extra,omitempty"` // what the contract does not declare
	Error     *wf.Error       `json:"error,omitempty"`
	Input     json.RawMessage `json:"input"`
	Attempts  int             `json:"attempts"`
	Retries   []wf.TraceRetry `json:"retries,omitempty"`
	StartedAt time.Time       `json:"started_at"`
	EndedAt   time.Time       `json:"ended_at"`
}

// called is the answer about a call.
func called(ref string, end *ended, in *input, timeout time.Duration) (*answer, error) {
	info := end.info
	r := &callResult{Ref: ref, Status: info.Status, Outcome: info.Outcome, Error: info.Error, Input: in.value().JSON(), StartedAt: info.StartedAt, EndedAt: info.UpdatedAt}
	for _, x := range info.Trace {
		if x.Step == "call" {
			r.Output, r.Extra, r.Attempts, r.Retries = x.Output, x.Extra, x.Attempts, x.Retries
		}
	}
	if e := r.Error; e != nil {
		e.Step, e.Frame = "", ""
		if found, ok := in.violations(e); ok {
			return nil, invalid(found, explainNext(found)...)
		}
	}
	out := &answer{exit: end.exit, result: r, notes: []string{fmt.Sprintf("%s: %s", ref, verdictOf(r))}}
	if r.Output != nil {
		out.text = func(p *page) { p.json(r.Output) }
	}
	if r.Error != nil {
		d := wf.Diagnostic{Severity: wf.SeverityError, Code: r.Error.Code, LogicalRef: ref, Message: r.Error.Message}
		if end.exit == ExitTimeout {
			d.Code, d.Message = wf.CodeTimeout, fmt.Sprintf("the call was cancelled: it did not end within %v", timeout)
		}
		out.diags = wf.Diagnostics{d}
		out.next = explainNext(out.diags)
	}
	return out, nil
}

func verdictOf(r *callResult) string {
	if r.Outcome != "" {
		return "outcome " + string(r.Outcome)
	}
	return string(r.Status)
}
