package wf_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"lda.chat/wf"
)

// Whatever is too large fails where it is too large, with what was found and what may be; so no record is more than a store takes, and a
// run never has to be given up. What is only much together is kept in several records.
func TestTooLarge(t *testing.T) {
	t.Parallel()
	const megabyte = 1 << 20
	fields := `"state_schema": {"type": "object", "properties": {"big": {"type": "string"}, "n": {"type": "integer", "default": 0, "x-reducer": "add"}, "a": {}, "b": {}, "c": {}, "d": {}, "e": {}}}`
	call := `{"id": "call", "node": "t.big", "output": {"text": "state.big"}, "next": "next"}`
	set := func(id, next string, to ...string) string {
		var writes []string
		for _, field := range to {
			writes = append(writes, fmt.Sprintf(`"state.%s": "state.big"`, field))
		}
		return fmt.Sprintf(`{"id": %q, "type": "set", "output": {%s}, "next": %q}`, id, strings.Join(writes, ", "), next)
	}
	for _, c := range []struct {
		name  string
		bytes int
		steps string
		rest  string // of the plan
		step  string // that fails; "": the run completes
		want  string
	}{
		{"an output", 17 * megabyte, `{"id": "next", "type": "set", "output": {"state.n": 1}, "next": "__end__"}`, ``, "call", `state.big would have 17825794 bytes of JSON, and may have 16777216`},
		{"an output that is not written", 17 * megabyte, `{"id": "next", "node": "t.big", "next": "__end__"}`, `, "start": "next"`, "next", `the output of step "next" would have 17825803 bytes`},
		{"a field", 9 * megabyte, `{"id": "next", "type": "set", "output": {"state.a.one": "state.big"}, "next": "more"}, {"id": "more", "type": "set", "output": {"state.a.two": "state.big"}, "next": "__end__"}`, ``,
			"more", `state.a would have 18874387 bytes`},
		{"a step", 9 * megabyte, set("next", "__end__", "a", "b", "c", "d"), ``, "next", `what step "next" writes at once would have 37748744 bytes of JSON, and may have 33554432`},
		{"the state", 13 * megabyte, strings.Join([]string{set("next", "sb", "a"), set("sb", "sc", "b"), set("sc", "sd", "c"), set("sd", "__end__", "d")}, ","), ``,
			"sd", `the state of the workflow "large", with what step "sd" writes, would have 68157`},
		{"the output of the run", 9 * megabyte, set("next", "__end__", "a"), `, "output": {"one": "state.big", "two": "state.a"}`, "next", `the output of the workflow "large" would have 18874`},
		{"a loop", 5 * megabyte, set("next", "count", "a") + `, {"id": "count", "type": "set", "output": {"state.n": 1}, "next": "more"},
			{"id": "more", "type": "condition", "check": {"lt": ["state.n", 14]}, "on": {"true": "next", "false": "__end__"}}`, ``, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			big := strings.Repeat("x", c.bytes)
			nodes := counted{"t.big": wf.Node("big", func(context.Context, struct{}) (struct {
				Text string `json:"text"`
			}, error) {
				return struct {
					Text string `json:"text"`
				}{big}, nil
			}).OfSource("t")}
			rt := durableRuntime(t, &wf.RuntimeOptions{Journal: hook(), Nodes: nodes})
			run, err := rt.Run(t.Context(), parsePlan(t, fmt.Sprintf(`{"name": "large", %s, "nodes": [%s, %s]%s}`, fields, call, c.steps, c.rest)), nil)
			switch {
			case err != nil:
				t.Fatal(err)
			case c.step == "":
				wantStatus(t, run, wf.StatusCompleted)
				return
			}
			wantFailure(t, run, wf.CodeValueTooLarge, c.step)
			var details struct{ Size, Limit int }
			e, _ := errors.AsType[*wf.Error](run.Err())
			if err := json.Unmarshal(e.Details, &details); err != nil || details.Size <= details.Limit || !strings.Contains(e.Message, c.want) {
				t.Errorf("%s, with %s (%v), expected %s", e.Message, e.Details, err, c.want)
			}
		})
	}
}

// What a caller gives is judged before anything begins, and what a function says of its failure is bounded.
func TestTooLargeFromOutside(t *testing.T) {
	t.Parallel()
	huge := strings.Repeat("x", 17<<20)
	rt := durableRuntime(t, &wf.RuntimeOptions{Journal: hook(), Nodes: acting(func(context.Context) error {
		return &wf.Error{Code: wf.CodeHandlerError, Message: "no", Details: json.RawMessage(`"` + huge + `"`), Stack: huge}
	})})
	for name, input := range map[string]any{"a map": map[string]string{"a": huge}, "text": json.RawMessage(`{"a":"` + huge + `"}`)} {
		_, err := rt.Run(t.Context(), parsePlan(t, oneCall), input)
		if e, ok := errors.AsType[*wf.Error](err); !ok || e.Code != wf.CodeValueTooLarge || !strings.Contains(e.Message, "the run's input has 178258") {
			t.Errorf("%s: %.200v", name, err)
		}
	}
	run, err := rt.Run(t.Context(), parsePlan(t, oneCall), nil)
	if err != nil {
		t.Fatal(err)
	}
	wantFailure(t, run, wf.CodeHandlerError, "a")
	if e, _ := errors.AsType[*wf.Error](run.Err()); len(e.Details) > 0 || len(e.Stack) > 64<<10 || !strings.Contains(e.Message, "they have 17825794 bytes, and may have 65536") {
		t.Errorf("%s, with %d bytes of details and %d of a stack", e.Message, len(e.Details), len(e.Stack))
	}
}
