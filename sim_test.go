package wf

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"lda.chat/wf/internal/value"
)

// Without WF_SEEDS the simulation plays a few runs, always the same; with it so many as it says, all four tests together, and
// others each time. A run that fails is made smaller, and printed with its plan and what happened in it.
func init() {
	seeds, seed := "250", "1"
	if n, err := strconv.Atoi(os.Getenv("WF_SEEDS")); err == nil {
		seeds, seed = strconv.Itoa((n+3)/4), "0"
	}
	for name, to := range map[string]string{"rapid.checks": seeds, "rapid.seed": seed, "rapid.nofailfile": "true"} {
		if err := flag.Set(name, to); err != nil {
			panic(err)
		}
	}
}

// simNodes offers the capabilities of generated plans. Nothing calls them: the simulation answers itself.
type simNodes map[string]*Func

func (n simNodes) Node(ref string) (*Func, bool) { f, ok := n[ref]; return f, ok }
func (n simNodes) Refs() []string                { return nil }

var simRuntime = func() *Runtime {
	nodes := simNodes{}
	for ref, def := range simDefs {
		own := *def
		own.Name = strings.TrimPrefix(ref, "sim.")
		nodes[ref] = RawNode(&own, func(context.Context, json.RawMessage) (*Result, error) { return nil, nil }).OfSource("sim")
	}
	rt, err := NewRuntime(&RuntimeOptions{Nodes: nodes})
	if err != nil {
		panic(err)
	}
	return rt
}()

// simPlan makes a plan and compiles it: it must be valid.
func simPlan(t *rapid.T, wild, swap bool) (*simFlow, *program) {
	g := &simGen{t: t, wild: wild, swap: swap}
	g.room = 4 + g.n(40)
	f := g.flow("sim", 3)
	diags := simRuntime.Check(f.w)
	if wild && slices.ContainsFunc(diags, func(d Diagnostic) bool { return d.Code == "write_conflict" }) {
		t.Skip("two branches surely write one field")
	}
	if slices.ContainsFunc(diags, simFindsNothing) {
		simDefaulted(reflect.ValueOf(f.w))
	}
	return f, simCompile(t, f.w)
}

// simFindsNothing tells the errors of reads that find nothing on any way: the generator does not follow the ways.
func simFindsNothing(d Diagnostic) bool {
	return d.Severity == SeverityError && (d.Code == "state_never_written" || d.Code == "step_never_ran")
}

// simDefaulted gives a default to what reads a value that may not be there.
func simDefaulted(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			simDefaulted(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			simDefaulted(v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			x := reflect.New(v.Type().Elem()).Elem()
			x.Set(v.MapIndex(key))
			simDefaulted(x)
			v.SetMapIndex(key, x)
		}
	case reflect.Struct:
		if o, ok := v.Addr().Interface().(*Operand); ok && o.Path != nil && o.Default == nil && simMayLack(o.Path) {
			o.Default = json.RawMessage("6")
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				simDefaulted(v.Field(i))
			}
		}
	}
}

func simMayLack(p *Path) bool {
	return p.Root == RootSteps || p.Root == RootState && len(p.Parts) > 0 && slices.Contains([]string{"err", "any"}, p.Parts[0].Name)
}

func simCompile(t *rapid.T, w *Workflow) *program {
	prog, diags := simRuntime.prepare(w)
	if diags.HasErrors() {
		t.Fatalf("a generated plan has errors: %v\n%s", diags.Err(), planText(w))
	}
	return prog
}

func planText(w *Workflow) string {
	text, err := json.Marshal(w)
	if err != nil {
		return err.Error()
	}
	var b bytes.Buffer
	_ = json.Indent(&b, text, "", " ")
	return b.String()
}

// simRun plays a run; if it fails, it says what was played.
func simRun(t *rapid.T, f *simFlow, prog *program, seed uint64, wild bool) *simWorld {
	w := newSimWorld(&simTeller{T: t, w: f.w}, prog.kernel)
	w.t.(*simTeller).world = w
	input, _ := value.Parse([]byte(`{"n":3,"items":[1,2]}`))
	newSimPlay(t, seed, wild).play(w, input)
	return w
}

// simTeller adds the plan and the script to a failure.
type simTeller struct {
	*rapid.T
	w     *Workflow
	world *simWorld
}

func (t *simTeller) Fatalf(format string, args ...any) {
	t.T.Helper()
	t.T.Fatalf("%s\n-- plan --\n%s\n-- script --\n%s\n", fmt.Sprintf(format, args...), planText(t.w), strings.Join(t.world.script, "\n"))
}

