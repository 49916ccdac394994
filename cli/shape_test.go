package cli

import (
	"testing"

	"github.com/spf13/cobra"
)

func TestShapesByOtherNames(t *testing.T) {
	t.Parallel()
	for asked, want := range map[string]string{
		"workflow": "workflow", "plan": "workflow", "step": "step", "steps": "step", "nodes": "step", "node": "node_step", "foreach": "foreach_step",
		"step.node": "node_step", "step.foreach": "foreach_step", "foreach.step": "foreach_step", "Foreach-Step": "foreach_step", "step_end": "end_step",
		"condition": "condition", "step.condition": "condition_step", "condition_step": "condition_step", "edges": "edge", "input": "input_binding",
		"operands": "operand", "node_defs": "node_def", "node-def": "node_def", "reducer": "reducer", "x-reducer": "reducer", "reducers": "reducer",
		"limits": "limits", "limit": "", "config": "config", "wf.config.json": "config", "case": "case", "branches": "branch", "trace_entry": "trace_entry",
		"binding": "", "step.workflow": "", "step.edge": "", "": "", "s": "", "_step": "", "step.": "",
	} {
		s, ok := shapeNamed(asked)
		if ok != (want != "") || s.Name != want {
			t.Errorf("%q is %q, want %q", asked, s.Name, want)
		}
		if ok && (s.Doc == "" || s.Example == nil && s.Schema == nil) {
			t.Errorf("%q shows nothing", asked)
		}
	}
	for asked, want := range map[string]string{
		"binding":  `did you mean "input_binding" or "output_binding"?`,
		"bindings": `did you mean "input_binding" or "output_binding"?`,
		"forech":   `did you mean "foreach"?`,
		"workflwo": `did you mean "workflow"?`,
		"zzz":      `"wf schema --format table" lists the types, each with what it is`,
	} {
		if got := shapeHint(asked); got != want {
			t.Errorf("%q: %s, want %s", asked, got, want)
		}
	}
}

// What people try first leads to commands that there are, and is none itself.
func TestIntents(t *testing.T) {
	t.Parallel()
	root := newRoot(newApp(testHost()))
	find := func(line string) (*cobra.Command, bool) {
		cmd, rest, err := root.Find(split(line))
		return cmd, err == nil && len(rest) == 0 && cmd != root
	}
	for tried, command := range intents {
		if c, ok := find(tried); ok {
			t.Errorf("%q is a command: %s", tried, c.CommandPath())
		}
		if _, ok := find(command); !ok && command != "help exit-codes" {
			t.Errorf("%q leads to %q, which is no command", tried, command)
		}
	}
}
