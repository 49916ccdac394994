package wf

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"lda.chat/wf/internal/schema"
)

// codeAny stands in a catch for every code that can be caught that way.
const codeAny Code = "*"

// codeCancelled is the failure that nothing catches.
const codeCancelled Code = "cancelled"

// collectFailCodes gathers the codes of the fail steps of a workflow and of those inside it.
func (sh *checkShared) collectFailCodes(w *Workflow, seen map[*Workflow]bool) {
	seen[w] = true
	for _, s := range w.Nodes {
		switch s := s.(type) {
		case *FailStep:
			if s != nil {
				sh.failCodes[s.Code] = true
				sh.foreignCodes = sh.foreignCodes || sh.isHole(string(s.Code))
			}
		case *SubgraphStep:
			if s != nil && (isArtifactRef(s.Workflow) || sh.isHole(s.Workflow)) {
				sh.foreignCodes = true
			}
		}
	}
	for _, nested := range w.Workflows {
		if nested != nil && !seen[nested] {
			sh.collectFailCodes(nested, seen)
		}
	}
}

// checkCatches checks what steps catch: where it may stand, codes, outcomes and the place of the error.
func (c *checker) checkCatches() {
	for i, s := range c.w.Nodes {
		catches := s.common().Catch
		if len(catches) == 0 {
			continue
		}
		at := c.node(i).key("catch")
		switch s.(type) {
		case *EndStep, *JoinStep:
			c.report("field_unknown", at, i, fmt.Sprintf("a step of type %q cannot fail, so it has nothing to catch", s.StepType()),
				"remove the catch, or move it to the step whose failure it is meant for").
				fix("Remove the catch", FixSafe, testOp(c.node(i).key("id"), s.StepID()), removeOp(at))
			continue
		}
		caught := make(map[Code]int)
		for k, catch := range catches {
			c.checkCatch(i, catch, at.at(k))
			for j, code := range catch.Codes {
				if c.isHole(string(code)) {
					continue
				}
				first, taken := caught[code]
				if all, any := caught[codeAny]; any && !taken && code != "in_doubt" {
					first, taken = all, true
				}
				if !taken {
					caught[code] = k
				} else {
					c.report("catch_shadowed", at.at(k).key("codes").at(j), i, fmt.Sprintf("%q is caught already: the first catch that names a code wins", code),
						shadowHint(catches[first], code)).relate(at.at(first), "the catch that wins")
				}
			}
		}
	}
}

// shadowHint says what to do about a code that an earlier catch names, or its "*".
func shadowHint(wins Catch, code Code) string {
	if slices.Contains(wins.Codes, code) {
		return "remove one of the two"
	}
	return `"*" names every code: move it behind those that name some, or remove this one`
}

func (c *checker) checkCatch(i int, catch Catch, at *place) {
	if len(catch.Codes) == 0 {
		c.report("field_missing", at.key("codes"), i, "the catch names no codes", `list codes, for example ["timeout", "transport"], or ["*"]`)
	}
	c.checkFailureCodes(catch.Codes, at.key("codes"), i, true)
	if !c.checkName("outcome", string(catch.Outcome), at.key("outcome"), i) {
		return
	}
	if c.entersRegion(c.w.Nodes[i], catch.Outcome) {
		c.report("catch_outcome_taken", at.key("outcome"), i, fmt.Sprintf("outcome %q enters the region of this step, a caught failure leaves it", catch.Outcome),
			"catch into an outcome of its own, for example \"failed\"")
	}
	if catch.Error != nil && c.checkStateTarget(*catch.Error, at.key("error"), i) && c.checkPosition(catch.Error, at.key("error"), i) {
		c.checkErrorFits(catch.Error, at.key("error"), i)
	}
}

// errorSchema is what a caught failure is, as a value.
var errorSchema = sync.OnceValue(func() *schema.Schema {
	s, _ := schema.Parse([]byte(`{"type": "object", "properties": {"code": {"type": "string"}, "message": {"type": "string"}, "step": {"type": "string"},
		"frame": {"type": "string"}, "attempts": {"type": "integer", "minimum": 1}, "details": {}},
		"required": ["code", "message", "step", "frame", "attempts"], "additionalProperties": false}`), nil)
	return s
})

// checkErrorFits checks that what a catch writes can stand in the field that it goes to, as its reducer brings it there.
func (c *checker) checkErrorFits(target *Path, at *place, i int) {
	takes := c.writeTarget(target)
	why := c.mismatch(errorSchema(), takes)
	if why == nil {
		return
	}
	hint := "an error is {code, message, step, frame, attempts, details}: let the field take such an object"
	if reducer := c.fields[target.Parts[0].Name]; reducer == "extend" || reducer == "set_union" {
		hint = fmt.Sprintf("an error is one object: %q takes a list, \"append\" would add the error to it", reducer)
	}
	d := c.report("type_mismatch", at, i, fmt.Sprintf("the error that is caught never fits %s: %s", target, strings.TrimSpace(strings.TrimPrefix(why.Path, "/")+" "+why.Message)), hint)
	d.expectsTypes(takes, errorSchema())
	if c.state != nil {
		d.relate(c.declaration(c.top("state_schema"), c.state, target.Parts), "the state field")
	}
}

// entersRegion reports whether an outcome of a step begins an item or a branch.
func (c *checker) entersRegion(s Step, o Outcome) bool {
	switch s := s.(type) {
	case *ForeachStep:
		return o == outcomeItem
	case *ForkStep:
		return slices.ContainsFunc(s.Branches, func(b ForkBranch) bool { return b.Outcome == o })
	}
	return false
}

// checkFailureCodes checks the codes of a catch, or of a retry.
func (c *checker) checkFailureCodes(codes []Code, at *place, step int, catching bool) {
	for k, code := range codes {
		switch {
		case c.isHole(string(code)):
		case code == codeCancelled || code == "in_doubt" && !catching:
			verb := "caught"
			if !catching {
				verb = "retried"
			}
			d := c.report("failure_uncatchable", at.at(k), step, fmt.Sprintf("%q cannot be %s", code, verb), "remove it")
			if len(codes) > 1 {
				d.fix("Remove the code", FixSafe, testOp(at.at(k), code), removeOp(at.at(k)))
			}
		case code == codeAny && catching, slices.Contains(engineCodes, code), c.failCodes[code], c.foreignCodes:
		default:
			known := c.knownCodes()
			if meant, ok := c.nearest(string(code), known); ok {
				c.report("failure_unknown", at.at(k), step, fmt.Sprintf("nothing fails with the code %q", clip(string(code))), fmt.Sprintf("did you mean %q?", meant)).
					fix(fmt.Sprintf("Write %q", meant), FixUnsafe, testOp(at.at(k), code), replaceOp(at.at(k), meant))
				continue
			}
			c.report("failure_unknown", at.at(k), step, fmt.Sprintf("nothing in the plan declares the code %q", clip(string(code))),
				"leave it if a function fails with it; the codes that are known here are "+joinSome(known)).Severity = SeverityInfo
		}
	}
}

// knownCodes are the codes of the engine and of all fail steps, sorted.
func (sh *checkShared) knownCodes() []string {
	if sh.codes == nil {
		sh.codes = wordsOf(engineCodes)
		for own := range sh.failCodes {
			sh.codes = append(sh.codes, string(own))
		}
		slices.Sort(sh.codes)
	}
	return sh.codes
}

// joinSome lists words, but not thousands of them.
func joinSome(words []string) string {
	const most = 60
	if len(words) <= most {
		return strings.Join(words, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(words[:most], ", "), len(words)-most)
}
