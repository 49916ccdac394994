package wf_test

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lda.chat/wf"
)

// nodes are the capabilities of a test by their refs.
type nodes map[string]*wf.Func

func (n nodes) Node(ref string) (*wf.Func, bool) { f, ok := n[ref]; return f, ok }
func (n nodes) Refs() []string                   { return slices.Sorted(maps.Keys(n)) }

// script is a capability that gives prepared answers, one a call, and remembers what it was given. An answer is the
// JSON of an output, "outcome|" and that, or "!code|message" for a failure.
type script struct {
	answers []string

	mu     sync.Mutex
	inputs []string
}

func (s *script) call(_ context.Context, input json.RawMessage) (*wf.Result, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inputs = append(s.inputs, string(input))
	answer := s.answers[min(len(s.inputs), len(s.answers))-1]
	if rest, failed := strings.CutPrefix(answer, "!"); failed {
		code, message, _ := strings.Cut(rest, "|")
		return nil, &wf.Error{Code: wf.Code(code), Message: message}
	}
	outcome, output, named := strings.Cut(answer, "|")
	if !named {
		outcome, output = "ok", answer
	}
	return &wf.Result{Outcome: wf.Outcome(outcome), Output: json.RawMessage(output)}, nil
}

// open is a contract that takes and gives any object.
func open(name string, outcomes ...wf.Outcome) *wf.NodeDef {
	return &wf.NodeDef{Name: name, Outcomes: outcomes}
}

// local makes a capability of the source "t" of a script.
func local(name string, s *script, outcomes ...wf.Outcome) (string, *wf.Func) {
	return "t." + name, wf.RawNode(open(name, outcomes...), s.call).OfSource("t")
}

func parsePlan(t testing.TB, text string) *wf.Workflow {
	t.Helper()
	w, diags := wf.ParseWorkflow([]byte(text))
	if diags.HasErrors() {
		t.Fatalf("the plan does not parse: %v", diags.Err())
	}
	return w
}

func newRuntime(t testing.TB, n wf.Nodes, reducers ...*wf.Reducer) *wf.Runtime {
	t.Helper()
	rt, err := wf.NewRuntime(&wf.RuntimeOptions{Nodes: n, Reducers: reducers})
	if err != nil {
		t.Fatal(err)
	}
	return rt
}

// runPlan runs a plan to its end.
func runPlan(t testing.TB, n wf.Nodes, plan, input string) *wf.RunHandle {
	t.Helper()
	r, err := newRuntime(t, n).Run(context.Background(), parsePlan(t, plan), json.RawMessage(input))
	if err != nil {
		t.Fatalf("the run did not start: %v", err)
	}
	return r
}

func wantStatus(t testing.TB, r *wf.RunHandle, want wf.RunStatus) {
	t.Helper()
	if got := r.Status(); got != want {
		t.Fatalf("status %s, want %s: %v", got, want, r.Err())
	}
}

// wantFailure checks the failure's code and step, and gives it.
func wantFailure(t testing.TB, r *wf.RunHandle, code wf.Code, step string) *wf.Error {
	t.Helper()
	e, ok := r.Err().(*wf.Error)
	if !ok || e.Code != code || e.Step != step {
		t.Fatalf("the run ended with %v (%s), want %s at %q", r.Err(), r.Status(), code, step)
	}
	return e
}

func wantJSON(t testing.TB, what string, got json.RawMessage, want string) {
	t.Helper()
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}

func trace(t testing.TB, r *wf.RunHandle) []wf.TraceEntry {
	t.Helper()
	entries, err := r.Trace()
	if err != nil {
		t.Fatal(err)
	}
	return entries
}