// Whatever comes first, a run comes to what the model says: its end, state and output, and what each frame did.
func TestSimulationAgreesWithTheModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f, prog := simPlan(t, false, false)
		seed := rapid.Uint64().Draw(t, "seed")
		m, way, root := simExpect(f, seed)
		if m.steps > simTooLong {
			return
		}
		w := simRun(t, f, prog, seed, false)
		simCompare(w, m, way, root)
	})
}

// The items of a foreach come to the same one after the other and side by side, if none reads what another writes.
func TestSimulationSerialEqualsParallel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f, prog := simPlan(t, false, true)
		seed := rapid.Uint64().Draw(t, "seed")
		m, way, root := simExpect(f, seed)
		if m.steps > simTooLong || m.vague {
			return
		}
		one := simRun(t, f, prog, seed, false)
		simCompare(one, m, way, root)
		simSwap(f)
		m, way, root = simExpect(f, seed)
		if m.vague {
			return
		}
		other := simRun(t, f, simCompile(t, f.w), seed, false)
		simCompare(other, m, way, root)
		if diff := cmp.Diff(simEnd(one), simEnd(other)); diff != "" {
			other.t.Fatalf("serial and parallel differ (-before the swap +after):\n%s", diff)
		}
	})
}

// Whatever happens, in whatever order, the machine keeps its promises: see simWorld.check.
func TestSimulationOfEverything(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f, prog := simPlan(t, true, false)
		simRun(t, f, prog, rapid.Uint64().Draw(t, "seed"), true)
	})
}

// simSwap turns serial into parallel and back, wherever blocks lie.
func simSwap(f *simFlow) {
	for _, s := range f.w.Nodes {
		if each, ok := s.(*ForeachStep); ok {
			if each.Mode = map[string]string{ModeSerial: ModeParallel, ModeParallel: ModeSerial}[each.Mode]; each.Mode == ModeSerial {
				each.MaxConcurrency = 0
			}
		}
	}
	for _, kid := range f.kids {
		simSwap(kid)
	}
}

func simExpect(f *simFlow, seed uint64) (*simModel, simWay, *simFrame) {
	m := &simModel{seed: seed, trace: map[string][]string{}}
	input, _ := value.Parse([]byte(`{"n":3,"items":[1,2]}`))
	root := m.frame(f, "", input)
	way := root.run()
	return m, way, root
}

// simEnd is what a run came to, without texts.
func simEnd(w *simWorld) string {
	code := ""
	if fail, _ := w.live.Failure(); fail != nil {
		code = fail.Code
	}
	return fmt.Sprintf("%s %s %s\noutput %s\nstate %s", w.live.Status(), w.live.Outcome(), code, w.live.Output(), wordless(w.live.State()))
}

// wordless takes the messages out of the errors in a value.
func wordless(v value.Value) value.Value {
	switch v.Kind() {
	case value.KindArray:
		var items []value.Value
		for _, x := range v.Items() {
			items = append(items, wordless(x))
		}
		return value.Array(items...)
	case value.KindObject:
		var members []value.Member
		for k, x := range v.Members() {
			if k != "message" && k != "details" {
				members = append(members, value.Member{Key: k, Value: wordless(x)})
			}
		}
		return value.Object(members...)
	}
	return v
}

// simCompare holds a run against the model.
func simCompare(w *simWorld, m *simModel, way simWay, root *simFrame) {
	if m.vague {
		return
	}
	status, code := "completed", ""
	if way.fail != nil {
		status, code, way.output = "failed", way.fail.code, value.Value{}
	}
	var members []value.Member
	for field := range simDefaults {
		members = append(members, value.Member{Key: field, Value: root.state[field]})
	}
	want := fmt.Sprintf("%s %s %s\noutput %s\nstate %s", status, way.outcome, code, way.output, value.Object(members...))
	if diff := cmp.Diff(want, simEnd(w)); diff != "" {
		w.t.Fatalf("the end (-model +run):\n%s", diff)
	}
	dim := func(path string, _ []string) bool {
		return slices.ContainsFunc(m.dim, func(d string) bool { return strings.HasPrefix(path, d) })
	}
	for _, trace := range []map[string][]string{m.trace, w.trace} {
		for path, lines := range trace {
			if dim(path, lines) {
				delete(trace, path)
			}
		}
	}
	if diff := cmp.Diff(m.trace, w.trace); diff != "" {
		w.t.Fatalf("what the frames did (-model +run):\n%s", diff)
	}
}
