package kernel

import "lda.chat/wf/internal/value"

// Dump writes the whole machine as canonical JSON: two machines that would go on alike have the same dump.
func (m *Machine) Dump() []byte {
	fail, step, frame, attempts := m.Failure()
	members := []value.Member{
		{Key: "status", Value: value.String(m.status.String())},
		{Key: "run_id", Value: value.String(m.runID)},
		{Key: "now", Value: value.Int(m.now)},
		{Key: "started_at", Value: value.Int(m.startedAt)},
		{Key: "scheduled", Value: value.Int(m.scheduled)},
		{Key: "steps", Value: value.Int(m.steps)},
		{Key: "seq", Value: value.Int(m.seq)},
		{Key: "outcome", Value: value.String(m.outcome)},
		{Key: "output", Value: m.output},
	}
	if fail != nil {
		members = append(members, value.Member{Key: "failure", Value: fail.errorValue(step, frame, attempts)})
	}
	if m.root != nil {
		members = append(members, value.Member{Key: "root", Value: m.dumpFrame(m.root)})
	}
	return value.Object(members...).AppendCanonical(nil)
}

func (m *Machine) dumpFrame(f *Frame) value.Value {
	ref := Ref{StepRef: StepRef{frame: f, Op: f.pc, Visit: f.visit}}
	key := ""
	if f.status == frameCalling || f.status == frameBackoff {
		key = m.key(ref)
	}
	return value.Object(
		value.Member{Key: "status", Value: value.String(frameStatusNames[f.status])},
		value.Member{Key: "at", Value: value.String(m.prog.Target(f.pc))},
		value.Member{Key: "visit", Value: value.Int(int64(f.visit))},
		value.Member{Key: "attempt", Value: value.Int(int64(f.attempt))},
		value.Member{Key: "entered", Value: value.Int(f.entered)},
		value.Member{Key: "until", Value: value.Int(f.until)},
		value.Member{Key: "key", Value: value.String(key)},
		value.Member{Key: "prior", Value: value.Array(value.Int(int64(f.priorOp)), value.Int(int64(f.priorOutcome)), value.Int(int64(f.priorRetries)))},
		value.Member{Key: "input", Value: f.input},
		value.Member{Key: "state", Value: m.stateValue(f)},
		value.Member{Key: "outputs", Value: list(f.outputs)},
		value.Member{Key: "visits", Value: ints(f.visits)},
		value.Member{Key: "counters", Value: ints(f.counters)},
	)
}

func list(vs []value.Value) value.Value {
	items := make([]value.Value, len(vs))
	for i, v := range vs {
		if v.IsAbsent() {
			items[i] = value.Array()
		} else {
			items[i] = value.Array(v)
		}
	}
	return value.Array(items...)
}

func ints(ns []int32) value.Value {
	items := make([]value.Value, len(ns))
	for i, n := range ns {
		items[i] = value.Int(int64(n))
	}
	return value.Array(items...)
}
