package wf

import "time"

// Policy says what a failed item or branch does to its foreach or fork.
type Policy string

// The policies.
const (
	Fail    Policy = OnErrorFail    // it fails too, and its other items or branches are cancelled
	Collect Policy = OnErrorCollect // the others finish; the failures are listed
	Skip    Policy = OnErrorSkip    // the others finish; of a foreach only
)

// ForeachBuilder sets how a foreach goes through its items. Only its outcome "done" can fall through.
type ForeachBuilder struct {
	*Builder
	item *item
	step *ForeachStep
}

// Foreach adds a step that runs a body for each element of the array at a path. The body reads its element at item.<as>,
// and by the name of as.
func (b *Builder) Foreach(id, over, as string, body Chain) *ForeachBuilder {
	i := &item{outcomes: []Outcome{"done"}}
	step := &ForeachStep{StepCommon: StepCommon{ID: id}, Over: i.problems.pathOperand(over), As: as}
	i.step, i.body = step, i.bodyOf(body, "the body")
	return &ForeachBuilder{b, b.add(i), step}
}

// bodyOf checks that a chain can be a body.
func (i *item) bodyOf(c Chain, what string) *Builder {
	if isNil(c) || c.chain() == nil {
		i.problems.add("body_invalid", what+" is nil", "pass Body() and its steps")
		return Body()
	}
	b := c.chain()
	if !b.body {
		i.problems.add("body_invalid", what+" is a workflow of its own", "begin it with Body(), or call the workflow with Step")
	}
	return b
}

// Describe says what the step is for.
func (s *ForeachBuilder) Describe(text string) *ForeachBuilder { s.step.Desc = text; return s }

// Parallel runs up to max items side by side; 0 is the default of 16. Without it they run one after the other.
func (s *ForeachBuilder) Parallel(max int) *ForeachBuilder {
	s.step.Mode, s.step.MaxConcurrency = ModeParallel, max
	return s
}

// OnError sets what a failed item does; without it the foreach fails.
func (s *ForeachBuilder) OnError(p Policy) *ForeachBuilder { s.step.OnItemError = string(p); return s }

// Complete ends the foreach as soon as k items succeeded. If that is out of reach its outcome is "unmet", see Unmet.
func (s *ForeachBuilder) Complete(k int) *ForeachBuilder {
	s.step.Complete = k
	s.item.outcomes = append(s.item.outcomes, "unmet")
	return s
}

// Unmet leads to a step if too few items succeeded for Complete.
func (s *ForeachBuilder) Unmet(to string) *ForeachBuilder { s.item.route("unmet", to); return s }

// Timeout leads to a step if the foreach is not over after a time.
func (s *ForeachBuilder) Timeout(d time.Duration, to string) *ForeachBuilder {
	s.step.TimeoutSeconds = s.item.problems.secondsOrHole(d)
	s.item.route("timed_out", to)
	return s
}

// Result keeps what is at a path as each item ends: the foreach's results, in the order of its items.
func (s *ForeachBuilder) Result(path string) *ForeachBuilder {
	o := s.item.problems.pathOperand(path)
	s.step.Result = &o
	return s
}

// Out writes what the foreach offers to the state: count, succeeded, failed, errors, results.
func (s *ForeachBuilder) Out(from, to string) *ForeachBuilder {
	source := s.item.problems.localPath(from)
	s.item.write(&source, nil, to)
	return s
}

// Done leads to a step when all items are over.
func (s *ForeachBuilder) Done(to string) *ForeachBuilder { s.item.route("done", to); return s }

// Retry sets how the whole foreach is tried again when it fails.
func (s *ForeachBuilder) Retry(r Retry) *ForeachBuilder { s.step.Retry = &r; return s }

// Catch leads failures with one of the codes to a step; without codes, every failure that can be caught.
func (s *ForeachBuilder) Catch(to string, codes ...Code) *ForeachBuilder {
	s.item.catch(to, nil, codes)
	return s
}

// CatchInto is Catch, and writes the error to the state.
func (s *ForeachBuilder) CatchInto(to, into string, codes ...Code) *ForeachBuilder {
	path := s.item.problems.statePath(into)
	s.item.catch(to, &path, codes)
	return s
}

