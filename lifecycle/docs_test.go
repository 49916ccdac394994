package lifecycle_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"lda.chat/wf/internal/golden"
	"lda.chat/wf/lifecycle"
)

// docs/methods.md is made from the table of methods.
func TestMethodsPage(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("<!-- Made from the table of methods by a test of package lifecycle; WF_UPDATE=1 rewrites it. -->\n\n# Operations\n\n" +
		"Every surface offers these operations under these names: the library as methods of `lifecycle.API` and by name with `lifecycle.Call`, the command\n" +
		"line as commands. Parameters and results are JSON objects; a parameter that an operation does not have is refused. *Read-only* changes\n" +
		"nothing, *idempotent* is once as good as twice, *destructive* takes away what cannot be brought back. An answer's `advice` says what could be\n" +
		"done next: calls that succeed as they are, or that list in `fill`, as JSON Pointers into their params, what is an example there, for the\n" +
		"caller to replace. `omitted` says what was left out because it is large.\n\n| operation | command | |\n|---|---|---|\n")
	for _, m := range lifecycle.Methods() {
		fmt.Fprintf(&b, "| [%s](#%s) | `wf %s` | %s |\n", m.Name, strings.NewReplacer(".", "").Replace(m.Name), m.Command, m.Summary)
	}
	for _, m := range lifecycle.Methods() {
		fmt.Fprintf(&b, "\n## %s\n\n%s%s. Command: `wf %s`.\n\n", m.Name, m.Summary, kindsOf(&m), m.Command)
		if params := m.Params(); len(params) > 0 {
			b.WriteString("| parameter | type | |\n|---|---|---|\n")
			for _, p := range params {
				name := "`" + p.Name + "`"
				if p.Required {
					name += " (required)"
				}
				fmt.Fprintf(&b, "| %s | %s | %s |\n", name, p.Type, strings.ReplaceAll(p.Doc, "|", "\\|"))
			}
			b.WriteString("\n")
		}
		result := "Result"
		if m.Streams {
			result = "Each result of the stream"
		}
		var members []string
		for _, p := range lifecycle.MembersOf(reflect.TypeOf(m.NewResult()).Elem()) {
			members = append(members, fmt.Sprintf("`%s` (%s)", p.Name, p.Type))
		}
		b.WriteString(result + ": " + strings.Join(members, ", ") + ".\n")
	}
	golden.Compare(t, "../docs/methods.md", b.String())
}

// kindsOf says what a method does to what there is.
func kindsOf(m *lifecycle.Method) string {
	var words []string
	for _, k := range []struct {
		is   bool
		word string
	}{{m.ReadOnly, "read-only"}, {m.Idempotent, "idempotent"}, {m.Destructive, "destructive"}, {m.Streams, "a stream of results"}} {
		if k.is {
			words = append(words, k.word)
		}
	}
	if len(words) == 0 {
		return ""
	}
	return " (" + strings.Join(words, ", ") + ")"
}
