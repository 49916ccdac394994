package cli

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"lda.chat/wf/internal/golden"
	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

// docs/cli.md is made from the commands.
func TestReference(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	root := newRoot(newApp(testHost()))
	info := describe(root)
	b.WriteString("<!-- Made from the commands by a test of package cli; WF_UPDATE=1 rewrites it. -->\n\n# The command `wf`\n\n")
	b.WriteString(info.Text + "\n\n")
	b.WriteString("Flags of all commands:\n\n" + flagTable(info.Common))
	b.WriteString("\n| exit code | | |\n|---|---|---|\n")
	for _, e := range exitCodes {
		fmt.Fprintf(&b, "| %d | %s | %s |\n", e.Code, e.Name, e.Meaning)
	}
	b.WriteString("\nWith `--format json` every command answers with one envelope, in success and in failure:\n\n" +
		"    {\"ok\": …, \"result\": …, \"diagnostics\": […], \"next_actions\": […], \"meta\": {\"command\": …, \"exit_code\": …, …}}\n\n" +
		"`jsonl` writes the parts of the result as lines `{\"type\": …, \"data\": …}`, the last one of the type `end`. `compact` is the envelope on\n" +
		"one line of a bounded length, without members that are empty. What was cut has a mark with `…` in its place: `\"a long te… 120 more\"`,\n" +
		"`[\"a\", \"… 7 more\"]`, `{\"a\": 1, \"…\": \"3 more\"}`, or `\"… 9 items\"` for all of it; what has none is exactly so. `cut` lists the\n" +
		"places, `whole` is the command that gives all.\n\n" +
		"A finding's `path`, those that are related and the patches of its fixes are about the file that `doc` names, as it is written: a\n" +
		"patch that is offered applies to it.\n\n" +
		"`next_actions` are three things at most that could be done next, the best first: each has its `method` and `params`, and the same as a\n" +
		"command, `cli`, which is all of it where only the command line does it, with files of this machine. It succeeds as it is, unless it has `fill`: places in the params, as JSON Pointers, where an example stands for what\n" +
		"only the caller knows.\n")
	reference(&b, root)
	golden.Compare(t, "../docs/cli.md", b.String())
}

func reference(b *strings.Builder, cmd *cobra.Command) {
	for _, c := range cmd.Commands() {
		if !c.IsAvailableCommand() && c.Name() != "help" {
			continue
		}
		if c.HasSubCommands() {
			reference(b, c)
			continue
		}
		info := describe(c)
		text := info.Text
		if text == "" {
			text = info.Summary + "."
		}
		fmt.Fprintf(b, "\n## %s\n\n    %s\n\n%s\n", info.Command, info.Usage, text)
		if len(info.Flags) > 0 {
			b.WriteString("\n" + flagTable(info.Flags))
		}
		if info.Examples != "" {
			b.WriteString("\n    " + strings.ReplaceAll(strings.TrimSpace(info.Examples), "\n  ", "\n    ") + "\n")
		}
	}
}

func flagTable(flags []flagInfo) string {
	var b strings.Builder
	b.WriteString("| flag | |\n|---|---|\n")
	for _, f := range flags {
		fmt.Fprintf(&b, "| `%s` | %s%s |\n", strings.ReplaceAll(f.usage(), "|", "\\|"), f.Text, f.defaultText())
	}
	return b.String()
}

// The schema of the configuration says what the reader does.
func TestConfigSchema(t *testing.T) {
	t.Parallel()
	s, problems := schema.Parse(configSchema, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for text, want := range map[string]bool{
		configExample:                               true,
		`{}`:                                        true,
		`{"store": {"kind": "memory"}}`:             true,
		`{"store": {"kind": "file"}}`:               false,
		`{"store": {"kind": "file", "path": 1}}`:    false,
		`{"store": {"kind": "redis", "path": "x"}}`: false,
		`{"store": "file:runs"}`:                    false,
		`{"$schema": "x", "sources": []}`:           true,
		`{"sources": [{"kind": "go", "id": "a"}]}`:  false,
		`{"sources": [{"kind": "program", "id": "a", "registry": "demo"}]}`:            false,
		`{"sources": [{"kind": "go", "id": "a b", "registry": "demo"}]}`:               false,
		`{"sources": [{"kind": "go", "id": "a", "registry": "demo", "reload": true}]}`: false,
		`{"source": []}`: false,
		`[]`:             false,
	} {
		v, err := value.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Valid(v); got != want {
			t.Errorf("the schema says %v of %s", got, text)
		}
		host := testHost()
		host.Registries["report"] = demoFunctions()
		session := demo(t)
		session.write("c.json", text)
		r := session.runHost(t.Context(), host, nil, nil, "config", "validate", "--config", "c.json")
		if got := r.exit == ExitDone; got != want {
			t.Errorf("the reader says of %s:\n%s", text, r.transcript())
		}
	}
}
