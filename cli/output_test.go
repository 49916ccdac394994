package cli

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"lda.chat/wf"
	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

// leaves are all commands that do something.
func leaves(t *testing.T) []string {
	t.Helper()
	var all []string
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, c := range cmd.Commands() {
			walk(c)
		}
		if !cmd.HasSubCommands() {
			all = append(all, words(cmd))
		}
	}
	walk(newRoot(newApp(testHost())))
	if len(all) < 10 {
		t.Fatalf("only %d commands", len(all))
	}
	return all
}

// What is said of runs, findings and contracts has the shapes that `wf schema` shows.
func TestResultsFitTheirShapes(t *testing.T) {
	t.Parallel()
	s := demo(t)
	s.write("fail.json", `{"name": "f", "nodes": [{"id": "a", "node": "local.demo.fail", "next": "__end__"}]}`)
	s.write("ask.json", `{"name": "ask", "nodes": [
		{"id": "each", "type": "foreach", "over": [1, 2], "as": "n", "mode": "parallel", "on": {"item": "ask", "done": "__end__"}},
		{"id": "ask", "type": "interrupt", "kind": "k", "outcomes": ["ok"], "resume_schema": {"type": "object"}, "timeout_seconds": 60, "timeout_outcome": "late",
			"on": {"ok": "__continue__", "late": "__continue__"}}]}`)
	s.write("bad.json", `{"name": "bad", "nodes": [{"id": "a", "node": "local.demo.gret", "on": {"b": "c"}}]}`)
	for _, test := range []struct{ shape, place, command string }{
		{"run", "result", "try echo.json --input {\"all\":[1]}"},
		{"run", "result", "try fail.json"},
		{"run", "result", "try ask.json"},
		{"run", "result", "try hang.json --timeout 10ms"},
		{"diagnostic", "diagnostics", "plan validate bad.json"},
		{"diagnostic", "diagnostics", "try fail.json"},
		{"diagnostic", "diagnostics", "tyr"},
		{"node_def", "result/contract", "cap show local.demo.review"},
	} {
		text, ok := wf.SchemaOf(test.shape)
		shape, problems := schema.Parse(text, nil)
		if !ok || len(problems) > 0 {
			t.Fatalf("%s: %v", test.shape, problems)
		}
		r := s.run(t.Context(), map[string]string{"WF_FORMAT": "json"}, nil, strings.Fields(test.command)...)
		v, err := value.Parse([]byte(r.stdout))
		if err != nil {
			t.Fatal(err)
		}
		for part := range strings.SplitSeq(test.place, "/") {
			v = v.Get(part)
		}
		items := []value.Value{v}
		if v.Kind() == value.KindArray {
			items = nil
			for _, x := range v.Items() {
				items = append(items, x)
			}
		}
		if len(items) == 0 {
			t.Errorf("%s: no %s", test.command, test.place)
		}
		for _, x := range items {
			for _, violation := range shape.Check(x) {
				t.Errorf("wf %s: %s: %s: %s", test.command, test.shape, violation.Pointer, violation.Message)
			}
		}
	}
}

func TestSameBytesEachTime(t *testing.T) {
	t.Parallel()
	s := demo(t)
	s.write("bad.json", `{"name": "bad", "nodes": [{"id": "a", "node": "x.y", "on": {"b": "c", "d": "e", "f": "g"}}, {"id": "z", "type": "end", "outcome": "q"}]}`)
	for _, format := range formats {
		want := s.run(t.Context(), nil, nil, "plan", "validate", "bad.json", "hang.json", "--format", format)
		for range 20 {
			if got := s.run(t.Context(), nil, nil, "plan", "validate", "bad.json", "hang.json", "--format", format); got != want {
				t.Fatalf("%s: once\n%s\nthen\n%s", format, want.transcript(), got.transcript())
			}
		}
	}
}

func TestCompactKeepsItsBound(t *testing.T) {
	t.Parallel()
	s := demo(t)
	var items []string
	for i := range 400 {
		items = append(items, fmt.Sprintf(`{"name": "item \"%d\" é😀", "text": %q, "tags": [[1, [2, [3, [4, [5]]]]]]}`, i, strings.Repeat("long ", i)))
	}
	s.write("in.json", `{"all": [`+strings.Join(items, ",")+`]}`)
	for _, most := range []int{leastChars, 201, 300, 500, 1000, 2000, defaultChars, 20_000, 300_000, 10_000_000} {
		r := s.run(t.Context(), nil, nil, "try", "echo.json", "--input-file", "in.json", "--format", "compact", "--max-output-chars", fmt.Sprint(most))
		line := strings.TrimSuffix(r.stdout, "\n")
		if n := utf8.RuneCountInString(line); n > most || strings.Contains(line, "\n") {
			t.Errorf("%d characters were asked for, %d came", most, n)
		}
		v, err := value.Parse([]byte(line))
		if err != nil {
			t.Fatalf("at %d: %v\n%s", most, err, line)
		}
		whole, _ := v.Get("whole").AsString()
		if v.Get("cut").Len() == 0 || !strings.HasPrefix(whole, "wf try echo.json --input-file in.json") {
			t.Errorf("at %d it does not say what was cut, and where the whole is: %.500s", most, line)
		}
		if most >= 1000 && !strings.Contains(line, `item \"0\" é`) {
			t.Errorf("at %d nothing of the output is left: %.500s", most, line)
		}
	}
}

func TestWholeIsACommand(t *testing.T) {
	t.Parallel()
	a := &app{Options: Options{Args: []string{"-ocompact", "try", "it's a plan.json", "--format", "compact", "--input", `{"a": 1}`, "--max-output-chars=300", "-o", "compact"}}}
	want := `wf try 'it'\''s a plan.json' --input '{"a": 1}' --format json`
	if got := a.inFull(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestColours(t *testing.T) {
	t.Parallel()
	p := &page{colour: true}
	p.diagnostic(failed(ExitUsage, codeUsage, "no: error: here", "a hint").diags[0])
	want := "\x1b[1;31merror:\x1b[0m no: error: here [usage]\n  hint: a hint\n"
	if got := p.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if r := demo(t).run(context.Background(), nil, nil, "tyr"); strings.Contains(r.stderr, "\x1b") {
		t.Errorf("colours in a pipe: %q", r.stderr)
	}
}

func TestLargeTextsGoThroughUnchanged(t *testing.T) {
	t.Parallel()
	s := demo(t)
	text := value.String(strings.Repeat("é😀\x00<&>\u2028", 100_000)) // 1.4 MB
	s.write("in.json", `{"all": `+text.String()+`}`)
	for _, format := range []string{formatText, formatJSON, formatJSONL} {
		r := s.run(t.Context(), nil, nil, "try", "echo.json", "--input-file", "in.json", "--format", format)
		lines := strings.Split(strings.TrimSpace(r.stdout), "\n")
		v, err := value.Parse([]byte(r.stdout))
		switch format {
		case formatJSON:
			v = v.Get("result").Get("output")
		case formatJSONL:
			v, err = value.Parse([]byte(lines[len(lines)-2]))
			v = v.Get("data").Get("output")
		}
		if err != nil || r.exit != ExitDone || !value.Equal(v.Get("all"), text) {
			t.Errorf("%s: exit %d, %v: the text changed", format, r.exit, err)
		}
	}
}
