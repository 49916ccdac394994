package wf

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// place is a position in the plan's document. It is built on the way down and written out only for a finding. A nil
// place is the document itself.
type place struct {
	up    *place
	name  string
	index int // -1 for a member
}

// key is the member of that name of the object at p.
func (p *place) key(name string) *place { return &place{p, name, -1} }

// at is the element at position i of the array at p.
func (p *place) at(i int) *place { return &place{up: p, index: i} }

// String writes the place as a JSON Pointer (RFC 6901).
func (p *place) String() string {
	var tokens []string
	for ; p != nil; p = p.up {
		if p.index < 0 {
			tokens = append(tokens, escapePointer.Replace(p.name))
		} else {
			tokens = append(tokens, strconv.Itoa(p.index))
		}
	}
	var b strings.Builder
	for i := len(tokens) - 1; i >= 0; i-- {
		b.WriteString("/" + tokens[i])
	}
	return b.String()
}

// top, node and edge are the places of the workflow's members, steps and edges.
func (c *checker) top(name string) *place { return c.root.key(name) }
func (c *checker) node(i int) *place      { return &c.nodes[i] }
func (c *checker) edge(i int) *place      { return &c.edges[i] }

// elements are the places of n elements of an array.
func (p *place) elements(n int) []place {
	list := make([]place, n)
	for i := range list {
		list[i] = place{up: p, index: i}
	}
	return list
}

// noStep stands for the step of a finding that has none.
const noStep = -1

// severities are those of the table.
var severities = sync.OnceValue(func() map[Code]Severity {
	m := make(map[Code]Severity)
	for _, info := range Codes() {
		m[info.Code] = info.Severity
	}
	return m
})

// report adds a finding, with the severity that its code has in the table, and a hint. The result is valid until the
// next report; what else the finding has is filled in there.
func (c *checker) report(code Code, at *place, step int, message, hint string) *Diagnostic {
	d := Diagnostic{
		Severity: severities()[code], Code: code, Doc: c.opts.Doc, Path: at.String(),
		Message: message, RepairHint: hint,
	}
	if step >= 0 && !c.isHole(c.w.Nodes[step].StepID()) {
		d.Step = c.w.Nodes[step].StepID()
	}
	c.found = append(c.found, d)
	return &c.found[len(c.found)-1]
}

// relate points from a finding to another place.
func (d *Diagnostic) relate(at *place, format string, args ...any) *Diagnostic {
	d.Related = append(d.Related, Related{Doc: d.Doc, Path: at.String(), Message: fmt.Sprintf(format, args...)})
	return d
}

// expects fills in what was found and what was expected.
func (d *Diagnostic) expects(expected, actual any) *Diagnostic {
	if expected != nil {
		d.Expected = jsonOf(expected)
	}
	if actual != nil {
		d.Actual = jsonOf(actual)
	}
	return d
}

// fix adds a repair.
func (d *Diagnostic) fix(title string, how Applicability, ops ...patchOp) *Diagnostic {
	d.Fixes = append(d.Fixes, Fix{Title: title, Applicability: how, Patch: jsonOf(ops)})
	return d
}

// patchOp is one operation of an RFC 6902 patch.
type patchOp struct {
	Op    string          `json:"op"`
	Path  string          `json:"path"`
	Value json.RawMessage `json:"value,omitempty"`
}

func testOp(at *place, v any) patchOp    { return patchOp{"test", at.String(), jsonOf(v)} }
func addOp(at *place, v any) patchOp     { return patchOp{"add", at.String(), jsonOf(v)} }
func replaceOp(at *place, v any) patchOp { return patchOp{"replace", at.String(), jsonOf(v)} }
func removeOp(at *place) patchOp         { return patchOp{Op: "remove", Path: at.String()} }

// appendOp adds an element to the end of the array at p.
func appendOp(at *place, v any) patchOp { return patchOp{"add", at.String() + "/-", jsonOf(v)} }

// suggestionBudget bounds the work of finding names that were meant, for plans in which nothing fits.
const suggestionBudget = 200_000

// nearest is [nearestName] within the budget.
func (c *checker) nearest(name string, known []string) (string, bool) {
	if c.suggestions -= len(known); c.suggestions < 0 || name == "" {
		return "", false
	}
	return nearestName(name, known)
}

// suggest writes the hint for a name that does not exist: the name that was meant, or what there is.
func (c *checker) suggest(name string, known []string, otherwise string) string {
	if meant, ok := c.nearest(name, known); ok {
		return fmt.Sprintf("did you mean %q?", meant)
	}
	return otherwise
}

// listSome writes names for a message, at most ten of them.
func listSome[S ~string](names []S) string {
	const most = 10
	switch {
	case len(names) == 0:
		return "none"
	case len(names) > most:
		return fmt.Sprintf("%s and %d more", listText(names[:most]), len(names)-most)
	}
	return listText(names)
}

// counted writes a number with its noun: 1 step, 2 steps.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
