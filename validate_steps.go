package wf

import (
	"fmt"
	"maps"
	"slices"
)

// checkSteps checks each step by itself: the members it needs, their words and their numbers.
func (c *checker) checkSteps() {
	for i, s := range c.w.Nodes {
		at := c.node(i)
		switch s := s.(type) {
		case *NodeStep:
			c.need(s.Node != "", "node", at, i, `name the capability, for example "local.report.read_notes"`)
			c.checkSeconds("timeout_seconds", s.TimeoutSeconds, at, i)
			c.checkRetry(s.Retry, at, i)
		case *SetStep:
			c.need(len(s.Output)+len(s.Unset) > 0, "output", at, i, "say what the step sets, or unsets")
		case *ConditionStep:
			c.checkConditionStep(i, s, at)
		case *ForeachStep:
			c.checkForeach(i, s, at)
		case *ForkStep:
			c.checkFork(i, s, at)
		case *InterruptStep:
			c.checkInterrupt(i, s, at)
		case *WaitStep:
			c.need(s.Seconds != nil || s.Until != nil, "seconds", at, i, "say how many seconds to wait, or until when")
			c.exclude(s.Seconds != nil && s.Until != nil, "seconds", "until", at, i)
		case *SubgraphStep:
			c.need(s.Workflow != "", "workflow", at, i, "name one of the plan's workflows, or artifact@version")
			c.checkRetry(s.Retry, at, i)
		case *FailStep:
			c.checkFail(i, s, at)
		}
	}
}

// need reports a member that a step must have.
func (c *checker) need(has bool, member string, at *place, step int, hint string) {
	if !has {
		c.report("field_missing", at.key(member), step, fmt.Sprintf("a step of type %q needs %s", c.w.Nodes[step].StepType(), member), hint)
	}
}

// exclude reports two members of which only one may stand.
func (c *checker) exclude(both bool, one, other string, at *place, step int) {
	if both {
		c.report("field_conflict", at.key(other), step, fmt.Sprintf("%s and %s exclude each other", one, other), "keep one of them")
	}
}

func (c *checker) checkConditionStep(i int, s *ConditionStep, at *place) {
	if s.Check != nil && c.isHole(string(s.Default)) {
		return // the reader has told what is wrong with them
	}
	c.exclude(s.Check != nil && len(s.Cases) > 0, "check", "cases", at, i)
	c.exclude(s.Check != nil && s.Default != "", "check", "default", at, i)
	c.need(s.Check != nil || len(s.Cases) > 0, "check", at, i, "ask one question by check, or several by cases")
	if len(s.Cases) == 0 {
		return
	}
	for k := range s.Cases {
		c.checkName("outcome", string(s.Cases[k].Outcome), at.key("cases").at(k).key("outcome"), i)
	}
	c.need(s.Default != "", "default", at, i, "name the outcome for when no case holds")
	if s.Default != "" {
		c.checkName("outcome", string(s.Default), at.key("default"), i)
	}
}

func (c *checker) checkForeach(i int, s *ForeachStep, at *place) {
	c.need(len(s.Over.kinds()) > 0, "over", at, i, "say which array to go through")
	if s.As == "" {
		c.need(false, "as", at, i, `give the item a name; the body reads it by item.<name>`)
	} else if c.checkName(`"as" name`, s.As, at.key("as"), i) && c.tree.of[i] != noRegion && !c.lost.graph {
		if body := c.tree.ancestry.itemBody(c.tree.of[i], s.As); body >= 0 {
			owner := c.tree.regions[body].owner
			c.report("item_name_taken", at.key("as"), i, fmt.Sprintf("the foreach %q around this one calls its item %q too", c.w.Nodes[owner].StepID(), s.As),
				"give the inner item another name").relate(c.node(owner).key("as"), "the outer name")
		}
	}
	c.checkWord("mode", s.Mode, at, i, ModeSerial, ModeParallel)
	c.checkWord("on_item_error", s.OnItemError, at, i, OnErrorFail, OnErrorCollect, OnErrorSkip)
	c.checkCount("max_concurrency", float64(s.MaxConcurrency), at, i)
	c.checkCount("complete", float64(s.Complete), at, i)
	c.checkSeconds("timeout_seconds", s.TimeoutSeconds, at, i)
	c.checkRetry(s.Retry, at, i)
}

