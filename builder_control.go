package wf

import (
	"encoding/json"
	"time"
)

// IfBuilder sets where the two outcomes of an If lead; one that is not set falls through.
type IfBuilder struct {
	*Builder
	item *item
}

// If adds a step that looks at values and chooses between two ways.
func (b *Builder) If(id string, c Check) *IfBuilder {
	i := &item{outcomes: []Outcome{"true", "false"}}
	i.step = &ConditionStep{StepCommon: StepCommon{ID: id}, Check: i.problems.check(c)}
	return &IfBuilder{b, b.add(i)}
}

// Describe says what the step is for.
func (s *IfBuilder) Describe(text string) *IfBuilder { s.item.step.common().Desc = text; return s }

// Then leads to a step if the check holds.
func (s *IfBuilder) Then(to string) *IfBuilder { s.item.route("true", to); return s }

// Else leads to a step if the check does not hold.
func (s *IfBuilder) Else(to string) *IfBuilder { s.item.route("false", to); return s }

// Loop leads to a step while the check has the given answer, at most max times; then to exhausted, or, if that is "", into
// a failure. See [StepBuilder.Loop] for what is counted.
func (s *IfBuilder) Loop(answer bool, to string, max int, exhausted string) *IfBuilder {
	o := Outcome("false")
	if answer {
		o = "true"
	}
	s.item.loop(o, to, max, exhausted)
	return s
}

// Catch leads failures with one of the codes to a step, such as a value that is not there.
func (s *IfBuilder) Catch(to string, codes ...Code) *IfBuilder {
	s.item.catch(to, nil, codes)
	return s
}

// SwitchBuilder sets the cases of a Switch.
type SwitchBuilder struct {
	*Builder
	item *item
	step *ConditionStep
}

// Switch adds a step that leads on by the first of its cases that holds; without a Default the rest falls through.
func (b *Builder) Switch(id string) *SwitchBuilder {
	step := &ConditionStep{StepCommon: StepCommon{ID: id}, Default: "default"}
	return &SwitchBuilder{b, b.add(&item{step: step, outcomes: []Outcome{"default"}}), step}
}

// Describe says what the step is for.
func (s *SwitchBuilder) Describe(text string) *SwitchBuilder { s.step.Desc = text; return s }

// Case leads to a step if the check holds. The outcome has the step's name.
func (s *SwitchBuilder) Case(c Check, to string) *SwitchBuilder {
	o := targetName(to)
	s.step.Cases = append(s.step.Cases, Case{When: s.item.problems.check(c), Outcome: o})
	for _, e := range s.item.routes {
		if e.Outcome == o && e.To == to {
			return s
		}
	}
	s.item.route(o, to)
	return s
}

// Default leads to a step if no case holds.
func (s *SwitchBuilder) Default(to string) *SwitchBuilder { s.item.route("default", to); return s }

// Catch leads failures with one of the codes to a step, such as a value that is not there.
func (s *SwitchBuilder) Catch(to string, codes ...Code) *SwitchBuilder {
	s.item.catch(to, nil, codes)
	return s
}

// SetBuilder sets what a Set does.
type SetBuilder struct {
	*Builder
	item *item
	step *SetStep
}

// Set adds a step that computes state fields.
func (b *Builder) Set(id string) *SetBuilder {
	step := &SetStep{StepCommon: StepCommon{ID: id}}
	return &SetBuilder{b, b.add(&item{step: step, outcomes: []Outcome{"done"}}), step}
}

// Describe says what the step is for.
func (s *SetBuilder) Describe(text string) *SetBuilder { s.step.Desc = text; return s }

// Out writes what is at a path to the state: Out("steps.read.text", "state.text").
func (s *SetBuilder) Out(from, to string) *SetBuilder {
	o := s.item.problems.pathOperand(from)
	s.item.write(nil, &o, to)
	return s
}

// OutOr is Out with a value for when there is nothing at the path.
func (s *SetBuilder) OutOr(from, to string, otherwise any) *SetBuilder {
	o := s.item.problems.pathOperand(from)
	o.Default = s.item.problems.literal(otherwise)
	s.item.write(nil, &o, to)
	return s
}

// OutValue writes a literal to the state.
func (s *SetBuilder) OutValue(to string, v any) *SetBuilder {
	s.item.write(nil, &Operand{Value: s.item.problems.literal(v)}, to)
	return s
}

// OutText writes a text with paths in braces to the state.
func (s *SetBuilder) OutText(to, template string) *SetBuilder {
	o := s.item.problems.template(template)
	s.item.write(nil, &o, to)
	return s
}

// Unset puts state fields back to their defaults.
func (s *SetBuilder) Unset(paths ...string) *SetBuilder {
	for _, path := range paths {
		s.step.Unset = append(s.step.Unset, s.item.problems.statePath(path))
	}
	return s
}

// Catch leads failures with one of the codes to a step.
func (s *SetBuilder) Catch(to string, codes ...Code) *SetBuilder {
	s.item.catch(to, nil, codes)
	return s
}

// WaitBuilder describes a Wait.
type WaitBuilder struct {
	*Builder
	item *item
}

// Wait adds a step that lets time pass.
func (b *Builder) Wait(id string, d time.Duration) *WaitBuilder {
	i := &item{outcomes: []Outcome{"done"}}
	seconds, _ := json.Marshal(i.problems.seconds(d)) // finite
	i.step = &WaitStep{StepCommon: StepCommon{ID: id}, Seconds: &Operand{Value: seconds}}
	return &WaitBuilder{b, b.add(i)}
}

// WaitUntil adds a step that waits for the point of time at a path, a text such as "2006-01-02T15:04:05Z".
func (b *Builder) WaitUntil(id, path string) *WaitBuilder {
	i := &item{outcomes: []Outcome{"done"}}
	until := i.problems.pathOperand(path)
	i.step = &WaitStep{StepCommon: StepCommon{ID: id}, Until: &until}
	return &WaitBuilder{b, b.add(i)}
}

// Describe says what the step is for.
func (s *WaitBuilder) Describe(text string) *WaitBuilder { s.item.step.common().Desc = text; return s }

// Catch leads failures with one of the codes to a step.
func (s *WaitBuilder) Catch(to string, codes ...Code) *WaitBuilder {
	s.item.catch(to, nil, codes)
	return s
}
