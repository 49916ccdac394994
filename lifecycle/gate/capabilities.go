package gate

import (
	"fmt"

	"lda.chat/wf"
	"lda.chat/wf/source"
)

// drift compares what is required of a capability with what a source has; nil if no contract of it was saved and it is there.
func (c *checker) drift(r *Required, id string) *source.Drift {
	key := [2]string{r.Ref, id}
	if known, ok := c.drifts[key]; ok {
		return known
	}
	_, name := source.Of(r.Ref)
	offer := c.offer(id)
	live, saved := offer.Contract(id+"."+name), r.Saved
	var drift *source.Drift
	switch {
	case saved != nil && live != nil:
		drift = source.Judge(saved, live, &source.JudgeOptions{Wired: r.Wired})
	case live == nil:
		called := wf.NodeDef{Name: id + "." + name} // as it would be called there
		if saved != nil {
			called = *saved
			called.Name = id + "." + name
		}
		drift = source.Judge(&called, nil, &source.JudgeOptions{Others: offer.Contracts})
	}
	c.drifts[key] = drift
	return drift
}

// checkCapabilities looks at what a source that is there has of what the plan calls.
func (c *checker) checkCapabilities(logical, bound, at string) {
	for i := range c.required {
		r := &c.required[i]
		if of, _ := source.Of(r.Ref); of != logical {
			continue
		}
		drift := c.drift(r, bound)
		if drift == nil || len(drift.Differences) == 0 {
			continue
		}
		var d *wf.Diagnostic
		switch {
		case drift.LiveHash == "":
			d = c.missing(r, drift, logical, bound, at)
		case drift.Verdict == source.VerdictBreaking:
			d = c.report(wf.CodeCapabilityDrift, at, fmt.Sprintf("%q of the source %q has changed so that what worked may fail: %s", r.Ref, bound, counted(drift, source.VerdictBreaking)),
				`bind a source that keeps the saved contract, save the plan anew for the new one, or let the deployment run with a warning`, append(c.rebind(logical, bound), c.redraft())...)
			if c.d.DriftPolicy == DriftWarn {
				d.Severity = wf.SeverityWarning
			} else {
				d.Fixes = append(d.Fixes, wf.Fix{Title: "Let the deployment run with a warning", Applicability: wf.FixUnsafe, Call: c.d.save(func(d *Deployment) { d.DriftPolicy = DriftWarn })})
			}
		case drift.Verdict == source.VerdictCompatible:
			d = c.report(wf.CodeCapabilityChanged, at, fmt.Sprintf("%q of the source %q has changed, and still fits: %s", r.Ref, bound, counted(drift, source.VerdictCompatible)), "")
		default:
			d = c.report(wf.CodeDescriptionChanged, at, fmt.Sprintf("%q of the source %q is described in other words", r.Ref, bound), "read the new text before you rely on it")
		}
		c.about(d, r.Ref, bound)
		for _, diff := range drift.Differences {
			if drift.LiveHash != "" {
				d.Related = append(d.Related, wf.Related{Doc: "contract:" + r.Ref, Path: diff.Path, Message: diff.Message})
			}
		}
	}
}

func (c *checker) missing(r *Required, drift *source.Drift, logical, bound, at string) *wf.Diagnostic {
	_, name := source.Of(r.Ref)
	hint := "bind a source that has it, or save the plan anew with another capability"
	if drift.Suggested != "" {
		hint = fmt.Sprintf("%s: save the plan anew with that one, or bind a source that has it", drift.Differences[0].Message)
	}
	return c.report(wf.CodeCapabilityMissing, at, fmt.Sprintf("the source %q has no %q, which the plan calls as %q", bound, name, r.Ref), hint, append(c.rebind(logical, bound), c.redraft())...)
}

// redraft begins a draft of the artifact that the deployment runs, to save it anew.
func (c *checker) redraft() wf.Fix {
	return wf.Fix{Title: "Make a draft of the artifact, to save it anew", Applicability: wf.FixUnsafe,
		Call: call("drafts.create", map[string]string{"draft_id": c.d.ID, "deployment": c.d.ID})}
}

// counted is the first difference of a verdict, and how many more there are.
func counted(drift *source.Drift, of source.Verdict) string {
	var first string
	n := 0
	for _, diff := range drift.Differences {
		if diff.Verdict == of {
			if n++; n == 1 {
				first = diff.Message
			}
		}
	}
	if n > 1 {
		first += fmt.Sprintf(" (and %d more)", n-1)
	}
	return first
}
