package kernel

import "lda.chat/wf/internal/value"

// What a run may hold at once follows from what one value may: [Program.MaxValue]. So no record is larger than a store takes.
const (
	stateValues  = 4  // so many of the largest values are as large as the state of a workflow may be
	recordValues = 2  // and so many, as what one step leaves in a record; one that has as much as one of them goes on in the next
	worthSumming = 16 // the state is summed up when a step writes a value that is at least this part of the largest
)

// mostMessage is how many bytes of a text may be a failure's message.
const mostMessage = 4 << 10

// tooMuch tells why what a step leaves behind is too large to be kept: its output, all that its entry records, or the state
// with what it writes.
func (m *Machine) tooMuch(f *Frame, st step, writes *Write) *Failure {
	limit := m.prog.MaxValue
	if limit <= 0 {
		return nil
	}
	op := &f.flow.prog.Ops[st.op]
	output := 0
	if op.Fan == nil { // that of a region is not recorded
		if output = value.Size(st.output) + value.Size(st.extra); output > limit {
			return tooLarge("the output of step "+quote(op.ID), output, limit)
		}
	}
	all, large := output, false
	for w := writes; w != nil; w = w.Next {
		all += value.Size(w.Value) + value.Size(w.Result)
	}
	for _, v := range m.results {
		all += value.Size(v)
	}
	if all > recordValues*limit {
		return tooLarge("what step "+quote(op.ID)+" writes at once", all, recordValues*limit)
	}
	if !f.whole() {
		return nil
	}
	for i := range m.changes {
		large = large || value.Size(m.changes[i].result) >= limit/worthSumming
	}
	for i := range m.merged {
		large = large || value.Size(m.merged[i].value()) >= limit/worthSumming
	}
	if !large {
		return nil
	}
	all = 0
	for slot := range f.flow.slots {
		all += value.Size(m.before(f, int32(slot)))
	}
	if all > stateValues*limit {
		return tooLarge("the state of the workflow "+quote(f.flow.prog.Workflow)+", with what step "+quote(op.ID)+" writes,", all, stateValues*limit)
	}
	return nil
}

// judgeSize judges what a field is to hold.
func (m *Machine) judgeSize(field *Field, v value.Value) *Failure {
	return m.judgeAs("state.", field.Name, value.Size(v), value.Depth(v))
}

// judgeAs judges a value by its size and depth. What it is called comes in two parts, so that no text is made for one that is good.
func (m *Machine) judgeAs(what, name string, size, depth int) *Failure {
	limit := m.prog.MaxValue
	switch {
	case limit <= 0:
		return nil
	case size > limit:
		return tooLarge(what+name, size, limit)
	case depth > maxDepth:
		return &Failure{Code: CodeValueTooLarge, Message: what + name + " would be nested " + itoa(int64(depth)) + " deep, and a value may be " + itoa(maxDepth) + " deep",
			Details: value.Object(value.Member{Key: "depth", Value: value.Int(int64(depth))}, value.Member{Key: "limit", Value: value.Int(maxDepth)})}
	}
	return nil
}

func tooLarge(what string, size, limit int) *Failure {
	return &Failure{Code: CodeValueTooLarge,
		Message: what + " would have " + itoa(int64(size)) + " bytes of JSON, and may have " + itoa(int64(limit)) + "; keep large data elsewhere, and here where it is",
		Details: value.Object(value.Member{Key: "size", Value: value.Int(int64(size))}, value.Member{Key: "limit", Value: value.Int(int64(limit))})}
}

// bytes is about how many bytes of JSON the values of an entry are.
func (e *Entry) bytes() int {
	n := value.Size(e.Output)
	if e.Kind == StepDone && e.Frame.flow.prog.Ops[e.Op].Fan != nil {
		n = 0
	}
	for w := e.Writes; w != nil; w = w.Next {
		n += value.Size(w.Value) + value.Size(w.Result)
	}
	if e.Rare == nil {
		return n
	}
	if f := e.Rare.Failure; f != nil {
		n += len(f.Message) + len(f.Stack) + value.Size(f.Details)
	}
	for _, v := range e.Rare.Results {
		n += value.Size(v)
	}
	return n + value.Size(e.Rare.Extra)
}

// full reports whether the record that is being made has enough in it.
func (m *Machine) full() bool {
	limit := m.prog.MaxValue
	return limit > 0 && int(m.out.bytes) >= limit
}

// short cuts a text to what a failure's message may have.
func short(text string) string {
	if len(text) <= mostMessage {
		return text
	}
	cut := mostMessage
	for cut > 0 && text[cut]&0xc0 == 0x80 { // not inside a letter
		cut--
	}
	return text[:cut] + "…"
}
