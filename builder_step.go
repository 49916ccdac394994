package wf

import "time"

// StepBuilder sets what a step that calls something does. Its mistakes are reported by [Builder.Build].
type StepBuilder struct {
	*Builder
	item *item
}

// Step adds a step that calls something: a function, a capability, a question, another workflow.
func (b *Builder) Step(id string, c Callable) *StepBuilder {
	i := &item{callable: c}
	common := StepCommon{ID: id}
	if isNil(c) {
		i.callable = nil
		i.problems.add("callable_missing", "there is nothing to call: it is nil", "pass a function, a capability, a question or a workflow")
	}
	switch i.callable.(type) {
	case *Question:
		i.step = &InterruptStep{StepCommon: common}
	case *Workflow:
		i.step = &SubgraphStep{StepCommon: common}
	default:
		i.step = &NodeStep{StepCommon: common}
	}
	return &StepBuilder{b, b.add(i)}
}

// Describe says what the step is for.
func (s *StepBuilder) Describe(text string) *StepBuilder { s.item.step.common().Desc = text; return s }

// In takes a member of the step's input from a path: In("text", "steps.read.text"). It replaces binding by name for this
// member only. "." is the whole input.
func (s *StepBuilder) In(to, from string) *StepBuilder {
	s.item.in(to, s.item.problems.pathOperand(from))
	return s
}

// InOr is In with a value for when there is nothing at the path.
func (s *StepBuilder) InOr(to, from string, otherwise any) *StepBuilder {
	o := s.item.problems.pathOperand(from)
	o.Default = s.item.problems.literal(otherwise)
	s.item.in(to, o)
	return s
}

// InValue sets a member of the step's input to a literal.
func (s *StepBuilder) InValue(to string, v any) *StepBuilder {
	s.item.in(to, Operand{Value: s.item.problems.literal(v)})
	return s
}

// InText sets a member of the step's input to a text with paths in braces: "Report for {input.week}".
func (s *StepBuilder) InText(to, template string) *StepBuilder {
	s.item.in(to, s.item.problems.template(template))
	return s
}

// Out writes a member of the step's output to the state: Out("text", "state.draft"). It replaces the write by name for this
// member only. "." is the whole output.
func (s *StepBuilder) Out(from, to string) *StepBuilder {
	source := s.item.problems.localPath(from)
	s.item.write(&source, nil, to)
	return s
}

// OutIfAbsent is Out, and says what happens if the output has no such member: [AbsentUnset], [AbsentKeep] or [AbsentFail].
func (s *StepBuilder) OutIfAbsent(from, to, what string) *StepBuilder {
	s.Out(from, to)
	s.item.writes[len(s.item.writes)-1].IfAbsent = what
	return s
}

// OutValue writes a literal to the state when the step is done.
func (s *StepBuilder) OutValue(to string, v any) *StepBuilder {
	s.item.write(nil, &Operand{Value: s.item.problems.literal(v)}, to)
	return s
}

// On leads an outcome to a step, or to [ToEnd], [ToContinue], [ToDiscard].
func (s *StepBuilder) On(o Outcome, to string) *StepBuilder { s.item.route(o, to); return s }

// Loop is On with a bound: after max times the outcome leads to exhausted instead; if that is "", the step fails with
// limit_exceeded. It counts how often it leads back, so the step that it leads to runs once more than that: a Loop with max
// 3 after a first round makes four rounds at most.
func (s *StepBuilder) Loop(o Outcome, to string, max int, exhausted string) *StepBuilder {
	s.item.loop(o, to, max, exhausted)
	return s
}

// Catch leads failures with one of the codes to a step; without codes, every failure that can be caught.
func (s *StepBuilder) Catch(to string, codes ...Code) *StepBuilder {
	s.item.catch(to, nil, codes)
	return s
}

// CatchInto is Catch, and writes the error to the state: CatchInto("sorry", "state.error", "timeout").
func (s *StepBuilder) CatchInto(to, into string, codes ...Code) *StepBuilder {
	path := s.item.problems.statePath(into)
	s.item.catch(to, &path, codes)
	return s
}

// Retry sets how the step is tried again when it fails, instead of what its contract says.
func (s *StepBuilder) Retry(r Retry) *StepBuilder {
	switch step := s.item.step.(type) {
	case *NodeStep:
		step.Retry = &r
	case *SubgraphStep:
		step.Retry = &r
	default:
		s.item.problems.add("option_misplaced", "a question cannot be retried", "leave Retry out")
	}
	return s
}

// Timeout bounds each attempt of the step, instead of what its contract says.
func (s *StepBuilder) Timeout(d time.Duration) *StepBuilder {
	if step, ok := s.item.step.(*NodeStep); ok {
		step.TimeoutSeconds = s.item.problems.seconds(d)
		return s
	}
	s.item.problems.add("option_misplaced", "only a call of a function or capability has a timeout of its own",
		"set the timeout of a question with its Timeout, that of a workflow with its Limits")
	return s
}

// Narrow asks for more than the contract's output schema does; the source is told, and the output checked.
func (s *StepBuilder) Narrow(output Schema) *StepBuilder {
	if step, ok := s.item.step.(*NodeStep); ok {
		step.OutputSchema = output
		return s
	}
	s.item.problems.add("option_misplaced", "only the output of a function or capability can be narrowed", "leave Narrow out")
	return s
}
