package wf

import (
	"cmp"
	"fmt"
	"slices"

	"lda.chat/wf/internal/value"
)

// block takes a block's steps.
func (fr *simFrame) block(b *simBlock) simWay {
	if fr.m.steps > simTooLong {
		return simWay{to: ToEnd}
	}
	if b.loop {
		return fr.loop(b)
	}
	name := fr.enter(b.step.StepID())
	switch s := b.step.(type) {
	case *NodeStep:
		return fr.call(b, s, name)
	case *SetStep:
		if !fr.commit(s.Output, value.Value{}, false) {
			return fr.fails(b, &simFail{code: "output_invalid"}, 0)
		}
		for _, p := range s.Unset {
			fr.write(p.Parts[0].Name, value.Value{})
		}
		return fr.leave(b, outcomeDone, 1)
	case *WaitStep:
		return fr.leave(b, outcomeDone, 1)
	case *ConditionStep:
		return fr.leave(b, fr.choose(s), 1)
	case *FailStep:
		return fr.fails(b, &simFail{code: string(s.Code)}, 0)
	case *InterruptStep:
		fr.note("%s ask", name)
		outcome, payload := simAnswer(fr.m.seed, fr.path+"/"+name, s.Outcomes)
		fr.commit(s.Resume, payload, true)
		fr.outs[s.ID] = payload
		return fr.leave(b, outcome, 1)
	case *ForeachStep, *ForkStep, *SubgraphStep:
		return fr.region(b, name)
	}
	panic("a block of no kind")
}

func (fr *simFrame) choose(s *ConditionStep) Outcome {
	if s.Check != nil {
		if fr.holds(s.Check) {
			return outcomeTrue
		}
		return outcomeFalse
	}
	for _, c := range s.Cases {
		if fr.holds(c.When) {
			return c.Outcome
		}
	}
	return s.Default
}

func (fr *simFrame) loop(b *simBlock) simWay {
	for {
		if way := fr.sequence(b.body); way.to != "" || way.fail != nil {
			return way
		}
		s := b.step.(*ConditionStep)
		fr.enter(s.ID)
		o := fr.choose(s)
		fr.leave(b, o, 1)
		if o == outcomeFalse {
			return simWay{}
		}
		if fr.rounds[s.ID] == b.max {
			return simWay{}
		}
		fr.rounds[s.ID]++
		if fr.m.steps > simTooLong {
			return simWay{to: ToEnd}
		}
	}
}

// retries tells whether a policy lets a failed attempt be followed by another.
func retries(r *Retry, attempt int, code string) bool {
	if r == nil || r.MaxAttempts == 1 || attempt >= cmp.Or(r.MaxAttempts, 3) {
		return false
	}
	on := r.On
	if on == nil {
		on = []Code{"transport", "timeout", "provider_error", "handler_error"}
	}
	return slices.Contains(on, Code(code))
}

func (fr *simFrame) call(b *simBlock, s *NodeStep, name string) simWay {
	input, id := wordless(fr.bind(s.Input)).String(), fr.path+"/"+name
	for attempt := 1; ; attempt++ {
		fr.note("%s~%d call", name, attempt)
		fail := simCallFails(fr.m.seed, id, attempt)
		if fail == nil {
			outcome, output := simCall(fr.m.seed, id, input, simDefs[s.Node].Outcomes)
			if !fr.commit(s.Output, output, false) {
				fail = &simFail{code: "output_invalid"}
			} else {
				fr.outs[s.ID] = output
				return fr.leave(b, outcome, attempt)
			}
		}
		if !retries(s.Retry, attempt, fail.code) || simDefs[s.Node].Effect == EffectOnce && !fail.unsent {
			return fr.fails(b, fail, attempt)
		}
	}
}

// region takes a step with children, as often as its retry says.
func (fr *simFrame) region(b *simBlock, name string) simWay {
	var retry *Retry
	switch s := b.step.(type) {
	case *ForeachStep:
		retry = s.Retry
	case *ForkStep:
		retry = s.Retry
	case *SubgraphStep:
		retry = s.Retry
	}
	for attempt := 1; ; attempt++ {
		fr.note("%s~%d open", name, attempt)
		path := fr.path + "/" + name
		if attempt > 1 {
			path = fmt.Sprintf("%s~%d", path, attempt)
		}
		outcome, fail := fr.attempt(b, path)
		if fail == nil {
			return fr.leaveVia(b, outcome, attempt)
		}
		if !retries(retry, attempt, fail.code) {
			return fr.fails(b, fail, attempt)
		}
	}
}

func (fr *simFrame) attempt(b *simBlock, path string) (Outcome, *simFail) {
	switch s := b.step.(type) {
	case *ForeachStep:
		return fr.each(b, s, path)
	case *ForkStep:
		return fr.fork(b, s, path)
	}
	s := b.step.(*SubgraphStep)
	input := fr.bind(s.Input)
	for _, d := range []value.Member{{Key: "n", Value: value.Int(3)}, {Key: "items", Value: value.Array(value.Int(1), value.Int(2))}} {
		if input.Get(d.Key).IsAbsent() {
			input = input.With(d.Key, d.Value)
		}
	}
	kid := fr.m.frame(fr.f.kids[s.Workflow], path, input)
	way := kid.run()
	if way.fail != nil {
		return "", way.fail
	}
	if !fr.commit(s.Output, way.output, false) {
		return "", &simFail{code: "output_invalid"}
	}
	fr.outs[s.ID] = way.output
	return way.outcome, nil
}
