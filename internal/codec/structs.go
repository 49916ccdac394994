package codec

import (
	"reflect"
	"slices"
	"unsafe"

	"lda.chat/wf/internal/value"
)

// A member is a compiled field.
type member struct {
	name   string
	hops   []hop // through embedded pointers, outermost first
	offset uintptr
	enc    encodeFunc
	dec    decodeFunc
	omit   []func(unsafe.Pointer) bool
	needed bool // in every object that is written
}

// A hop leads through an embedded pointer.
type hop struct {
	offset   uintptr
	elem     reflect.Type
	settable bool // an embedded pointer to an unexported struct cannot be filled, as in encoding/json
}

// read returns the field's address; nil if an embedded pointer on the way is nil.
func (m *member) read(p unsafe.Pointer) unsafe.Pointer {
	for i := range m.hops {
		if p = *(*unsafe.Pointer)(unsafe.Add(p, m.hops[i].offset)); p == nil {
			return nil
		}
	}
	return unsafe.Add(p, m.offset)
}

// write returns the field's address and makes the embedded structs on the way.
func (m *member) write(p unsafe.Pointer) (unsafe.Pointer, error) {
	for _, h := range m.hops {
		at := (*unsafe.Pointer)(unsafe.Add(p, h.offset))
		if *at == nil {
			if !h.settable {
				return nil, misfit("it belongs to an embedded pointer that cannot be set")
			}
			*at = reflect.New(h.elem).UnsafePointer()
		}
		p = *at
	}
	return unsafe.Add(p, m.offset), nil
}

// decode fills the field of the struct at p.
func (m *member) decode(v value.Value, p unsafe.Pointer) error {
	at, err := unsafe.Add(p, m.offset), error(nil)
	if m.hops != nil {
		if at, err = m.write(p); err != nil {
			return err
		}
	}
	return m.dec(v, at)
}

func (m *member) omitted(p unsafe.Pointer) bool {
	for _, omit := range m.omit {
		if omit(p) {
			return true
		}
	}
	return false
}

// members compiles the fields of a struct, sorted by name.
func (c compiler) members(k key) ([]member, error) {
	var out []member
	for _, f := range fieldsOf(k.t) {
		m := member{name: f.name}
		addr, t := k.addr, k.t
		for depth, i := range f.index {
			if depth > 0 && t.Kind() == reflect.Pointer {
				outer := k.t.FieldByIndex(f.index[:depth])
				m.hops = append(m.hops, hop{m.offset, t.Elem(), outer.IsExported()})
				m.offset, addr, t = 0, true, t.Elem()
			}
			sf := t.Field(i)
			m.offset += sf.Offset
			t = sf.Type
		}
		fieldCodec, err := c.compile(k.of(f.typ, addr))
		if err != nil {
			return nil, underKey(err, f.name)
		}
		m.enc, m.dec = fieldCodec.encode(), fieldCodec.decode()
		if f.quoted {
			m.enc, m.dec = quoted(f.typ, m.enc, m.dec)
		}
		if f.omitEmpty {
			if empty := emptyTest(f.typ); empty != nil {
				m.omit = append(m.omit, empty)
			}
		}
		if f.omitZero {
			m.omit = append(m.omit, zeroTest(f.typ))
		}
		m.needed = m.omit == nil && m.hops == nil
		if null := writesNull(f.typ); k.strict && (!null || m.omit != nil && leavesNilOut(f.typ)) {
			m.dec = refuseNull(m.dec, f.typ)
		}
		out = append(out, m)
	}
	return out, nil
}

// leavesNilOut reports whether a field that can be left out is never written as null.
func leavesNilOut(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer:
		return !writesNull(t.Elem())
	case reflect.Slice, reflect.Map:
		return t != rawMessageType && !reflect.PointerTo(t).Implements(unmarshalerType)
	}
	return false
}

// stackMembers is up to how many members are collected on the stack.
const stackMembers = 8

