package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
)

// messages are what goes to standard error until the command is over. A call that could not be waited for may have something to log after
// that; the writer is the caller's again then.
type messages struct {
	mu   sync.Mutex
	to   io.Writer
	over bool
}

// Write implements io.Writer.
func (m *messages) Write(p []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.over {
		return len(p), nil
	}
	return m.to.Write(p)
}

func (m *messages) end() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.over = true
}

// finish writes the answer and gives the exit code. What was written may be cut off if the writer fails; then the code
// says so.
func (a *app) finish(out *answer) int {
	defer a.messages.end()
	stdout, err := a.render(out)
	if err == nil {
		_, err = a.Stdout.Write(stdout)
	}
	if a.format == formatText || a.format == formatTable {
		a.report(out)
	}
	if out.stack != "" {
		fmt.Fprintln(a.Stderr, out.stack)
	}
	if err != nil {
		fmt.Fprintf(a.Stderr, "wf: the answer could not be written: %v\n", err)
		return ExitInternal
	}
	return out.exit
}

// render makes what goes to standard output.
func (a *app) render(out *answer) ([]byte, error) {
	switch a.format {
	case formatJSON:
		return encode(a.envelope(out), "  ")
	case formatCompact:
		return a.compact(out)
	case formatJSONL:
		return a.lines(out)
	}
	p := &page{colour: a.coloured(a.Stdout)}
	switch {
	case a.format == formatTable && out.table != nil:
		out.table.write(p)
	case out.text != nil:
		out.text(p)
	}
	return p.Bytes(), nil
}

// report tells people, on standard error, what was found and what to do.
func (a *app) report(out *answer) {
	p := &page{colour: a.coloured(a.Stderr)}
	for _, note := range out.notes {
		p.line(note)
	}
	for _, d := range out.diags {
		p.diagnostic(d)
	}
	for _, n := range out.next {
		note := n.Reason
		if len(n.Fill) > 0 {
			note += "; fill in " + strings.Join(n.Fill, ", ")
		}
		p.line(p.dim("next: ") + n.CLI + p.dim("  # "+visible(note)))
	}
	a.Stderr.Write(p.Bytes())
}
