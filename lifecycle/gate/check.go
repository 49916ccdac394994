package gate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/internal/suggest"
	"lda.chat/wf/source"
)

// Check finds everything that keeps a deployment from running, or that should be known before it does, in the order of
// [wf.Diagnostics.Sort]. Without errors among the findings it may run. Places are JSON Pointers into the deployment. A fix calls
// deployments.save with a whole deployment, whose revision is the one that was looked at, or drafts.create with the deployment. A safe one
// removes its finding and brings no other.
func Check(d *Deployment, required []Required, offers []source.Offer) wf.Diagnostics {
	c := &checker{d: d, required: required, offers: offers, doc: "deployment:" + d.ID, drifts: map[[2]string]*source.Drift{}}
	if d.Revision > 0 {
		c.doc += "@" + strconv.FormatUint(d.Revision, 10)
	}
	var uses []source.Use
	for _, r := range required {
		uses = append(uses, r.Use)
	}
	c.logical = source.LogicalSources(uses)
	c.checkBindings()
	for _, id := range c.logical {
		if c.binding(id) < 0 {
			c.unbound(id)
		}
	}
	for i := range d.Bindings {
		if b := d.Bindings[i]; slices.Contains(c.logical, b.Logical) && c.binding(b.Logical) == i && c.checkSource(b.Source, pointer(i)+"/source", b.Logical) {
			c.checkCapabilities(b.Logical, b.Source, pointer(i))
		}
	}
	for _, id := range platformSources(uses) {
		if c.checkSource(id, "/artifact", id) {
			c.checkCapabilities(id, id, "/artifact")
		}
	}
	c.found.Sort()
	return c.found
}

// checker checks one deployment.
type checker struct {
	d        *Deployment
	required []Required
	offers   []source.Offer
	logical  []string // the sources that have to be bound
	doc      string
	drifts   map[[2]string]*source.Drift // by ref, and source that it is looked for in
	found    wf.Diagnostics
}

func pointer(i int) string { return "/bindings/" + strconv.Itoa(i) }

func (c *checker) report(code wf.Code, path, message, hint string, fixes ...wf.Fix) *wf.Diagnostic {
	severity := wf.SeverityError
	if info, ok := wf.LookupCode(code); ok {
		severity = info.Severity
	}
	c.found = append(c.found, wf.Diagnostic{Severity: severity, Code: code, Doc: c.doc, Path: path, Message: message, RepairHint: hint, Fixes: fixes})
	return &c.found[len(c.found)-1]
}

// binding is the position of the binding of a logical source that counts, -1 if there is none.
func (c *checker) binding(logical string) int {
	return slices.IndexFunc(c.d.Bindings, func(b source.Binding) bool { return b.Logical == logical })
}

func (c *checker) offer(id string) *source.Offer {
	if i := slices.IndexFunc(c.offers, func(o source.Offer) bool { return o.ID == id }); i >= 0 {
		return &c.offers[i]
	}
	return nil
}

// checkBindings looks at each binding beside the others.
func (c *checker) checkBindings() {
	for i, b := range c.d.Bindings {
		at := pointer(i)
		first := c.binding(b.Logical)
		remove := wf.Fix{Title: "Remove the binding", Applicability: wf.FixSafe, Call: c.d.save(func(d *Deployment) { d.Bindings = slices.Delete(d.Bindings, i, i+1) })}
		switch {
		case source.IsPlatform(b.Logical):
			c.report(wf.CodePlatformBinding, at, fmt.Sprintf("%q is a source of the platform, which is there by itself and cannot be bound", b.Logical), "remove the binding", remove)
		case !slices.Contains(c.logical, b.Logical):
			c.unknown(i, at, remove)
		case first != i:
			c.duplicate(i, first, at, remove)
		}
	}
}

