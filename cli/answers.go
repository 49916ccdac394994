package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/internal/suggest"
	"lda.chat/wf/internal/value"
	"lda.chat/wf/lifecycle"
)

// answers is a flag that may be given several times: what the interrupts of a run are answered with.
type answers struct{ list []*given }

// given is one answer, and whether an interrupt has taken it.
type given struct {
	text    string // as it was given
	who     string // an interrupt's id, or its step
	outcome wf.Outcome
	payload input
	used    bool
}

func (a *answers) String() string { return "" }
func (a *answers) Type() string   { return "ID=OUTCOME[:JSON]" }

// Set reads one answer.
func (a *answers) Set(text string) error {
	who, rest, ok := strings.Cut(text, "=")
	outcome, payload, has := strings.Cut(rest, ":")
	if !ok || who == "" || outcome == "" {
		return errors.New(`expected the interrupt's id or its step, "=", an outcome, and, if there is one, ":" and the payload in JSON, as in 'approve=rejected:{"comment": "too long"}'`)
	}
	g := &given{text: text, who: who, outcome: wf.Outcome(outcome), payload: input{name: "--answer", less: `give the payload behind the outcome: --answer '` + who + "=" + outcome + `:{…}'`}}
	if has {
		doc, err := value.ParseDocument([]byte(payload))
		if err != nil {
			return fmt.Errorf("the payload is no JSON: %w", err)
		}
		g.payload.doc = doc
	}
	a.list = append(a.list, g)
	return nil
}

// give answers a run that waits, each answer once and in the order in which they were given, until there is none left for
// what is open or the run has ended. An answer that is refused is the failure.
func (a *answers) give(ctx context.Context, run *wf.RunHandle, kept bool) error {
	for run.Status() == wf.StatusInterrupted {
		g, id := a.next(run.Interrupts())
		if g == nil {
			return nil
		}
		g.used = true
		if err := run.Resume(ctx, wf.Answer{Interrupt: id, Outcome: g.outcome, Payload: g.payload.value()}); err != nil {
			return g.refused(err)
		}
		wait := context.Background() // when ctx ends, the run does
		if kept {
			wait = ctx
		}
		if err := run.Wait(wait); err != nil {
			return err
		}
	}
	return nil
}

// next finds the first answer that is for an open interrupt.
func (a *answers) next(open []wf.Interrupt) (*given, string) {
	if a == nil {
		return nil, ""
	}
	for _, g := range a.list {
		for _, i := range open {
			if !g.used && (i.ID == g.who || i.Step == g.who) {
				return g, i.ID
			}
		}
	}
	return nil, ""
}

// refused tells what was wrong with an answer.
func (g *given) refused(err error) error {
	var e *wf.Error
	if !errors.As(err, &e) {
		return err
	}
	found, ok := g.payload.violations(e)
	if !ok {
		found = wf.Diagnostics{{Severity: wf.SeverityError, Code: e.Code, Doc: "--answer " + quoted(g.text), Message: e.Message}}
	}
	return invalid(found, explainNext(found)...)
}

// unused warns of the answers that nobody asked for.
func (a *answers) unused(info *wf.RunInfo) (found wf.Diagnostics) {
	var known []string
	for _, x := range info.Trace {
		if x.Type == wf.TypeInterrupt {
			known = append(known, x.Step)
		}
	}
	for _, g := range a.list {
		if g.used {
			continue
		}
		d := wf.Diagnostic{Severity: wf.SeverityWarning, Code: codeAnswerUnused, Doc: "--answer " + quoted(g.text),
			Message: fmt.Sprintf("the run has not asked for this answer: no interrupt %q is open", g.who)}
		if near, ok := suggest.Nearest(g.who, known); ok && near != g.who {
			d.RepairHint = fmt.Sprintf("did you mean %q?", near)
		}
		found = append(found, d)
	}
	return found
}

// answerNext advises how to answer the first open interrupt: by the command that was given, with an answer more.
func (a *app) answerNext(open []wf.Interrupt) []nextAction {
	i := open[0]
	example := i.ID + "=" + string(i.Outcomes[0])
	least, places := lifecycle.LeastOf(i.Answers[i.Outcomes[0]])
	if string(least) != "{}" {
		example += ":" + string(least)
	}
	var fill []string
	if len(places) > 0 {
		fill = []string{"/answers/0"}
	}
	return []nextAction{{
		CLI: a.again() + " --answer " + quoted(example), Kind: "continue",
		Params: map[string]any{"answers": []string{example}}, Fill: fill, Reason: "run it again, with an answer; nothing of this run is kept",
	}}
}

// writeDoubts tells people which calls have to be decided about.
func writeDoubts(p *page, open []wf.Doubt) {
	for _, d := range open {
		p.line(visible(d.ID) + " is in doubt: " + visible(d.Error.Message))
		p.line("  " + visible(d.Node) + " was called with the key " + visible(d.IdempotencyKey) + " and")
		p.WriteString("  ")
		p.json1([]byte(visible(string(d.Input))))
	}
}

// writeInterrupts tells people what a run waits for.
func writeInterrupts(p *page, open []wf.Interrupt) {
	for _, i := range open {
		words := make([]string, len(i.Outcomes))
		for j, o := range i.Outcomes {
			words[j] = string(o)
		}
		what := ""
		if i.Kind != "" {
			what = " (" + i.Kind + ")"
		}
		p.line(visible(i.ID) + visible(what) + " waits for " + strings.Join(words, " or ") + ":")
		p.WriteString("  ")
		p.json1([]byte(visible(string(i.Request))))
	}
}
