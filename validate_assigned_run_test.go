package wf

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"weak"
)

// flowGen makes plans of steps that the runtime runs, all of whose outcomes are wired, and which read and write a handful
// of fields and outputs.
type flowGen struct{ *rand.Rand }

func (g flowGen) pick(words ...string) string { return words[g.IntN(len(words))] }

func (g flowGen) field() string {
	return g.pick("state.a", "state.b", "state.c", "state.m.x", "state.m.y", "state.n", "state.s")
}

// source is what a step reads: a field, another step's output, an input.
func (g flowGen) source(steps int) string {
	switch g.IntN(6) {
	case 0:
		return fmt.Sprintf("steps.s%d.must", g.IntN(steps))
	case 1:
		return g.pick("input.s", "input.must")
	}
	return g.field()
}

func (g flowGen) operand(steps int) string {
	s := g.source(steps)
	switch g.IntN(6) {
	case 0:
		return `{"path": "` + s + `", "default": 1}`
	case 1:
		return `{"text": "x{` + s + `}{input.must}"}`
	case 2:
		return `["` + s + `", 1]`
	}
	return `"` + s + `"`
}

func (g flowGen) check(steps, depth int) string {
	if depth > 0 && g.IntN(2) == 0 {
		if g.IntN(3) == 0 {
			return `{"not": ` + g.check(steps, depth-1) + `}`
		}
		return `{"` + g.pick("and", "or") + `": [` + g.check(steps, depth-1) + `, ` + g.check(steps, depth-1) + `]}`
	}
	if g.IntN(2) == 0 {
		return `{"exists": "` + g.source(steps) + `"}`
	}
	return `{"eq": ["` + g.source(steps) + `", ` + g.pick("1", "2") + `]}`
}

func (g flowGen) plan() string {
	n := 2 + g.IntN(7)
	var nodes []string
	to := func() string {
		if g.IntN(5) == 0 {
			return "__end__"
		}
		return fmt.Sprintf("s%d", g.IntN(n))
	}
	for i := range n {
		head := fmt.Sprintf(`{"id": "s%d", `, i)
		wired := map[string]string{}
		catch := ""
		if g.IntN(3) == 0 {
			catch = `"catch": [{"codes": ["*"], "outcome": "late", "error": "` + g.pick("state.a", "state.e", "state.m.y") + `"}], `
			wired["late"] = to()
		}
		body := ""
		switch g.IntN(5) {
		case 0:
			body, wired["true"], wired["false"] = `"type": "condition", "check": `+g.check(n, 2)+`, `, to(), to()
		case 1, 2:
			sets := fmt.Sprintf(`{"source": %s, "target": "%s"%s}`, g.operand(n), g.field(), g.pick("", "", `, "if_absent": "keep"`, `, "if_absent": "unset"`, `, "if_absent": "fail"`))
			body, wired["done"] = `"type": "set", "output": [`+sets+`], `, to()
			if g.IntN(4) == 0 {
				body = `"type": "set", "unset": ["` + g.field() + `"], `
			}
		default:
			out := fmt.Sprintf(`{"source": "%s", "target": "%s"%s}`, g.pick("must", "may"), g.field(), g.pick("", "", `, "if_absent": "keep"`))
			input := `"must": ` + g.operand(n)
			if g.IntN(3) == 0 {
				input += `, "may": ` + g.operand(n)
			}
			body, wired["ok"], wired["no"] = `"node": "t.call", "input": {`+input+`}, "output": [`+out+`], `, to(), to()
		}
		var on []string
		for _, o := range []string{"true", "false", "done", "ok", "no", "late"} {
			if t := wired[o]; t != "" {
				on = append(on, `"`+o+`": "`+t+`"`)
			}
		}
		nodes = append(nodes, head+body+catch+`"on": {`+strings.Join(on, ", ")+`}}`)
	}
	return `{"name": "p", "input_schema": {"type": "object", "properties": {"must": {}, "s": {}}, "required": ["must"], "additionalProperties": false},
		"state_schema": {"type": "object", "properties": {"n": {"default": 1}, "s": {}, "m": {}, "a": {}}}, "limits": {"max_steps": 30},
		"node_defs": [{"name": "t.call", "outcomes": ["ok", "no"], "input_schema": {"type": "object", "properties": {"must": {}, "may": {}}, "required": ["must"]},
			"output_schema": {"type": "object", "properties": {"must": {}, "may": {}}, "required": ["must"]}}],
		"nodes": [` + strings.Join(nodes, ",\n") + `]}`
}

