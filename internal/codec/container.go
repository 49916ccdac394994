package codec

import (
	"encoding/base64"
	"reflect"
	"unsafe"

	"lda.chat/wf/internal/value"
)

// sliceHeader is the memory of any slice.
type sliceHeader struct {
	data unsafe.Pointer
	len  int
	cap  int
}

func (c compiler) sliceEncoder(k key) (encodeFunc, error) {
	t := k.t
	if isBytes(t) {
		return encodeBytes, nil
	}
	elem, err := c.compile(k.of(t.Elem(), true))
	if err != nil {
		return nil, err
	}
	enc, size := elem.encode(), t.Elem().Size()
	return func(p unsafe.Pointer, d depth) (value.Value, error) {
		h := (*sliceHeader)(p)
		if h.data == nil {
			return value.Null, nil
		}
		return encodeElements(h.data, h.len, size, enc, d)
	}, nil
}

func (c compiler) arrayEncoder(k key) (encodeFunc, error) {
	elem, err := c.compile(k.of(k.t.Elem(), k.addr))
	if err != nil {
		return nil, err
	}
	enc, size, n := elem.encode(), k.t.Elem().Size(), k.t.Len()
	return func(p unsafe.Pointer, d depth) (value.Value, error) { return encodeElements(p, n, size, enc, d) }, nil
}

func encodeElements(p unsafe.Pointer, n int, size uintptr, enc encodeFunc, d depth) (value.Value, error) {
	d, err := d.in()
	if err != nil {
		return value.Value{}, err
	}
	items := make([]value.Value, n)
	for i := range items {
		if items[i], err = enc(unsafe.Add(p, uintptr(i)*size), d); err != nil {
			return value.Value{}, underIndex(err, i)
		}
		if items[i].IsAbsent() {
			items[i] = value.Null
		}
	}
	return value.Array(items...), nil
}

func (c compiler) sliceDecoder(k key) (decodeFunc, error) {
	dec, err := c.elem(k, true)
	if err != nil {
		return nil, err
	}
	t := k.t
	size, bytes, onlyText := t.Elem().Size(), t.Elem().Kind() == reflect.Uint8, k.strict && isBytes(t)
	return func(v value.Value, p unsafe.Pointer) error {
		if s, ok := v.AsString(); ok && bytes {
			return decodeBytes(s, p)
		}
		if v.Kind() != value.KindArray || onlyText {
			return unlessNull("an array", v)
		}
		n := v.Len()
		made := reflect.MakeSlice(t, n, n)
		reflect.NewAt(t, p).Elem().Set(made)
		return decodeElements(v, made.UnsafePointer(), n, size, dec)
	}, nil
}

// arrayDecoder ignores what is too much and leaves the zero value where elements are missing, unless it is strict.
func (c compiler) arrayDecoder(k key) (decodeFunc, error) {
	dec, err := c.elem(k, k.addr)
	if err != nil {
		return nil, err
	}
	size, n := k.t.Elem().Size(), k.t.Len()
	return func(v value.Value, p unsafe.Pointer) error {
		if v.Kind() != value.KindArray {
			return unlessNull("an array", v)
		}
		if k.strict && v.Len() != n {
			return misfit("expected %d elements, found %d", n, v.Len())
		}
		return decodeElements(v, p, min(n, v.Len()), size, dec)
	}, nil
}

func decodeElements(v value.Value, p unsafe.Pointer, n int, size uintptr, dec decodeFunc) error {
	for i := range n {
		if err := dec(v.Index(i), unsafe.Add(p, uintptr(i)*size)); err != nil {
			return underIndex(err, i)
		}
	}
	return nil
}

// isBytes reports whether a slice is written as base64.
func isBytes(t reflect.Type) bool {
	elem := reflect.PointerTo(t.Elem())
	return t.Elem().Kind() == reflect.Uint8 && !elem.Implements(marshalerType) && !elem.Implements(textMarshalerType)
}

func encodeBytes(p unsafe.Pointer, _ depth) (value.Value, error) {
	b := *(*[]byte)(p)
	if b == nil {
		return value.Null, nil
	}
	return value.String(base64.StdEncoding.EncodeToString(b)), nil
}

func decodeBytes(s string, p unsafe.Pointer) error {
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return &Error{Msg: "expected base64: " + err.Error(), Err: err}
	}
	*(*[]byte)(p) = b
	return nil
}

func (c compiler) pointerEncoder(k key) (encodeFunc, error) {
	elem, err := c.compile(k.of(k.t.Elem(), true))
	if err != nil {
		return nil, err
	}
	enc := elem.encode()
	return func(p unsafe.Pointer, d depth) (value.Value, error) {
		at := *(*unsafe.Pointer)(p)
		if at == nil {
			return value.Null, nil
		}
		d, err := d.hop()
		if err != nil {
			return value.Value{}, err
		}
		return enc(at, d)
	}, nil
}

func (c compiler) pointerDecoder(k key) (decodeFunc, error) {
	target := k.t.Elem()
	elem, err := c.compile(k.of(target, true))
	if err != nil {
		return nil, err
	}
	dec := elem.decode()
	return func(v value.Value, p unsafe.Pointer) error {
		if v.IsAbsent() || v.IsNull() {
			return nil
		}
		made := reflect.New(target).UnsafePointer()
		*(*unsafe.Pointer)(p) = made
		return dec(v, made)
	}, nil
}

func encodeInterface(t reflect.Type) encodeFunc {
	return func(p unsafe.Pointer, d depth) (value.Value, error) {
		held := reflect.NewAt(t, p).Elem().Elem()
		if !held.IsValid() {
			return value.Null, nil
		}
		d, err := d.hop()
		if err != nil {
			return value.Value{}, err
		}
		c, err := lookup(key{t: held.Type()})
		if err != nil {
			return value.Value{}, err
		}
		box := reflect.New(held.Type())
		box.Elem().Set(held)
		return c.enc(box.UnsafePointer(), d)
	}
}

// decodeInterface fills an `any`; another interface can only hold null, as nothing says what else to make.
func decodeInterface(t reflect.Type) decodeFunc {
	return func(v value.Value, p unsafe.Pointer) error {
		switch {
		case v.IsAbsent() || v.IsNull():
			return nil
		case t.NumMethod() > 0:
			return misfit("this place can be written but not read")
		}
		reflect.NewAt(t, p).Elem().Set(reflect.ValueOf(v.ToAny()))
		return nil
	}
}
