package corpus

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lda.chat/wf/internal/golden"
	"lda.chat/wf/internal/value"
)

// sections writes what has come of a case as its file keeps it.
func (p *player) sections(invalid bool) map[string]string {
	if invalid {
		var b strings.Builder
		for _, f := range p.findings {
			fmt.Fprintf(&b, "%s %s %s\n", f.Severity, f.Code, f.Path)
		}
		return map[string]string{"diagnostics": b.String()}
	}
	if p.refused != "" {
		return map[string]string{"end": "refused " + p.refused + "\n"}
	}
	return map[string]string{"end": p.report.end(), "ledger": p.ledger(), "trace": p.report.trace()}
}

// settle compares the sections with the file, or rewrites it.
func (c *Case) settle(t testing.TB, got map[string]string) {
	t.Helper()
	now := &golden.Archive{Comment: c.archive.Comment}
	for _, f := range c.archive.Files {
		if f.Name == "plan.json" || f.Name == "input.json" || f.Name == "script" {
			now.Files = append(now.Files, f)
		}
	}
	for _, name := range []string{"diagnostics", "end", "ledger", "trace"} {
		if text, ok := got[name]; ok {
			now.Files = append(now.Files, golden.File{Name: name, Data: text})
		}
	}
	golden.Compare(t, c.path, now.String())
}

func (r *Report) end() string {
	var b strings.Builder
	fmt.Fprintf(&b, "status %s\n", r.Status)
	if r.Outcome != "" {
		fmt.Fprintf(&b, "outcome %s\n", r.Outcome)
	}
	if !r.Output.IsAbsent() {
		fmt.Fprintf(&b, "output %s\n", short(r.Output))
	}
	fmt.Fprintf(&b, "state %s\n", short(r.State))
	if e := r.Error; !e.IsAbsent() {
		b.WriteString("error " + text(e, "code"))
		if text(e, "step") != "" {
			b.WriteString(" at " + visitID(text(e, "frame"), text(e, "step"), 1))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func text(v value.Value, key string) string {
	s, _ := v.Get(key).AsString()
	return s
}

func (p *player) ledger() string {
	lines := make([]string, len(p.flights))
	for i, f := range p.flights {
		lines[i] = fmt.Sprintf("%s %s %s %s", duration(f.at-Epoch), f.Ref, f.Name, short(f.Input))
		if f.cancelled {
			lines[i] += " cancelled"
		}
	}
	return few(lines)
}

func (r *Report) trace() string {
	lines := make([]string, len(r.Trace))
	for i, v := range r.Trace {
		lines[i] = visitID(v.Frame, v.Step, v.Visit)
		if v.Attempts > 1 {
			lines[i] += fmt.Sprintf(" (%d attempts)", v.Attempts)
		}
		if v.Error != "" {
			lines[i] += " !" + v.Error
		}
		if v.Outcome != "" {
			lines[i] += " " + v.Outcome
		}
		if v.Next != "" {
			lines[i] += " -> " + v.Next
		}
		if v.Unfinished {
			lines[i] += " …"
		}
	}
	return few(lines)
}

func visitID(frame, step string, visit int) string {
	id := strings.TrimSuffix(frame, "/") + "/" + step
	if visit > 1 {
		id += fmt.Sprintf("#%d", visit)
	}
	return id
}

// few writes lines; of very many the middle stands for itself by its digest.
func few(lines []string) string {
	const most, ends = 60, 8
	if len(lines) > most {
		middle := strings.Join(lines[ends:len(lines)-ends], "\n")
		note := fmt.Sprintf("(%d lines, sha256 %.8x)", len(lines)-2*ends, sha256.Sum256([]byte(middle)))
		lines = append(append(append([]string{}, lines[:ends]...), note), lines[len(lines)-ends:]...)
	}
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(line + "\n")
	}
	return b.String()
}

// short writes a value; of a very long one the beginning, and its digest.
func short(v value.Value) string {
	const most = 600
	s := v.String()
	if len(s) <= most {
		return s
	}
	return fmt.Sprintf("%s… (%d bytes, sha256 %.8x)", strings.ToValidUTF8(s[:most/2], ""), len(s), sha256.Sum256([]byte(s)))
}

// duration writes a span of time as scripts do.
func duration(ns int64) string {
	const day = int64(24 * time.Hour)
	if ns < day {
		return time.Duration(ns).String()
	}
	s := fmt.Sprintf("%dd", ns/day)
	if rest := ns % day; rest != 0 {
		s += time.Duration(rest).String()
	}
	return s
}

func diff(before, after any) string { return cmp.Diff(before, after) }