// tellCopies adds what steps copy from places of which something was said: it is missing where they are, and that was said
// where they are read.
func tellCopies(w *Workflow, told map[string]bool, named *regexp.Regexp) {
	for before := -1; len(told) != before; {
		before = len(told)
		for _, s := range w.Nodes {
			list, _ := writes(s)
			for _, b := range list {
				if b.Operand == nil {
					continue
				}
				for read := range told {
					if strings.Contains(operandText(b.Operand), read) {
						told[named.FindString(b.Target.String())] = true
					}
				}
			}
		}
	}
}

// operandText names the paths in an operand.
func operandText(o *Operand) string {
	var names []string
	w := readWalk{visit: func(p *Path, _ *place, _ readMode, _ site) { names = append(names, p.String()) }, c: &checker{checkShared: &checkShared{}}}
	w.operand(o, nil, readLoses, nil)
	return strings.Join(names, " ")
}

// TestSilenceIsSound runs random plans against random answers. What the validator says nothing about is there whenever it
// is read: no run ends because it is missing.
func TestSilenceIsSound(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 3))
	functions := typeFunctions{"t.call": RawNode(&NodeDef{Name: "call", Outcomes: []Outcome{OK, "no"}}, func(context.Context, json.RawMessage) (*Result, error) {
		switch random.IntN(8) {
		case 0:
			return nil, &Error{Code: "timeout"}
		case 1, 2:
			return &Result{Outcome: "no", Output: json.RawMessage(`{"must": 1}`)}, nil
		case 3:
			return &Result{Outcome: OK, Output: json.RawMessage(`{"must": 2}`)}, nil
		}
		return &Result{Outcome: OK, Output: json.RawMessage(`{"must": 1, "may": 2}`)}, nil
	}).OfSource("t")}
	rt, err := NewRuntime(&RuntimeOptions{Nodes: functions})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`(state|steps)\.[a-z0-9]+(\.[xy])?`)
	var plans, silent, missing int
	for range 1_000 {
		text := flowGen{random}.plan()
		w := parsed(t, text)
		told := make(map[string]bool)
		for _, d := range Validate(w, nil) {
			if strings.HasPrefix(string(d.Code), "state_") || strings.HasPrefix(string(d.Code), "step_") {
				told[named.FindString(d.Message)] = true
			} else if d.Severity == SeverityError {
				t.Fatalf("%v\n%s", d, text)
			}
		}
		plans++
		tellCopies(w, told, named)
		if len(told) == 0 {
			silent++
		}
		prog, diags := compile(w, rt.find, nil)
		if diags.HasErrors() {
			t.Fatalf("%v\n%s", diags, text)
		}
		rt.programs.Store(weak.Make(w), prog) // as if it had been found to be sound
		for range 4 {
			input := `{"must": 1}`
			if random.IntN(2) == 0 {
				input = `{"must": 1, "s": 1}`
			}
			run, err := rt.Run(t.Context(), w, json.RawMessage(input))
			if err != nil {
				t.Fatal(err)
			}
			e, failed := run.Err().(*Error)
			if !failed || e.Code != "binding_missing" && e.Code != "condition_missing" {
				continue
			}
			missing++
			read := named.FindString(e.Message)
			if read == "" && strings.Contains(e.Message, "input.s") {
				continue // an input is no matter of what is written
			}
			if read == "" || !told[read] {
				t.Errorf("nothing was said of %q, but: %v\n%s", read, e, text)
			}
		}
	}
	if silent < 10 || missing < 100 {
		t.Errorf("too little was tried: of %d plans nothing was said of %d; %d runs missed something", plans, silent, missing)
	}
}
