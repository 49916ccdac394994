package cli

import (
	"strings"
	"testing"

	"lda.chat/wf"
)

// Nothing that a plan, a function or an argument says can write to the terminal anything but text.
func TestFindingsCannotWriteToTheTerminal(t *testing.T) {
	t.Parallel()
	bad := "a\x1b[31mred\a\r\nforged: error\u202egnp\u0085"
	p := &page{}
	p.diagnostic(wf.Diagnostic{Severity: wf.SeverityError, Code: "x", Doc: bad, Path: "/" + bad, Step: bad, Message: bad, RepairHint: bad,
		Related: []wf.Related{{Doc: bad, Path: bad, Message: bad}}, Fixes: []wf.Fix{{Title: bad}}})
	(&table{head: []string{"H"}, rows: [][]string{{bad}}}).write(p)
	if i := strings.IndexFunc(strings.ReplaceAll(p.String(), "\n", ""), hidesItself); i >= 0 {
		t.Fatalf("at %d of %q", i, p.String())
	}
	if !strings.Contains(p.String(), `\x1b[31mred\a\r\nforged: error\u202egnp\u0085`) {
		t.Fatalf("%q", p.String())
	}
	if s := "Grüße, 世界 👋"; visible(s) != s {
		t.Fatalf("%q", visible(s))
	}
}
