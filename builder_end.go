package wf

// EndBuilder sets what a workflow returns at an End.
type EndBuilder struct {
	*Builder
	item *item
	step *EndStep
}

// End adds a step that ends the workflow with an outcome. It stands outside the sequence: nothing falls into it.
func (b *Builder) End(id string, o Outcome) *EndBuilder {
	step := &EndStep{StepCommon: StepCommon{ID: id}, Outcome: o}
	return &EndBuilder{b, b.add(&item{step: step, outside: true}), step}
}

// Describe says what the step is for.
func (s *EndBuilder) Describe(text string) *EndBuilder { s.step.Desc = text; return s }

// Return takes a member of the output from a path; with Return or ReturnValue the workflow's own output does not count here.
func (s *EndBuilder) Return(to, from string) *EndBuilder {
	s.item.in(to, s.item.problems.pathOperand(from))
	return s
}

// ReturnValue sets a member of the output to a literal.
func (s *EndBuilder) ReturnValue(to string, v any) *EndBuilder {
	s.item.in(to, s.item.problems.literalOperand(v))
	return s
}

// FailBuilder sets what a Fail says.
type FailBuilder struct {
	*Builder
	item *item
	step *FailStep
}

// Fail adds a step that fails with a code of your own, which foreach and fork steps, callers and Catch can name. It stands
// outside the sequence: nothing falls into it.
func (b *Builder) Fail(id string, code Code) *FailBuilder {
	step := &FailStep{StepCommon: StepCommon{ID: id}, Code: code}
	return &FailBuilder{b, b.add(&item{step: step, outside: true}), step}
}

// Describe says what the step is for.
func (s *FailBuilder) Describe(text string) *FailBuilder { s.step.Desc = text; return s }

// Message is what the failure says: a text with paths in braces.
func (s *FailBuilder) Message(template string) *FailBuilder {
	o := s.item.problems.template(template)
	s.step.Message = &o
	return s
}
