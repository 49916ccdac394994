package wf

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/internal/value"
)

// mask hides the secrets of one run by what they say, wherever they went: in copies, in texts made of them, in messages.
// It stands behind the hiding by place of hidden.go, which also knows secrets that are no texts. Nil hides nothing.
type mask struct {
	blind  bool                // the secrets are not known: every text may be one
	texts  []string            // longest first
	hides  map[string]bool     // they, as they stand alone; look-up only
	inside map[string]bool     // they, as they stand inside other texts: the short ones in quotes
	first  [256]bool           // the bytes that those begin with
	sizes  map[[3]byte][]int32 // how long those are that begin with these bytes, longest first
}

// leastHidden is the length from which a secret is hidden also inside other texts; a shorter one stands there by chance.
const leastHidden = 4

// mask gathers the secrets of a run: what the secret fields and inputs of its workflows ever held.
func (r *RunHandle) mask(records *recorded) *mask {
	some, below := records.of.secrets()
	if !some && !records.turns {
		return nil
	}
	m := &mask{}
	m.given(records.of, records.input)
	last := records.of
	for p, record := range records.each {
		if p != last {
			last = p
			m.given(p, records.input)
			_, inside := p.secrets()
			below = below || inside
		}
		for i := range record.Entries {
			e := &record.Entries[i]
			for w := e.Writes; w != nil; w = w.Next {
				if p.of(e.Frame).hiddenField(w.Bind.Slot) == secret {
					m.learn(e.In(w))
				}
			}
		}
	}
	err := records.err
	if below && err == nil {
		err = m.subgraphs(records)
	}
	if err != nil { // who does not know the secrets shows nothing that may be one
		r.rt.logger.Warn("the texts of a run are not shown, since its secrets cannot be read", "run", r.id, "reason", err)
		m.blind = true
	}
	m.ready()
	return m
}

// ready ends the learning.
func (m *mask) ready() {
	slices.SortFunc(m.texts, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	m.texts = slices.Compact(m.texts)
	m.index()
}

// index makes that looking for many secrets costs little more than looking for one.
func (m *mask) index() {
	m.hides, m.inside, m.sizes = make(map[string]bool, len(m.texts)), make(map[string]bool, len(m.texts)), map[[3]byte][]int32{}
	for _, text := range m.texts {
		m.hides[text] = true
		if len(text) < leastHidden {
			text = strconv.Quote(text)
		}
		m.inside[text], m.first[text[0]] = true, true
		head := [3]byte([]byte(text))
		at, there := slices.BinarySearchFunc(m.sizes[head], len(text), func(size int32, n int) int { return n - int(size) })
		if !there {
			m.sizes[head] = slices.Insert(m.sizes[head], at, int32(len(text)))
		}
	}
}

// input takes the secrets in a workflow's input.
func (m *mask) input(f *flow, input value.Value) {
	for _, name := range f.secretInputs {
		m.learn(input.Get(name))
	}
}

// secrets reports whether workflows of a program have secrets, and whether inner ones are given some.
func (p *program) secrets() (some, below bool) {
	for _, f := range p.flows {
		some = some || slices.Contains(f.hidden, secret) || len(f.secretInputs) > 0
		below = below || f != p.flow && len(f.secretInputs) > 0
	}
	return some, below
}

// given takes the secrets that a run begins with.
func (m *mask) given(p *program, input value.Value) {
	m.input(p.flow, input)
	for _, f := range p.flows {
		for slot, h := range f.hidden {
			if h == secret {
				m.learn(f.kernel.Fields[slot].Default)
			}
		}
		m.input(f, f.kernel.Complete(value.Object()))
	}
}

// subgraphs takes the secrets that steps gave to the workflows they ran. Inputs are not recorded, but made again.
func (m *mask) subgraphs(records *recorded) error {
	var of *program
	var again *kernel.Machine
	for p, record := range records.each {
		if p != of {
			next, err := turned(again, p)
			if err != nil {
				return err
			}
			of, again = p, next
		}
		if err := again.Apply(record, func(e *kernel.Entry, input value.Value) {
			if e.Op >= 0 && !input.IsAbsent() {
				if child := e.Frame.Program().Ops[e.Op].Child; child != nil {
					m.input(p.flows[child], input)
				}
			}
		}); err != nil {
			return err
		}
	}
	return records.err
}

// learn takes the texts of a secret value.
func (m *mask) learn(v value.Value) {
	if text, ok := v.AsString(); ok && text != "" {
		m.texts = append(m.texts, text)
	}
	for _, item := range v.Items() {
		m.learn(item)
	}
	for _, member := range v.Members() {
		m.learn(member)
	}
}

// text hides the secrets in a text, also where one reaches into another.
func (m *mask) text(s string) string {
	if m == nil || len(m.texts) == 0 && !m.blind {
		return s
	}
	if m.blind || m.hides[s] {
		return "[secret]"
	}
	var out strings.Builder
	copied, from, to := 0, 0, 0 // up to where s is in out; the piece that is to be hidden next
	for i := 0; i+3 <= len(s); i++ {
		if !m.first[s[i]] {
			continue
		}
		size := m.at(s[i:])
		if size == 0 {
			continue
		}
		begin, end := i, i+size
		if s[i] == '"' && !m.hides[s[begin:end]] { // a short one: the quotes stay
			begin, end = begin+1, end-1
		}
		if begin >= to {
			out.WriteString(s[copied:from])
			if to > from {
				out.WriteString("[secret]")
			}
			copied, from = to, begin
		}
		to = max(to, end)
		i = max(i, to-mostOverlap)
	}
	if to == 0 {
		return s
	}
	out.WriteString(s[copied:from] + "[secret]" + s[to:])
	return out.String()
}

// mostOverlap is how far a secret may reach into the one before it.
const mostOverlap = 4 << 10

// at is how long the longest secret is that a text begins with; 0: it begins with none.
func (m *mask) at(s string) int {
	for _, size := range m.sizes[[3]byte([]byte(s[:3]))] {
		if int(size) <= len(s) && m.inside[s[:size]] {
			return int(size)
		}
	}
	return 0
}

// value hides the secrets in a value; keys are shown.
func (m *mask) value(v value.Value) value.Value {
	if m == nil || len(m.texts) == 0 && !m.blind {
		return v
	}
	switch v.Kind() {
	case value.KindString:
		text, _ := v.AsString()
		return value.String(m.text(text))
	case value.KindArray:
		items := make([]value.Value, 0, v.Len())
		for _, item := range v.Items() {
			items = append(items, m.value(item))
		}
		return value.Array(items...)
	case value.KindObject:
		members := make([]value.Member, 0, v.Len())
		for key, member := range v.Members() {
			members = append(members, value.Member{Key: key, Value: m.value(member)})
		}
		return value.Object(members...)
	}
	return v
}

// failure hides the secrets in what a failure says.
func (m *mask) failure(f *kernel.Failure) *Error {
	if f == nil {
		return nil
	}
	return &Error{Code: Code(f.Code), Message: m.text(f.Message), Details: rawValue(m.value(f.Details)), Stack: m.text(f.Stack), cause: f.Cause}
}
