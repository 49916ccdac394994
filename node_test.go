package wf

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

type countIn struct {
	Text  string `json:"text"`
	Limit uint8  `json:"limit,omitempty"`
}

type countOut struct {
	Words int `json:"words"`
}

var errTooShort = errors.New("too short")

func count(_ context.Context, in countIn) (countOut, error) {
	if in.Text == "" {
		return countOut{}, errTooShort
	}
	return countOut{Words: len(strings.Fields(in.Text))}, nil
}

func parseValue(t testing.TB, text string) value.Value {
	t.Helper()
	v, err := value.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestNodeContract(t *testing.T) {
	t.Parallel()
	f := Node("count", count).Describe("Counts words.").Effect(EffectPure).Retry(Retry{MaxAttempts: 2}).Timeout(90 * time.Second)
	if problems := f.Problems(); problems != nil {
		t.Fatal(problems)
	}
	got := f.Contract()
	want := &NodeDef{Name: "count", Description: "Counts words.", Effect: EffectPure, Retry: &Retry{MaxAttempts: 2}, TimeoutSeconds: 90,
		InputSchema:  got.InputSchema,
		OutputSchema: Schema(`{"additionalProperties":false,"properties":{"words":{"type":"integer"}},"required":["words"],"type":"object"}`)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got.Name, got.Retry.MaxAttempts = "changed", 9
	if again := f.Contract(); again.Name != "count" || again.Retry.MaxAttempts != 2 {
		t.Error("a caller changed the contract")
	}
	if name := f.OfSource("local.text").Contract().Name; name != "local.text.count" {
		t.Errorf("in a registry it is called %q", name)
	}
	if f.ref() != "local.count" {
		t.Errorf("on its own it is called %q", f.ref())
	}
}

func TestInvoke(t *testing.T) {
	t.Parallel()
	decide := Decision("judge", func(_ context.Context, in countIn) (Outcome, countOut, error) {
		return "long", countOut{Words: int(in.Limit)}, nil
	}, "long", "short")
	raw := RawNode(&NodeDef{Name: "echo", Outcomes: []Outcome{"ok", "odd"}}, func(_ context.Context, in json.RawMessage) (*Result, error) {
		return &Result{Outcome: "odd", Output: in}, nil
	})
	empty := RawNode(&NodeDef{Name: "empty"}, func(context.Context, json.RawMessage) (*Result, error) { return nil, nil })
	broken := RawNode(&NodeDef{Name: "broken"}, func(context.Context, json.RawMessage) (*Result, error) {
		return &Result{Output: json.RawMessage(`{`)}, nil
	})
	for _, test := range []struct {
		f       *Func
		input   string
		outcome Outcome
		output  string
		err     string
	}{
		{Node("count", count), `{"text":"a b c"}`, OK, `{"words":3}`, ""},
		{Node("count", count), `{"text":""}`, "", "", "too short"},
		{Node("count", count), `{"text":"a","limit":300}`, "", "", "/limit: 300 does not fit into 8 bits"},
		{Node("count", count), `{}`, "", "", `the member "text" is missing`},
		{decide, `{"text":"a","limit":7}`, "long", `{"words":7}`, ""},
		{raw, `{"b":1,"a":[1.50]}`, "odd", `{"a":[1.50],"b":1}`, ""},
		{empty, `{}`, OK, `{}`, ""},
		{broken, `{}`, "", "", "end"},
	} {
		outcome, output, err := test.f.invoke(t.Context(), whole(parseValue(t, test.input)))
		switch {
		case test.err != "":
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%s: got error %v, want %s", test.input, err, test.err)
			}
		case err != nil:
			t.Errorf("%s: %v", test.input, err)
		case outcome != test.outcome || string(output.JSON()) != test.output:
			t.Errorf("%s: got %s %s, want %s %s", test.input, outcome, output, test.outcome, test.output)
		}
	}
	_, _, err := Node("count", count).invoke(t.Context(), whole(parseValue(t, `{"text":1}`)))
	var misfit *misfitError
	if !errors.As(err, &misfit) || misfit.code != "input_invalid" {
		t.Errorf("an input that does not fit gives %v", err)
	}
	if _, _, err = Node("count", count).invoke(t.Context(), whole(parseValue(t, `{"text":""}`))); !errors.Is(err, errTooShort) {
		t.Errorf("the function's own error is lost: %v", err)
	}
}

// whole is an input that was not bound by members.
func whole(v value.Value) kernel.Bound { return kernel.Bound{Values: []value.Value{v}} }

// members is an object as it was bound member by member.
func members(v value.Value) kernel.Bound {
	var keys []string
	var b kernel.Bound
	for key, member := range v.Members() {
		keys, b.Values = append(keys, key), append(b.Values, member)
	}
	b.Shape = value.NewShape(keys...)
	return b
}

// TestInputChecked: where a function says that it checks its input itself, it accepts exactly what its schema does.
func TestInputChecked(t *testing.T) {
	t.Parallel()
	type inner struct {
		When  time.Time   `json:"when"`
		Count json.Number `json:"count,omitempty"`
	}
	type in struct {
		Text   string           `json:"text"`
		Ptr    *int8            `json:"ptr"`
		Opt    *inner           `json:"opt,omitempty"`
		List   []inner          `json:"list"`
		Pair   [2]bool          `json:"pair,omitzero"`
		Bytes  []byte           `json:"bytes,omitempty"`
		Any    any              `json:"any,omitempty"`
		Map    map[string]int   `json:"map,omitempty"`
		Raw    *json.RawMessage `json:"raw,omitempty"`
		Loose  string           `json:"loose,omitempty" jsonschema:"nullable"`
		Quoted int              `json:"quoted,omitempty,string"`
	}
	f := Node("f", func(context.Context, in) (nothing, error) { return nothing{}, nil })
	if !f.inputChecked || !f.outputChecked {
		t.Fatalf("checked: input %v, output %v", f.inputChecked, f.outputChecked)
	}
	s, problems := schema.Parse(f.def.InputSchema, nil)
	if s == nil {
		t.Fatal(problems)
	}
	good := parseValue(t, `{"text":"t","ptr":null,"list":null}`)
	edits := []struct{ key, text string }{
		{"text", `null`}, {"text", `1`}, {"text", ``}, {"ptr", `1`}, {"ptr", `"1"`}, {"ptr", ``}, {"opt", `null`}, {"opt", `{}`},
		{"opt", `{"when":"2026-01-02T03:04:05Z"}`}, {"opt", `{"when":null}`}, {"opt", `{"when":"2026-01-02T03:04:05Z","count":"5"}`},
		{"opt", `{"when":"2026-01-02T03:04:05Z","count":5}`}, {"opt", `{"when":"2026-01-02T03:04:05Z","more":1}`},
		{"list", `[]`}, {"list", `[null]`}, {"list", `[{"when":"2026-01-02T03:04:05Z"}]`}, {"list", ``}, {"pair", `[true]`}, {"pair", `[true,false]`},
		{"pair", `null`}, {"bytes", `[1]`}, {"bytes", `"AAAA"`}, {"bytes", `null`}, {"any", `null`}, {"any", `[{}]`}, {"map", `{"a":null}`},
		{"map", `{"a":1}`}, {"map", `null`}, {"raw", `null`}, {"raw", `{}`}, {"loose", `null`}, {"loose", `"x"`}, {"quoted", `"5"`}, {"quoted", `5`},
		{"Text", `"t"`}, {"other", `null`},
	}
	for _, edit := range edits {
		input := good.With(edit.key, value.Value{})
		if edit.text != "" {
			input = good.With(edit.key, parseValue(t, edit.text))
		}
		for what, bound := range map[string]kernel.Bound{"whole": whole(input), "members": members(input)} {
			_, _, err := f.invoke(t.Context(), bound)
			if valid := s.Valid(input); valid != (err == nil) {
				t.Errorf("%s, %s: valid is %v, calling gives %v", input, what, valid, err)
			}
		}
	}
	for _, input := range []string{`null`, `[]`} {
		if _, _, err := f.invoke(t.Context(), whole(parseValue(t, input))); err == nil {
			t.Errorf("%s was accepted", input)
		}
	}
}

func TestInvokeAllocations(t *testing.T) {
	f := Node("add", func(_ context.Context, in countOut) (countOut, error) { return countOut{in.Words + 1}, nil })
	input := members(parseValue(t, `{"words":1}`))
	ctx := t.Context()
	if n := testing.AllocsPerRun(100, func() { _, _, _ = f.invoke(ctx, input) }); n > 1 {
		t.Errorf("%v allocations a call, want 1 at most", n)
	}
}

func BenchmarkInvoke(b *testing.B) {
	f := Node("add", func(_ context.Context, in countOut) (countOut, error) { return countOut{in.Words + 1}, nil })
	input := members(parseValue(b, `{"words":1}`))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := f.invoke(b.Context(), input); err != nil {
			b.Fatal(err)
		}
	}
}