func (c *checker) unknown(i int, at string, remove wf.Fix) {
	logical := c.d.Bindings[i].Logical
	d := c.report(wf.CodeBindingUnknown, at+"/logical", fmt.Sprintf("the plan does not name the source %q", logical), "it names "+listed(c.logical)+"; remove the binding, or correct its name", remove)
	var open []string
	for _, id := range c.logical {
		if c.binding(id) < 0 {
			open = append(open, id)
		}
	}
	if meant, ok := suggest.Nearest(logical, open); ok {
		d.RepairHint = fmt.Sprintf("did you mean %q?", meant)
		d.Fixes = append([]wf.Fix{{Title: fmt.Sprintf("Bind %q", meant), Applicability: wf.FixUnsafe, Call: c.d.save(func(d *Deployment) { d.Bindings[i].Logical = meant })}}, d.Fixes...)
	}
}

func (c *checker) duplicate(i, first int, at string, remove wf.Fix) {
	one, other := c.d.Bindings[first], c.d.Bindings[i]
	fixes := []wf.Fix{remove}
	if one.Source != other.Source {
		fixes[0].Title, fixes[0].Applicability = fmt.Sprintf("Keep the binding to %q", one.Source), wf.FixUnsafe
		fixes = append(fixes, wf.Fix{Title: fmt.Sprintf("Keep the binding to %q", other.Source), Applicability: wf.FixUnsafe,
			Call: c.d.save(func(d *Deployment) { d.Bindings = slices.Delete(d.Bindings, first, first+1) })})
	}
	d := c.report(wf.CodeSourceBoundTwice, at, fmt.Sprintf("%q is bound twice: to %q, and here to %q", one.Logical, one.Source, other.Source), "keep one of the two", fixes...)
	d.Related = []wf.Related{{Path: pointer(first), Message: "the first binding"}}
}

// unbound reports a logical source without a binding. To bind it to a source of its own name needs nobody's choice.
func (c *checker) unbound(id string) {
	bind := func(to string, trust wf.Applicability) wf.Fix {
		return wf.Fix{Title: bindTitle(id, to), Applicability: trust, Call: c.d.save(func(d *Deployment) { d.Bindings = append(d.Bindings, source.Binding{Logical: id, Source: to}) })}
	}
	var fixes []wf.Fix
	for _, to := range c.fitting(id) {
		if to == id {
			fixes = append(fixes, bind(to, wf.FixSafe))
		} else {
			fixes = append(fixes, bind(to, wf.FixUnsafe))
		}
	}
	hint := "bind it to a source that has what the plan calls"
	if len(fixes) == 0 {
		hint = fmt.Sprintf("no source here has what the plan calls of it: %s; the sources are %s", listed(c.namesOf(id)), listed(c.ids()))
		fixes = append(fixes, bind("", wf.FixPlaceholder))
	}
	d := c.report(wf.CodeSourceUnbound, "/bindings", fmt.Sprintf("nothing says which source stands for %q, of which the plan calls %s", id, listed(c.namesOf(id))), hint, fixes...)
	d.LogicalRef = id
}

func bindTitle(logical, to string) string {
	switch to {
	case logical:
		return fmt.Sprintf("Bind %q to itself", logical)
	case "":
		return fmt.Sprintf("Bind %q to a source that has what the plan calls", logical)
	}
	return fmt.Sprintf("Bind %q to %q", logical, to)
}

