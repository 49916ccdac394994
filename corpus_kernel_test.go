package wf

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lda.chat/wf/internal/corpus"
	goldens "lda.chat/wf/internal/golden"
	"lda.chat/wf/internal/kernel"
)

// Every case is played on the bare kernel: once plainly, where after every record the encoded records are folded and the
// whole machine is compared, and then with the machine thrown away after one of the records, and folded from them: once for
// each record, and once for all of them together. However often it is loaded, a run comes to the same end.
func TestCorpusOnKernel(t *testing.T) {
	t.Parallel()
	cases, err := corpus.Load("internal/corpus/testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			d := newKernelDriver(t, c)
			c.Play(t, d.findings, d.orNil(), true)
			if goldens.Updating() {
				return
			}
			records := len(d.lines)
			each := 1 + records/mostReloads
			if records > mostFolds {
				each = 1 + records/fewReloads
			}
			again := func(snapshots bool, reload func(record int) bool) {
				again := newKernelDriver(t, c)
				again.quick, again.snapshots, again.reload = true, snapshots, reload
				c.Play(t, again.findings, again.orNil(), true)
				if diff := cmp.Diff(told(d.lines), told(again.lines)); diff != "" {
					t.Errorf("the records differ (-plain +loaded):\n%s", diff)
				}
			}
			for at := 1; at <= records && !t.Failed(); at += each {
				for _, snapshots := range []bool{false, true} {
					again(snapshots, func(record int) bool { return record == at })
					if t.Failed() {
						t.Logf("it was loaded after record %d, from a snapshot: %v", at, snapshots)
					}
				}
			}
			if records > mostFolds || t.Failed() {
				return
			}
			again(false, func(int) bool { return true })
			again(true, func(int) bool { return true })
		})
	}
}

func told(lines [][]byte) []string {
	list := make([]string, len(lines))
	for i := range lines {
		list[i] = string(lines[i])
	}
	return list
}

// mostFolds is up to how many records a run is looked at after each of them, and after every few of the later ones;
// mostReloads how often a case is played again, fewReloads if it has more records than that.
const (
	mostFolds   = 150
	everyFew    = 17
	mostReloads = 60
	fewReloads  = 5
)

// answerKey is under which a scripted function finds the answer that it is to give.
type answerKey struct{}

// scripted finds for every ref a function that gives the answer of its context, with the plan's own contract if it has one.
type scripted struct {
	defs map[string]*NodeDef
}

func (s scripted) Refs() []string { return nil }

func (s scripted) Node(ref string) (*Func, bool) {
	at := strings.LastIndexByte(ref, '.')
	if strings.HasPrefix(ref, "none.") || at < 0 {
		return nil, false
	}
	def := &NodeDef{}
	if own := s.defs[ref]; own != nil {
		*def = *own
	}
	def.Name = ref[at+1:]
	return RawNode(def, func(ctx context.Context, input json.RawMessage) (*Result, error) {
		return corpusResult(ctx.Value(answerKey{}).(*corpus.Answer))
	}).OfSource(ref[:at]), true
}

func corpusResult(a *corpus.Answer) (*Result, error) {
	if a.Code != "" {
		return nil, &Error{Code: Code(a.Code), Message: a.Message, Unsent: a.Unsent}
	}
	return &Result{Outcome: Outcome(a.Outcome), Output: a.Output.JSON()}, nil
}

// kernelDriver drives a machine by hand.
type kernelDriver struct {
	t         *testing.T
	prog      *program
	findings  []corpus.Finding
	m         *kernel.Machine
	lines     [][]byte
	shadow    *kernel.Machine // folded along
	quick     bool            // nothing is compared
	reload    func(record int) bool
	snapshots bool // it is loaded from a snapshot

	calls     map[string]kernel.Effect // that are out, by name
	gone      map[string]kernel.Effect // that were cancelled, since the machine was loaded
	timers    map[string]setTimer
	set       int // timers so far
	asked     map[string]bool
	answered  map[string]bool
	fresh     []corpus.Call
	cancelled []string
}

type setTimer struct {
	timer kernel.Timer
	at    int64
	order int
}

func newKernelDriver(t *testing.T, c *corpus.Case) *kernelDriver {
	t.Helper()
	d := &kernelDriver{t: t, calls: map[string]kernel.Effect{}, gone: map[string]kernel.Effect{}, timers: map[string]setTimer{},
		asked: map[string]bool{}, answered: map[string]bool{}}
	nodes := scripted{map[string]*NodeDef{}}
	if w, _ := ParseWorkflow(c.Plan); w != nil {
		for _, def := range w.NodeDefs {
			nodes.defs[def.Name] = def
		}
	}
	rt, err := NewRuntime(&RuntimeOptions{Nodes: nodes})
	if err != nil {
		t.Fatal(err)
	}
	w, diags := rt.CheckText(c.Plan)
	for _, x := range diags {
		d.findings = append(d.findings, corpus.Finding{Severity: string(x.Severity), Code: string(x.Code), Path: x.Path, Message: x.Message})
	}
	if diags.HasErrors() {
		return d
	}
	if d.prog, err = rt.program(w); err != nil {
		t.Fatal(err)
	}
	d.m, d.shadow = kernel.New(d.prog.kernel), kernel.New(d.prog.kernel)
	return d
}

func (d *kernelDriver) orNil() corpus.Driver {
	if d.m == nil {
		return nil
	}
	return d
}