func TestFuncProblems(t *testing.T) {
	t.Parallel()
	type channel struct{ C chan int }
	for _, test := range []struct {
		c    Callable
		want []Code
	}{
		{Node("count", count), nil},
		{Node("no name", count), []Code{"name_invalid"}},
		{Node("f", func(context.Context, string) (int, error) { return 0, nil }), []Code{"schema_not_object"}},
		{Node("f", func(context.Context, map[string]int) ([]int, error) { return nil, nil }), nil},
		{Node("f", func(context.Context, channel) (channel, error) { return channel{}, nil }), []Code{"type_unsupported", "type_unsupported"}},
		{Node[countIn, countOut]("f", nil), []Code{"callable_missing"}},
		{Node("f", count).Timeout(0), []Code{"timer_out_of_range"}},
		{Decision("f", func(context.Context, countIn) (Outcome, countOut, error) { return "", countOut{}, nil }), []Code{"outcomes_missing"}},
		{Decision("f", func(context.Context, countIn) (Outcome, countOut, error) { return "", countOut{}, nil }, "a", "a", "b c"),
			[]Code{"name_duplicate", "name_invalid"}},
		{RawNode(nil, nil), []Code{"name_invalid", "callable_missing"}},
		{Ref("read_file"), []Code{"ref_invalid"}},
		{Ref("mcp.drive.read_file"), nil},
		{CapabilityOf[[]int, int]("a.b"), []Code{"schema_not_object"}},
		{Ask[countIn, countOut]("approval", "yes", "no").Timeout(time.Hour, "late"), nil},
		{Ask[int, countOut]("an approval", "yes").AnswerSchema("no", nil).Timeout(-1, ""),
			[]Code{"name_invalid", "schema_not_object", "outcome_unknown", "timer_out_of_range", "name_invalid"}},
	} {
		var got []Code
		for _, d := range problemsOf(test.c) {
			got = append(got, d.Code)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, want %v", test.c.Contract().Name, problemsOf(test.c), test.want)
		}
	}
}

func TestQuestionContract(t *testing.T) {
	t.Parallel()
	q := Ask[countIn, countOut]("approval", "yes", "no").Timeout(time.Hour, "late")
	if got := q.Contract().Outcomes; !slices.Equal(got, []Outcome{"yes", "no", "late"}) {
		t.Errorf("outcomes %v", got)
	}
	if got := Ask[countIn, countOut]("approval").Contract().Outcomes; !slices.Equal(got, []Outcome{OK}) {
		t.Errorf("outcomes %v", got)
	}
}
