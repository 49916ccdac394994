package kernel

import (
	"strings"
	"unicode/utf8"

	"lda.chat/wf/internal/value"
)

// Root says where an operand's value comes from.
type Root uint8

// The roots. Text, List and Object compose other operands; Length measures one.
const (
	Literal Root = iota
	Input        // the workflow's input
	State        // one field
	WholeState
	Steps   // the kept output of a step
	Context // see ContextName
	Var     // the variable of an any or all around it
	Item    // the item of the foreach (op) around it
	ItemAt  // the position of that item
	Local   // the step's own output
	Text
	List
	Object
	Length
)

// ContextName tells the members of the context root apart.
type ContextName int32

// The members of the context.
const (
	CtxRunID ContextName = iota
	CtxWorkflow
	CtxStep
	CtxVisit
	CtxNow
	CtxStartedAt
	CtxScheduledAt
	CtxOutcome
	CtxRetryCount
)

// Operand is a compiled operand.
type Operand struct {
	Root    Root
	Index   int32 // state slot, op, ContextName, or variable
	Path    value.Path
	Lit     value.Value
	Keys    []string  // Object
	Parts   []Operand // Text, List, Object, Length
	Default value.Value
	Name    string // as the plan writes it, for messages
}

// scope is where operands are read: a frame, the output of its step, and the variables of enclosing any and all.
type scope struct {
	m       *Machine
	f       *Frame
	op      int32
	visit   int32
	now     int64
	leaving bool // a step, maybe a region: the fields are as that has merged them
	local   value.Value
	vars    []value.Value
}

// notScalar is the finding of a text operand whose part is an object or array.
type notScalar struct {
	name string
	kind value.Kind
}

// read evaluates an operand. An absent value is not an error here: what it means depends on who asks.
func (s *scope) read(o *Operand) (value.Value, *notScalar) {
	var v value.Value
	var bad *notScalar
	switch o.Root {
	case Literal:
		v = o.Lit
	case Input:
		v = s.f.flow.input.At(o.Path)
	case State:
		v = s.field(o.Index)
		if len(o.Path) > 0 {
			v = v.At(o.Path)
		}
	case WholeState:
		v = s.state()
	case Steps:
		v = s.f.output(o.Index).At(o.Path)
	case Context:
		v = s.context(ContextName(o.Index)).At(o.Path)
	case Var:
		v = s.vars[o.Index].At(o.Path)
	case Item:
		if f := s.f.item(o.Index); f != nil {
			v = f.in.over.Index(int(f.index)).At(o.Path)
		}
	case ItemAt:
		if f := s.f.item(o.Index); f != nil {
			v = value.Int(int64(f.index))
		}
	case Local:
		v = s.local.At(o.Path)
	case Text:
		v, bad = s.text(o)
	case List:
		v, bad = s.list(o)
	case Object:
		v, bad = s.object(o)
	case Length:
		v, bad = s.length(o)
	}
	if v.IsAbsent() && bad == nil {
		v = o.Default
	}
	return v, bad
}

// field reads a field of the state.
func (s *scope) field(slot int32) value.Value {
	if s.leaving && len(s.m.merged) > 0 {
		if c := find(s.m.merged, slot); c != nil {
			return c.value()
		}
	}
	return s.f.get(slot)
}

// text joins scalars; one absent part makes the whole absent.
func (s *scope) text(o *Operand) (value.Value, *notScalar) {
	var b strings.Builder
	for i := range o.Parts {
		part := &o.Parts[i]
		v, bad := s.read(part)
		if bad != nil {
			return value.Value{}, bad
		}
		switch v.Kind() {
		case value.KindAbsent:
			return v, nil
		case value.KindString:
			text, _ := v.AsString()
			b.WriteString(text)
		case value.KindArray, value.KindObject:
			return value.Value{}, &notScalar{part.Name, v.Kind()}
		default:
			b.Write(v.AppendJSON(nil))
		}
	}
	return value.String(b.String()), nil
}

// list makes an array; one absent element makes the whole absent, since leaving it out would move the others.
func (s *scope) list(o *Operand) (value.Value, *notScalar) {
	items := make([]value.Value, len(o.Parts))
	for i := range o.Parts {
		v, bad := s.read(&o.Parts[i])
		if bad != nil || v.IsAbsent() {
			return value.Value{}, bad
		}
		items[i] = v
	}
	return value.Array(items...), nil
}

// object makes an object; absent members are left out.
func (s *scope) object(o *Operand) (value.Value, *notScalar) {
	members := make([]value.Member, 0, len(o.Parts))
	for i := range o.Parts {
		v, bad := s.read(&o.Parts[i])
		if bad != nil {
			return value.Value{}, bad
		}
		members = append(members, value.Member{Key: o.Keys[i], Value: v})
	}
	return value.Object(members...), nil
}

// length counts code points, elements or members; anything else has no length.
func (s *scope) length(o *Operand) (value.Value, *notScalar) {
	v, bad := s.read(&o.Parts[0])
	if bad != nil {
		return v, bad
	}
	switch v.Kind() {
	case value.KindAbsent:
		return v, nil
	case value.KindString:
		text, _ := v.AsString()
		return value.Int(int64(utf8.RuneCountInString(text))), nil
	case value.KindArray, value.KindObject:
		return value.Int(int64(v.Len())), nil
	}
	return value.Value{}, &notScalar{o.Parts[0].Name, v.Kind()}
}