// checkSource reports whether a source is there and may be used.
func (c *checker) checkSource(id, at, logical string) bool {
	offer := c.offer(id)
	switch {
	case source.IsPlatform(id) && id != logical:
		c.about(c.report(wf.CodePlatformBinding, at, fmt.Sprintf("%q is a source of the platform, which stands for no other: a plan names it itself", id),
			"bind a source that has what the plan calls", c.another(logical, id)...), logical, id)
	case offer == nil:
		d := c.report(wf.CodeSourceMissing, at, fmt.Sprintf("there is no source %q", id), "the sources are "+listed(c.ids()), c.another(logical, id)...)
		c.about(d, logical, id)
		if meant, ok := suggest.Nearest(id, c.ids()); ok {
			d.RepairHint = fmt.Sprintf("did you mean %q?", meant)
		}
	case offer.Disabled:
		c.about(c.report(wf.CodeSourceDisabled, at, fmt.Sprintf("the source %q is disabled", id), "bind another source, or enable it in the configuration", c.another(logical, id)...), logical, id)
	case offer.Failed != "":
		c.about(c.report(wf.CodeSourceUnavailable, at, fmt.Sprintf("the source %q does not tell what it has: %s", id, offer.Failed), "see why, and check again; or bind another source", c.another(logical, id)...), logical, id)
	default:
		return true
	}
	return false
}

func (c *checker) about(d *wf.Diagnostic, ref, bound string) {
	d.LogicalRef, d.BoundSource = ref, &bound
}

// rebind offers the other sources that have what the plan calls of a logical one.
func (c *checker) rebind(logical, not string) []wf.Fix {
	i := c.binding(logical)
	if i < 0 {
		return nil
	}
	var fixes []wf.Fix
	for _, to := range c.fitting(logical) {
		if to != not {
			fixes = append(fixes, wf.Fix{Title: bindTitle(logical, to), Applicability: wf.FixUnsafe, Call: c.d.save(func(d *Deployment) { d.Bindings[i].Source = to })})
		}
	}
	return fixes
}

// another is rebind; where nothing fits, it asks for a source.
func (c *checker) another(logical, not string) []wf.Fix {
	fixes := c.rebind(logical, not)
	if i := c.binding(logical); i >= 0 && len(fixes) == 0 {
		fixes = append(fixes, wf.Fix{Title: bindTitle(logical, ""), Applicability: wf.FixPlaceholder, Call: c.d.save(func(d *Deployment) { d.Bindings[i].Source = "" })})
	}
	return fixes
}

// mostOffered bounds the sources that fixes offer.
const mostOffered = 3

// fitting lists the sources that may be used and have all that the plan calls of a logical one, without breaking drift: first the one of
// its name, then the others in order.
func (c *checker) fitting(logical string) []string {
	var ids []string
	for _, o := range c.offers {
		if o.Disabled || o.Failed != "" || source.IsPlatform(o.ID) || slices.Contains(ids, o.ID) {
			continue
		}
		if !slices.ContainsFunc(c.required, func(r Required) bool {
			of, _ := source.Of(r.Ref)
			drift := c.drift(&r, o.ID)
			return of == logical && drift != nil && drift.Verdict == source.VerdictBreaking
		}) {
			ids = append(ids, o.ID)
		}
	}
	slices.SortFunc(ids, func(a, b string) int {
		if (a == logical) != (b == logical) {
			return map[bool]int{true: -1, false: 1}[a == logical]
		}
		return strings.Compare(a, b)
	})
	return ids[:min(len(ids), mostOffered)]
}

func (c *checker) ids() []string {
	var ids []string
	for _, o := range c.offers {
		ids = append(ids, o.ID)
	}
	slices.Sort(ids)
	return ids
}

// namesOf lists the capabilities that the plan calls of a source.
func (c *checker) namesOf(id string) []string {
	var names []string
	for _, r := range c.required {
		if of, name := source.Of(r.Ref); of == id {
			names = append(names, name)
		}
	}
	return names
}

func platformSources(uses []source.Use) []string {
	var ids []string
	for _, u := range uses {
		if id, _ := source.Of(u.Ref); source.IsPlatform(id) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// mostListed bounds how many names a message lists.
const mostListed = 10

func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	var quoted []string
	for _, name := range names[:min(len(names), mostListed)] {
		quoted = append(quoted, strconv.Quote(name))
	}
	text := strings.Join(quoted, ", ")
	if more := len(names) - mostListed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
