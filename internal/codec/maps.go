package codec

import (
	"encoding"
	"reflect"
	"strconv"
	"unsafe"

	"lda.chat/wf/internal/value"
)

func (c compiler) mapEncoder(k key) (encodeFunc, error) {
	t := k.t
	keyText := mapKeyEncoder(t.Key())
	if keyText == nil {
		return nil, noForm(t)
	}
	elem, err := c.compile(k.of(t.Elem(), false))
	if err != nil {
		return nil, err
	}
	enc := elem.encode()
	return func(p unsafe.Pointer, d depth) (value.Value, error) {
		m := reflect.NewAt(t, p).Elem()
		if m.IsNil() {
			return value.Null, nil
		}
		d, err := d.in()
		if err != nil {
			return value.Value{}, err
		}
		members := make([]value.Member, 0, m.Len())
		k, x := reflect.New(t.Key()).Elem(), reflect.New(t.Elem())
		at := x.UnsafePointer()
		for it := m.MapRange(); it.Next(); {
			k.SetIterKey(it)
			x.Elem().SetIterValue(it)
			name, err := keyText(k)
			if err != nil {
				return value.Value{}, &Error{Msg: err.Error(), Err: err}
			}
			v, err := enc(at, d)
			if err != nil {
				return value.Value{}, underKey(err, name)
			}
			members = append(members, value.Member{Key: name, Value: v})
		}
		return value.Object(members...), nil
	}, nil
}

func (c compiler) mapDecoder(k key) (decodeFunc, error) {
	t := k.t
	parseKey := mapKeyDecoder(t.Key())
	dec, err := c.elem(k, false)
	if err != nil {
		return nil, err
	}
	return func(v value.Value, p unsafe.Pointer) error {
		if v.Kind() != value.KindObject {
			return unlessNull("an object", v)
		}
		if parseKey == nil {
			return misfit("this place can be written but not read")
		}
		made := reflect.MakeMapWithSize(t, v.Len())
		reflect.NewAt(t, p).Elem().Set(made)
		k, x := reflect.New(t.Key()).Elem(), reflect.New(t.Elem())
		at := x.UnsafePointer()
		for name, v := range v.Members() {
			x.Elem().SetZero()
			err := parseKey(name, k)
			if err == nil {
				err = dec(v, at)
			}
			if err != nil {
				return underKey(err, name)
			}
			made.SetMapIndex(k, x.Elem())
		}
		return nil
	}, nil
}

// mapKeyEncoder is how a key becomes a member's name; nil if it cannot.
func mapKeyEncoder(t reflect.Type) func(reflect.Value) (string, error) {
	switch {
	case t.Kind() == reflect.String:
		return func(k reflect.Value) (string, error) { return k.String(), checkText(k.String()) }
	case t.Implements(textMarshalerType):
		return func(k reflect.Value) (string, error) {
			if k.Kind() == reflect.Pointer && k.IsNil() {
				return "", nil
			}
			b, err := k.Interface().(encoding.TextMarshaler).MarshalText()
			if err == nil {
				err = checkText(string(b))
			}
			return string(b), err
		}
	case reflect.Zero(t).CanInt():
		return func(k reflect.Value) (string, error) { return strconv.FormatInt(k.Int(), 10), nil }
	case reflect.Zero(t).CanUint():
		return func(k reflect.Value) (string, error) { return strconv.FormatUint(k.Uint(), 10), nil }
	}
	return nil
}

// mapKeyDecoder is how a member's name becomes a key; nil if it cannot.
func mapKeyDecoder(t reflect.Type) func(name string, k reflect.Value) error {
	switch {
	case reflect.PointerTo(t).Implements(textUnmarshalerType):
		return func(name string, k reflect.Value) error {
			k.SetZero()
			if err := k.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(name)); err != nil {
				return &Error{Msg: err.Error(), Err: err}
			}
			return nil
		}
	case t.Kind() == reflect.String:
		return func(name string, k reflect.Value) error { k.SetString(name); return nil }
	case reflect.Zero(t).CanInt():
		return func(name string, k reflect.Value) error {
			n, err := strconv.ParseInt(name, 10, t.Bits())
			if err != nil {
				return misfit("its name is not an integer of %d bits", t.Bits())
			}
			k.SetInt(n)
			return nil
		}
	case reflect.Zero(t).CanUint():
		return func(name string, k reflect.Value) error {
			n, err := strconv.ParseUint(name, 10, t.Bits())
			if err != nil {
				return misfit("its name is not an integer of %d bits without a sign", t.Bits())
			}
			k.SetUint(n)
			return nil
		}
	}
	return nil
}
