package wf

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// subjects are what a plan is proved to do. What a claim rests on is that none of its codes was found: it is made only where
// the validator knows them all.
var subjects = []struct {
	name   string
	needs  []Code // none of these was found
	may    []Code // where one of these was found, the run has to see
	proved string // with the number of places
	left   string
}{
	{name: "outcomes", needs: []Code{"outcome_unwired", "outcome_unknown", "edge_to_unknown", "edge_from_unknown", "edge_duplicate"},
		proved: "every outcome leads somewhere: %s"},
	{name: "regions", needs: []Code{"region_leak", "region_entered", "region_overlap", "end_in_region", "continue_outside_body", "join_unknown", "join_shared", "join_outside"},
		proved: "every body and branch ends where it should: %s"},
	{name: "ends", needs: []Code{"no_end_reachable", "region_endless", "outcome_unwired"}, may: []Code{"step_unreachable"},
		proved: "every step is reached, and an end from it: %s", left: "nothing leads to %s"},
	{name: "cycles", may: []Code{"cycle_unbounded"},
		proved: "every cycle is bounded: %s", left: "nothing but the run's limit of steps bounds %s (limit_exceeded)"},
	{name: "reads", needs: []Code{"state_never_written", "step_never_ran"}, may: []Code{"state_maybe_unwritten", "step_maybe_not_run"},
		proved: "what is read was written before, on every way: %s", left: "%s may find nothing, on some ways (binding_missing)"},
	{name: "conflicts", needs: []Code{"write_conflict"}, may: []Code{"write_conflict_possible"},
		proved: "no two writes side by side meet in one field: %s", left: "%s side by side may meet in one field (merge_conflict)"},
	{name: "capabilities", needs: []Code{"node_unknown", "workflow_unknown"}, proved: "what is called is there: %s"},
	{name: "bindings", needs: []Code{"type_mismatch", "literal_invalid", "input_unbound", "input_unknown", "output_unknown", "result_unbound"},
		proved: "what is bound always fits: %s"},
	{name: "conditions", needs: []Code{"condition_mismatch"}, proved: "conditions ask about values of the right type: %s"},
	{name: "keywords", may: []Code{"schema_pattern_unsupported", "schema_keyword_unsupported", "schema_dialect_unknown"},
		left: "not checked at all in schemas: %s"},
}

// nouns are what the places of a subject are called.
var nouns = map[string]string{
	"outcomes": "outcome", "regions": "region", "ends": "step", "cycles": "cycle", "reads": "read", "conflicts": "write",
	"capabilities": "call", "bindings": "binding", "conditions": "condition", "keywords": "keyword",
}

// leftovers are what is left to run time although nothing was found there, in the order in which they are told.
var leftovers = []struct{ subject, text string }{
	{"bindings_unknown", "%s: nobody says of which type the value is that is read"},
	{"bindings_maybe", "%s: the value may or may not fit its target (input_invalid, state_invalid, output_invalid)"},
	{"bindings_absent", "%s: a required value may be absent (binding_missing)"},
	{"reads_open", "%s: the plan is too large to follow what is written on all ways (binding_missing)"},
	{"conditions_open", "%s: the types of what is compared are not known (condition_type)"},
	{"lists_open", "%s: what a foreach goes through may be no array (not_an_array)"},
	{"capabilities_foreign", "%s: the capability is defined by the plan, but not in this inventory (capability_missing)"},
	{"workflows_saved", "%s: the saved workflow is looked up when it runs"},
	{"outcomes_open", "%s: which outcomes there are is not known (undeclared_outcome, unwired_outcome)"},
	{"people", "%s: a person, or another system, has to answer"},
	{"steps", "no limits.max_steps is set: a run stops after 10000 steps (limit_exceeded)"},
}

var leftoverNouns = map[string]string{
	"bindings_unknown": "binding", "bindings_maybe": "binding", "bindings_absent": "binding", "reads_open": "read", "conditions_open": "condition", "lists_open": "foreach",
	"capabilities_foreign": "call", "workflows_saved": "call", "outcomes_open": "step", "people": "interrupt",
}

const maxClaimPlaces = 10

// proof puts the claims together.
func (p *prover) proof(found Diagnostics) *Proof {
	places := map[Code][]string{}
	for _, d := range found {
		places[d.Code] = append(places[d.Code], d.Path)
	}
	proof := &Proof{Proved: []Claim{}, Left: []Claim{}}
	for _, s := range subjects {
		isKnown := func(code Code) bool { _, ok := LookupCode(code); return ok }
		wasFound := func(code Code) bool { return len(places[code]) > 0 }
		if !all(s.needs, isKnown) || !all(s.may, isKnown) || slices.ContainsFunc(s.needs, wasFound) {
			continue
		}
		var open []string
		for _, code := range s.may {
			open = append(open, places[code]...)
		}
		noun := nouns[s.name]
		if len(open) > 0 {
			proof.leave(s.name, fmt.Sprintf(s.left, counted(len(open), noun)), open)
		} else if n := p.counts[s.name]; n > 0 && s.proved != "" {
			proof.Proved = append(proof.Proved, Claim{Subject: s.name, Count: n, Text: fmt.Sprintf(s.proved, p.amount(s.name, n, noun))})
		}
	}
	for _, l := range leftovers {
		if open := p.open[l.subject]; len(open) > 0 {
			text := l.text
			if noun := leftoverNouns[l.subject]; noun != "" {
				text = fmt.Sprintf(text, plural(len(open), noun))
			}
			proof.leave(l.subject, text, open)
		}
	}
	return proof
}

// amount writes how many places of a subject there are, and what is said of them: of bindings and conditions, how many of how many.
func (p *prover) amount(subject string, n int, noun string) string {
	if of := p.counts[subject+" of"]; of > n {
		return fmt.Sprintf("%d of %s", n, counted(of, noun))
	}
	text := counted(n, noun)
	if by := slices.Sorted(maps.Keys(p.bounds)); subject == "cycles" && len(by) > 0 {
		text += ", by " + strings.Join(by, ", ")
	}
	return text
}

func (p *Proof) leave(subject, text string, at []string) {
	p.Left = append(p.Left, Claim{Subject: subject, Text: text, Count: len(at), Places: at[:min(len(at), maxClaimPlaces)]})
}

func all(codes []Code, hold func(Code) bool) bool {
	return !slices.ContainsFunc(codes, func(code Code) bool { return !hold(code) })
}

// plural is counted, for a noun that has no plural of its own too.
func plural(n int, noun string) string {
	if noun == "foreach" && n > 1 {
		return fmt.Sprintf("%d foreach steps", n)
	}
	return counted(n, noun)
}
