package wftest

import (
	"fmt"
	"strings"
	"time"

	"lda.chat/wf"
)

// TraceText tells how the run went, for people and golden files: each step with when it began, counted from the run's
// start, its frame if that is not the root, its outcome and where that led, and below it what it was given, gave and wrote.
func (r *Run) TraceText() string {
	trace, err := r.handle.Trace()
	if err != nil {
		r.h.t.Fatalf("wftest: %v", err)
	}
	info := r.handle.Info()
	var b strings.Builder
	for i := range trace {
		traceStep(&b, &trace[i], info.StartedAt)
	}
	fmt.Fprintf(&b, "+%v run %s", info.UpdatedAt.Sub(info.StartedAt), info.Status)
	if info.Outcome != "" {
		fmt.Fprintf(&b, ", %s", info.Outcome)
	}
	b.WriteByte('\n')
	detail(&b, "output", string(info.Output))
	if info.Error != nil {
		detail(&b, "error", info.Error.Error())
	}
	return b.String()
}

func traceStep(b *strings.Builder, x *wf.TraceEntry, start time.Time) {
	fmt.Fprintf(b, "+%v ", x.StartedAt.Sub(start))
	if x.Frame != "/" {
		b.WriteString(x.Frame + " ")
	}
	b.WriteString(x.Step)
	if x.Visit > 1 {
		fmt.Fprintf(b, "#%d", x.Visit)
	}
	fmt.Fprintf(b, " (%s)", x.Type)
	switch {
	case x.Unfinished:
		b.WriteString(" unfinished")
	case x.Outcome != "":
		fmt.Fprintf(b, " %s → %s", x.Outcome, x.Next)
	}
	if took := x.EndedAt.Sub(x.StartedAt); !x.Unfinished && took > 0 {
		fmt.Fprintf(b, " after %v", took)
	}
	b.WriteByte('\n')
	if len(x.Input) > 0 && string(x.Input) != "{}" {
		detail(b, "input", string(x.Input))
	}
	for _, retry := range x.Retries {
		detail(b, "retried", retry.Error.Error())
	}
	if len(x.Output) > 0 && string(x.Output) != "{}" {
		detail(b, "output", string(x.Output))
	}
	detail(b, "extra", string(x.Extra))
	for _, w := range x.Writes {
		detail(b, w.Op, strings.TrimSpace(w.Path+" "+string(w.Value)))
	}
	if x.Error != nil {
		detail(b, "error", x.Error.Error())
	}
}

func detail(b *strings.Builder, what, text string) {
	if text != "" {
		fmt.Fprintf(b, "  %s %s\n", what, text)
	}
}