func (c compiler) structEncoder(k key) (encodeFunc, error) {
	members, err := c.members(k)
	if err != nil {
		return nil, err
	}
	l := newLayout(members)
	return func(p unsafe.Pointer, d depth) (value.Value, error) {
		var room [stackMembers]value.Value
		vals := room[:0]
		if len(l.members) > len(room) {
			vals = make([]value.Value, 0, len(l.members))
		}
		return l.encode(p, d, vals)
	}, nil
}

func (c compiler) structDecoder(k key) (decodeFunc, error) {
	members, err := c.members(k)
	if err != nil {
		return nil, err
	}
	c[k].members = membersDecoder(members, k.strict)
	return func(v value.Value, p unsafe.Pointer) error {
		if v.Kind() != value.KindObject {
			return unlessNull("an object", v)
		}
		unknown := v.Len()
		for i := range members {
			m := &members[i]
			x := v.Get(m.name)
			if x.IsAbsent() {
				if k.strict && m.needed {
					return misfit("the member %q is missing", m.name)
				}
				continue
			}
			unknown--
			if err := m.decode(x, p); err != nil {
				return underKey(err, m.name)
			}
		}
		if k.strict && unknown > 0 {
			return unknownMember(v, members)
		}
		return nil
	}, nil
}

func membersDecoder(members []member, strict bool) membersFunc {
	return func(s *value.Shape, vals []value.Value, p unsafe.Pointer) bool {
		unknown := 0
		for i := range vals {
			if !vals[i].IsAbsent() {
				unknown++
			}
		}
		for i := range members {
			m := &members[i]
			x := s.Get(vals, m.name)
			if x.IsAbsent() {
				if strict && m.needed {
					return false
				}
				continue
			}
			unknown--
			if m.decode(x, p) != nil {
				return false
			}
		}
		return !strict || unknown == 0
	}
}

func unknownMember(v value.Value, members []member) error {
	for name := range v.Members() {
		if !slices.ContainsFunc(members, func(m member) bool { return m.name == name }) {
			return misfit("the member %q is unknown", name)
		}
	}
	return nil
}

// emptyTest is the test of "omitempty"; nil for the kinds that are never empty.
func emptyTest(t reflect.Type) func(unsafe.Pointer) bool {
	switch t.Kind() {
	case reflect.String:
		return func(p unsafe.Pointer) bool { return *(*string)(p) == "" }
	case reflect.Bool:
		return func(p unsafe.Pointer) bool { return !*(*bool)(p) }
	case reflect.Pointer:
		return func(p unsafe.Pointer) bool { return *(*unsafe.Pointer)(p) == nil }
	case reflect.Slice:
		return func(p unsafe.Pointer) bool { return (*sliceHeader)(p).len == 0 }
	case reflect.Map:
		return func(p unsafe.Pointer) bool { return reflect.NewAt(t, p).Elem().Len() == 0 }
	case reflect.Array:
		return func(unsafe.Pointer) bool { return t.Len() == 0 }
	case reflect.Interface:
		return isZero(t)
	}
	if numberEncoder(t.Kind()) != nil {
		return isZero(t)
	}
	return nil
}

func isZero(t reflect.Type) func(unsafe.Pointer) bool {
	return func(p unsafe.Pointer) bool { return reflect.NewAt(t, p).Elem().IsZero() }
}

type zeroer interface{ IsZero() bool }

// zeroTest is the test of "omitzero": the type's IsZero method, else the zero value.
func zeroTest(t reflect.Type) func(unsafe.Pointer) bool {
	zeroerType := reflect.TypeFor[zeroer]()
	byMethod := t.Implements(zeroerType)
	if !byMethod && (t.Kind() == reflect.Pointer || !reflect.PointerTo(t).Implements(zeroerType)) {
		return isZero(t)
	}
	return func(p unsafe.Pointer) bool {
		v := reflect.NewAt(t, p)
		if !byMethod {
			return v.Interface().(zeroer).IsZero()
		}
		v = v.Elem()
		switch v.Kind() { // a nil receiver might panic
		case reflect.Interface:
			if v.IsNil() || v.Elem().Kind() == reflect.Pointer && v.Elem().IsNil() {
				return true
			}
		case reflect.Pointer:
			if v.IsNil() {
				return true
			}
		}
		return v.Interface().(zeroer).IsZero()
	}
}
