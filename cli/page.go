package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"lda.chat/wf"
)

// page is text for people.
type page struct {
	bytes.Buffer
	colour bool
}

func (p *page) line(words ...string) {
	p.WriteString(strings.Join(words, " "))
	p.WriteByte('\n')
}

func (p *page) printf(format string, args ...any) { fmt.Fprintf(p, format, args...) }

func (p *page) paint(sgr, s string) string {
	if !p.colour {
		return s
	}
	return "\x1b[" + sgr + "m" + s + "\x1b[0m"
}

func (p *page) bold(s string) string { return p.paint("1", s) }
func (p *page) dim(s string) string  { return p.paint("2", s) }

// diagnostic writes a finding: the place, what is wrong and the code on the first line; below it, indented, related
// places, the hint and the fixes.
func (p *page) diagnostic(d wf.Diagnostic) {
	d = visibleFinding(d)
	word := string(d.Severity) + ":"
	first, rest, _ := strings.Cut(d.String(), "\n")
	if d.Path == "" { // about the whole document, or no document at all
		first = word + " " + d.Message + " [" + string(d.Code) + "]"
		if d.Line > 0 {
			first = fmt.Sprintf("%s:%d:%d: %s", d.Doc, d.Line, d.Column, first)
		} else if d.Doc != "" {
			first = d.Doc + ": " + first
		}
	}
	shade := map[wf.Severity]string{wf.SeverityError: "1;31", wf.SeverityWarning: "1;33"}[d.Severity]
	p.line(strings.Replace(first, word, p.paint(shade, word), 1))
	if rest != "" {
		p.line(rest)
	}
	for _, f := range d.Fixes {
		p.printf("  fix (%s): %s\n", f.Applicability, visible(f.Title))
	}
}

// json writes JSON for people: indented, its members and digits as they are.
func (p *page) json(raw json.RawMessage) {
	if err := json.Indent(&p.Buffer, bytes.TrimSpace(raw), "", "  "); err != nil {
		p.Write(raw)
	}
	p.WriteByte('\n')
}

// json1 writes JSON on one line.
func (p *page) json1(raw json.RawMessage) {
	if err := json.Compact(&p.Buffer, raw); err != nil {
		p.Write(raw)
	}
	p.WriteByte('\n')
}

// coloured reports whether text for a writer has colours: on a terminal only, unless NO_COLOR (no-color.org) is set.
func (a *app) coloured(w io.Writer) bool {
	if a.Env("NO_COLOR") != "" || a.Env("TERM") == "dumb" {
		return false
	}
	return isTerminal(w)
}

// table is a result as rows.
type table struct {
	head []string
	rows [][]string
}

// write aligns the columns. A cell is one line.
func (t *table) write(p *page) {
	var text bytes.Buffer
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	clean := strings.NewReplacer("\n", " ", "\t", " ", "\r", " ", "\v", " ", "\f", " ")
	rows := t.rows
	if t.head != nil {
		rows = append([][]string{t.head}, rows...)
	}
	for _, row := range rows {
		for i, cell := range row {
			if i > 0 {
				io.WriteString(w, "\t")
			}
			io.WriteString(w, visible(clean.Replace(cell)))
		}
		io.WriteString(w, "\n")
	}
	w.Flush()
	for line := range strings.Lines(text.String()) {
		p.line(strings.TrimRight(line, " \n"))
	}
}
