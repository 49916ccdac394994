package preview

import (
	"fmt"
	"strconv"
	"strings"

	"lda.chat/wf"
)

// String writes a count: "1", "0 to 6", "at least 1, not bounded: at most 3 for each item of "each"".
func (c Count) String() string {
	switch {
	case c.AtMost == nil:
		return fmt.Sprintf("at least %d, not bounded: %s", c.AtLeast, strings.Join(c.Open, "; "))
	case *c.AtMost == c.AtLeast:
		return strconv.FormatInt(c.AtLeast, 10)
	}
	return fmt.Sprintf("%d to %d", c.AtLeast, *c.AtMost)
}

func (p Place) String() string {
	if p.Workflow != "" {
		return p.Step + " in " + p.Workflow
	}
	return p.Step
}

// String writes the preview for people. What a plan has nothing of is left out, but for what cannot be undone.
func (p *Preview) String() string {
	var b strings.Builder
	line := func(depth int, format string, args ...any) {
		b.WriteString(strings.Repeat("  ", depth) + fmt.Sprintf(format, args...) + "\n")
	}
	title := func(n int, format string) {
		if n > 0 {
			line(0, "%s", format)
		}
	}
	line(0, "%s: a run stops after %d steps", p.Workflow, p.MaxSteps)
	title(len(p.Sources), "calls:")
	for _, s := range p.Sources {
		line(1, "%s: %s", s.ID, s.Calls)
		for _, c := range s.Capabilities {
			effect := string(c.Effect)
			if effect == "" {
				effect = "effect not known"
			}
			line(2, "%s (%s): %s", c.Ref, effect, c.Calls)
		}
	}
	if len(p.Irreversible) == 0 {
		line(0, "cannot be undone: nothing that is known")
	}
	title(len(p.Irreversible), "cannot be undone:")
	for _, c := range p.Irreversible {
		line(1, "%s calls %s: %s", c.Place, c.Ref, c.Times)
	}
	title(len(p.Interrupts), "asks:")
	for _, i := range p.Interrupts {
		limit := ""
		if i.TimeoutSeconds > 0 {
			limit = fmt.Sprintf(", waits %s s", strconv.FormatFloat(i.TimeoutSeconds, 'g', -1, 64))
		}
		line(1, "%s for %s (%s%s): %s", i.Place, i.Kind, outcomes(i.Outcomes), limit, i.Times)
	}
	title(len(p.Waits), "waits:")
	for _, w := range p.Waits {
		line(1, "%s %s: %s", w.Place, w.For, w.Times)
	}
	title(len(p.Secrets), "secrets:")
	for _, s := range p.Secrets {
		line(1, "%s %s at %s", s.Kind, s.Name, s.Path)
	}
	title(len(p.Unknown), "not known here:")
	for _, u := range p.Unknown {
		line(1, "%s calls %s", u.Place, u.Ref)
	}
	return b.String()
}

func outcomes(list []wf.Outcome) string {
	names := make([]string, len(list))
	for i, o := range list {
		names[i] = string(o)
	}
	return strings.Join(names, ", ")
}