// BranchBuilder is a branch of a fork.
type BranchBuilder struct {
	outcome  Outcome
	body     Chain
	when     *Condition
	problems problems
}

// Branch makes a branch of a fork. It ends where its body ends: at the fork's join.
func Branch(name Outcome, body Chain) *BranchBuilder {
	return &BranchBuilder{outcome: name, body: body}
}

// When takes the branch only if a check holds.
func (b *BranchBuilder) When(c Check) *BranchBuilder {
	b.when = b.problems.check(c)
	return b
}

// ForkBuilder sets how a fork runs its branches. What leaves it leaves from its join; only "done" can fall through.
type ForkBuilder struct {
	*Builder
	item *item
	step *ForkStep
}

// Fork adds a step that runs branches side by side, and the join at which they meet.
func (b *Builder) Fork(id string, branches ...*BranchBuilder) *ForkBuilder {
	i := &item{outcomes: []Outcome{"done"}}
	step := &ForkStep{StepCommon: StepCommon{ID: id}, Join: id + "_join"}
	for _, branch := range branches {
		if branch == nil {
			i.problems.add("body_invalid", "a branch is nil", "make branches with Branch")
			continue
		}
		i.problems.take(branch.problems)
		i.branches = append(i.branches, i.bodyOf(branch.body, "the body of branch "+quoteJSON(string(branch.outcome))))
		step.Branches = append(step.Branches, ForkBranch{Outcome: branch.outcome, When: branch.when})
	}
	i.step = step
	return &ForkBuilder{b, b.add(i), step}
}

// Describe says what the step is for.
func (s *ForkBuilder) Describe(text string) *ForkBuilder { s.step.Desc = text; return s }

// Join names the join, which is otherwise called like the fork with "_join" after it.
func (s *ForkBuilder) Join(id string) *ForkBuilder { s.step.Join = id; return s }

// OnError sets what a failed branch does; without it the fork fails. Skip is for foreach only.
func (s *ForkBuilder) OnError(p Policy) *ForkBuilder {
	if p == Skip {
		s.item.problems.add("option_misplaced", "a fork cannot skip failed branches", "use Collect")
		return s
	}
	s.step.OnBranchError = string(p)
	return s
}

// Complete ends the fork as soon as k branches succeeded. If that is out of reach its outcome is "unmet", see Unmet.
func (s *ForkBuilder) Complete(k int) *ForkBuilder {
	s.step.Complete = k
	s.item.outcomes = append(s.item.outcomes, "unmet")
	return s
}

// Unmet leads to a step if too few branches succeeded for Complete.
func (s *ForkBuilder) Unmet(to string) *ForkBuilder { s.item.route("unmet", to); return s }

// Timeout leads to a step if the fork is not over after a time.
func (s *ForkBuilder) Timeout(d time.Duration, to string) *ForkBuilder {
	s.step.TimeoutSeconds = s.item.problems.secondsOrHole(d)
	s.item.route("timed_out", to)
	return s
}

// Out writes what the fork offers to the state: count, succeeded, failed, errors.
func (s *ForkBuilder) Out(from, to string) *ForkBuilder {
	source := s.item.problems.localPath(from)
	s.item.write(&source, nil, to)
	return s
}

// Done leads to a step when the branches are over.
func (s *ForkBuilder) Done(to string) *ForkBuilder { s.item.route("done", to); return s }

// Retry sets how the whole fork is tried again when it fails.
func (s *ForkBuilder) Retry(r Retry) *ForkBuilder { s.step.Retry = &r; return s }

// Catch leads failures with one of the codes to a step; without codes, every failure that can be caught.
func (s *ForkBuilder) Catch(to string, codes ...Code) *ForkBuilder {
	s.item.catch(to, nil, codes)
	return s
}

// CatchInto is Catch, and writes the error to the state.
func (s *ForkBuilder) CatchInto(to, into string, codes ...Code) *ForkBuilder {
	path := s.item.problems.statePath(into)
	s.item.catch(to, &path, codes)
	return s
}
