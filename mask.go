package wf

import (
	"slices"
	"strconv"
	"strings"

	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/internal/value"
)

// mask hides the secrets of one run by what they say, wherever they went: in copies, in texts made of them, in messages.
// It stands behind the hiding by place of hidden.go, which also knows secrets that are no texts. Nil hides nothing.
type mask struct {
	texts []string // longest first
}

// leastHidden is the length from which a secret is hidden also inside other texts; a shorter one stands there by chance.
const leastHidden = 4

// mask gathers the secrets of a run: what its secret fields and inputs ever held.
func (r *RunHandle) mask(records func(func(*kernel.Record) bool)) *mask {
	p := r.prog
	if !slices.Contains(p.hidden, secret) && len(p.secretInputs) == 0 {
		return nil
	}
	m := &mask{}
	for _, name := range p.secretInputs {
		m.learn(r.input.Get(name))
	}
	for slot, h := range p.hidden {
		if h == secret {
			m.learn(p.kernel.Fields[slot].Default)
		}
	}
	for record := range records {
		for i := range record.Entries {
			e := &record.Entries[i]
			for w := e.Writes; w != nil; w = w.Next {
				if p.hiddenField(w.Bind.Slot) == secret {
					m.learn(e.In(w))
				}
			}
		}
	}
	slices.SortFunc(m.texts, func(a, b string) int { return len(b) - len(a) })
	m.texts = slices.Compact(m.texts)
	return m
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

// text hides the secrets in a text.
func (m *mask) text(s string) string {
	if m == nil {
		return s
	}
	for _, hide := range m.texts {
		switch {
		case s == hide:
			return "[secret]"
		case len(hide) >= leastHidden:
			s = strings.ReplaceAll(s, hide, "[secret]")
		default:
			s = strings.ReplaceAll(s, strconv.Quote(hide), `"[secret]"`)
		}
	}
	return s
}

// value hides the secrets in a value; keys are shown.
func (m *mask) value(v value.Value) value.Value {
	if m == nil || len(m.texts) == 0 {
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