func (c *checker) checkFork(i int, s *ForkStep, at *place) {
	c.need(len(s.Branches) > 0, "branches", at, i, `list the branches, for example ["legal", "sales"]`)
	seen := make(map[Outcome]int, len(s.Branches))
	for k, b := range s.Branches {
		place := at.key("branches").at(k)
		if !c.checkName("outcome", string(b.Outcome), place.key("outcome"), i) {
			continue
		}
		if first, taken := seen[b.Outcome]; taken {
			c.report("name_duplicate", place.key("outcome"), i, fmt.Sprintf("two branches have the outcome %q", b.Outcome), "give each branch an outcome of its own").
				relate(at.key("branches").at(first), "the first of them")
		} else {
			seen[b.Outcome] = k
		}
	}
	c.checkWord("on_branch_error", s.OnBranchError, at, i, OnErrorFail, OnErrorCollect)
	c.checkCount("complete", float64(s.Complete), at, i)
	if s.Complete > len(s.Branches) && len(s.Branches) > 0 && !c.mayHaveOther(c.branchesOf(i)) {
		c.report("complete_beyond", at.key("complete"), i, fmt.Sprintf("complete is %d, there are only %s: it means all of them", s.Complete, countedBranches(len(s.Branches))),
			fmt.Sprintf("write a number from 1 to %d, or leave it out", len(s.Branches))).expects(len(s.Branches), s.Complete)
	}
	c.checkSeconds("timeout_seconds", s.TimeoutSeconds, at, i)
	c.checkRetry(s.Retry, at, i)
}

func countedBranches(n int) string {
	if n == 1 {
		return "1 branch"
	}
	return fmt.Sprintf("%d branches", n)
}

func (c *checker) checkInterrupt(i int, s *InterruptStep, at *place) {
	c.need(s.Kind != "", "kind", at, i, `say what is asked for, for example "approval"`)
	c.need(len(s.Outcomes) > 0, "outcomes", at, i, `list the answers, for example ["approved", "rejected"]`)
	c.checkOutcomeList(s.Outcomes, at.key("outcomes"), i)
	c.checkSeconds("timeout_seconds", s.TimeoutSeconds, at, i)
	if s.TimeoutSeconds == 0 && s.TimeoutOutcome != "" {
		c.need(false, "timeout_seconds", at, i, "say after how many seconds the timeout outcome is taken, or remove it")
	}
	if s.TimeoutSeconds != 0 && s.TimeoutOutcome == "" && !(c.holes && s.TimeoutSeconds == holeNumber) {
		c.need(false, "timeout_outcome", at, i, "name the outcome that is taken when nobody answers in time, or remove the timeout")
	}
	if o := s.TimeoutOutcome; o != "" && c.checkName("outcome", string(o), at.key("timeout_outcome"), i) && slices.Contains(s.Outcomes, o) {
		c.report("timeout_outcome_resumable", at.key("timeout_outcome"), i, fmt.Sprintf("%q is one of the outcomes that a person answers with", o),
			"give the timeout an outcome of its own, for example \"expired\"")
	}
	for _, o := range slices.Sorted(maps.Keys(s.ResumeSchemas)) {
		if !slices.Contains(s.Outcomes, o) && !c.isHole(string(o)) && !c.mayHaveOther(s.Outcomes) {
			c.report("outcome_unknown", at.key("resume_schemas").key(string(o)), i, fmt.Sprintf("there is a resume schema for %q, which is none of the outcomes: %s", clip(string(o)), listSome(s.Outcomes)),
				c.suggest(string(o), wordsOf(s.Outcomes), "name one of the outcomes, or remove it")).expects(s.Outcomes, o)
		}
	}
}

func (c *checker) checkFail(i int, s *FailStep, at *place) {
	if s.Code == "" {
		c.need(false, "code", at, i, `name the failure, for example "no_budget"`)
		return
	}
	if c.isHole(string(s.Code)) {
		return
	}
	for _, r := range s.Code {
		if !isNameRune(r) && r != '.' {
			c.report("name_invalid", at.key("code"), i, fmt.Sprintf("code %q holds %q, only letters, digits, _, - and dots may stand in it", clip(string(s.Code)), r),
				`write for example "no_budget"`)
			return
		}
	}
	if slices.Contains(engineCodes, s.Code) {
		c.report("code_reserved", at.key("code"), i, fmt.Sprintf("%q is a code of the engine itself", s.Code),
			"use a code of your own, so that a catch can tell the two apart")
	}
}
