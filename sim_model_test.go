package wf

import (
	"fmt"
	"slices"

	"lda.chat/wf/internal/value"
)

// simModel says what a run must come to: it walks the blocks of a plan, one after the other and each item and branch by itself,
// with nothing of the kernel's. It knows no time: no timeout happens.
type simModel struct {
	seed  uint64
	steps int
	trace map[string][]string // what each frame does, by its path
	vague bool                // the result depends on what comes first: several children of one region fail
	dim   []string            // beginnings of paths of frames that may have been stopped midway
}

// simFrame is a level of the model's run.
type simFrame struct {
	m     *simModel
	f     *simFlow
	path  string // "" is the root's
	up    *simFrame
	input value.Value
	state map[string]value.Value // what it has written; all of it, where there is no frame around
	outs  map[string]value.Value
	log   []simWrite

	visits, rounds map[string]int
	items          map[string]value.Value
	indices        map[string]int

	step, prior, outcome string // the present step, and the one before with its outcome
	retries              int
}

// simWrite is one change of a field; absent: back to its default.
type simWrite struct {
	field string
	in    value.Value
}

// simWay is how a block ends.
type simWay struct {
	to      string // "": goes on; toRegionEnd, ToDiscard, ToEnd
	outcome Outcome
	output  value.Value
	fail    *simFail
}

// simFail is a failure, with where it came from once it has left its frame.
type simFail struct {
	code            string
	unknown, unsent bool
	step, frame     string
	attempts        int
}

// simTooLong stops the model of a plan that is too large to be of use.
const simTooLong = 600

func (m *simModel) frame(f *simFlow, path string, input value.Value) *simFrame {
	fr := &simFrame{m: m, f: f, path: path, input: input, state: map[string]value.Value{}, outs: map[string]value.Value{},
		visits: map[string]int{}, rounds: map[string]int{}}
	for field, d := range simDefaults {
		fr.state[field] = d
	}
	for k, v := range input.Members() {
		if _, ok := simDefaults[k]; ok {
			fr.state[k] = v
		}
	}
	return fr
}

// below makes the frame of an item or branch.
func (fr *simFrame) below(path string) *simFrame {
	return &simFrame{m: fr.m, f: fr.f, path: path, up: fr, input: fr.input, state: map[string]value.Value{}, outs: map[string]value.Value{},
		visits: map[string]int{}, rounds: map[string]int{}}
}

// run runs a whole workflow: its outcome and output, or why it failed.
func (fr *simFrame) run() simWay {
	way := fr.sequence(fr.f.blocks)
	if way.fail == nil && way.to != ToEnd {
		way = simWay{to: ToEnd, outcome: OK, output: fr.bind(fr.f.w.Output)}
	}
	return way
}

func (fr *simFrame) sequence(list []*simBlock) simWay {
	for _, b := range list {
		if way := fr.block(b); way.to != "" || way.fail != nil {
			return way
		}
	}
	return simWay{}
}

func (fr *simFrame) note(format string, args ...any) {
	fr.m.trace[fr.path] = append(fr.m.trace[fr.path], fmt.Sprintf(format, args...))
}

// enter begins a visit of a step, and gives its name in the frame.
func (fr *simFrame) enter(id string) string {
	fr.m.steps++
	fr.visits[id]++
	fr.step = id
	return fr.name()
}

func (fr *simFrame) name() string {
	if n := fr.visits[fr.step]; n > 1 {
		return fmt.Sprintf("%s#%d", fr.step, n)
	}
	return fr.step
}

// leave ends a visit and goes the way of its outcome.
func (fr *simFrame) leave(b *simBlock, o Outcome, attempts int) simWay {
	fr.note("%s:%s", fr.name(), o)
	fr.prior, fr.outcome, fr.retries = fr.step, string(o), attempts-1
	return fr.arm(b.arms[o])
}

func (fr *simFrame) arm(a *simArm) simWay {
	if a == nil {
		return simWay{}
	}
	way := fr.sequence(a.blocks)
	switch {
	case way.to != "" || way.fail != nil || a.to == "":
		return way
	case a.end == nil:
		return simWay{to: a.to}
	}
	fr.enter(a.end.ID)
	out := fr.f.w.Output
	if a.end.Output != nil {
		out = a.end.Output
	}
	way = simWay{to: ToEnd, outcome: a.end.Outcome, output: fr.bind(out)}
	fr.note("%s:%s", fr.name(), a.end.Outcome)
	return way
}

// fails deals with a failure of the step that a frame is in: by its catch, or not at all.
func (fr *simFrame) fails(b *simBlock, fail *simFail, attempts int) simWay {
	fail = &simFail{fail.code, fail.unknown, fail.unsent, fail.step, fail.frame, fail.attempts}
	if fail.step == "" {
		fail.step, fail.frame, fail.attempts = fr.step, orRoot(fr.path), max(attempts, 1)
	}
	codes := []string{fail.code}
	if s, ok := b.step.(*NodeStep); ok && fail.unknown && simDefs[s.Node].Effect == EffectOnce {
		codes = append(codes, "in_doubt")
	}
	for _, code := range codes {
		fail.code = code
		for _, c := range b.step.common().Catch {
			if !slices.Contains(c.Codes, Code(code)) && (c.Codes[0] != "*" || code == "in_doubt") {
				continue
			}
			if c.Error != nil {
				fr.write(c.Error.Parts[0].Name, value.Object(
					value.Member{Key: "code", Value: value.String(code)}, value.Member{Key: "step", Value: value.String(fail.step)},
					value.Member{Key: "frame", Value: value.String(fail.frame)}, value.Member{Key: "attempts", Value: value.Int(int64(fail.attempts))}))
			}
			way := fr.leaveVia(b, c.Outcome, max(attempts, 1))
			return way
		}
	}
	return simWay{fail: fail}
}

// leaveVia leaves a step, a fork through its join.
func (fr *simFrame) leaveVia(b *simBlock, o Outcome, attempts int) simWay {
	if b.join == nil {
		return fr.leave(b, o, attempts)
	}
	fr.note("%s:%s", fr.name(), o)
	fr.enter(b.join.ID)
	return fr.leave(b, o, 1)
}

func orRoot(path string) string {
	if path == "" {
		return "/"
	}
	return path
}
