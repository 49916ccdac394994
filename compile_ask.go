package wf

import (
	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/internal/value"
)

// interrupt compiles a step that asks somebody.
func (c *compiler) interrupt(i int32, op *kernel.Op, s *InterruptStep) {
	requested := c.schema(s.RequestSchema)
	op.Shape, op.Input = shapeOf(c.binds(s.Request, requested))
	ask := &kernel.Ask{
		Kind: s.Kind, TimedOut: -1, CheckRequest: checkOf(requested, kernel.CodeInputInvalid),
		Checks: make([]func(value.Value) *kernel.Failure, len(s.Outcomes)),
	}
	said := &inquiry{outcomes: s.Outcomes, answers: map[Outcome]Schema{}}
	for k, outcome := range s.Outcomes {
		op.Outcomes = append(op.Outcomes, string(outcome))
		text, own := s.ResumeSchemas[outcome]
		if !own {
			text = s.ResumeSchema
		}
		if len(text) > 0 {
			said.answers[outcome] = text
			ask.Checks[k] = checkOf(c.schema(text), kernel.CodeInputInvalid)
		}
	}
	op.Declared = int32(len(op.Outcomes))
	if s.TimeoutOutcome != "" {
		ask.TimedOut = number(op, s.TimeoutOutcome)
	}
	op.Timeout = nanoseconds(s.TimeoutSeconds)
	op.Ask = ask
	op.Writes = c.writes(s.Resume)
	for k := range op.Writes {
		if w := &op.Writes[k]; w.Absent == kernel.AbsentDefault { // an answer that leaves something out changes nothing there
			w.Absent = kernel.AbsentKeep
		}
	}
	if c.flow.inquiries == nil {
		c.flow.inquiries = map[int32]*inquiry{}
	}
	c.flow.inquiries[i] = said
	c.waits(true)
}
