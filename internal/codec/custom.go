package codec

import (
	"encoding"
	"encoding/json"
	"reflect"
	"time"
	"unsafe"

	"lda.chat/wf/internal/value"
)

// encodeValue passes a value as it is. An absent one is left out of a struct, and null elsewhere.
func encodeValue(p unsafe.Pointer, _ depth) (value.Value, error) { return *(*value.Value)(p), nil }

func decodeValue(v value.Value, p unsafe.Pointer) error {
	*(*value.Value)(p) = v
	return nil
}

func encodeTime(p unsafe.Pointer, _ depth) (value.Value, error) {
	var buf [len(time.RFC3339Nano)]byte
	b, err := (*time.Time)(p).AppendText(buf[:0])
	if err != nil {
		return value.Value{}, &Error{Msg: err.Error(), Err: err}
	}
	return value.String(string(b)), nil
}

func decodeTime(v value.Value, p unsafe.Pointer) error {
	s, ok := v.AsString()
	if !ok {
		return unlessNull("a time", v)
	}
	if err := (*time.Time)(p).UnmarshalText([]byte(s)); err != nil {
		return &Error{Msg: "expected a time like 2006-01-02T15:04:05Z (RFC 3339), found another string", Err: err}
	}
	return nil
}

func encodeRaw(p unsafe.Pointer, d depth) (value.Value, error) {
	raw := *(*json.RawMessage)(p)
	if raw == nil {
		return value.Null, nil
	}
	return parse(raw, d)
}

func decodeRaw(v value.Value, p unsafe.Pointer) error {
	if !v.IsAbsent() {
		*(*json.RawMessage)(p) = v.JSON()
	}
	return nil
}

// parse reads the text of a marshaler.
func parse(text []byte, d depth) (value.Value, error) {
	limits := value.DefaultLimits
	limits.Depth = d.left()
	v, err := value.ParseLimits(text, &limits)
	if err != nil {
		return value.Value{}, &Error{Msg: "its own JSON form cannot be read: " + err.Error(), Err: err}
	}
	return v, nil
}

// encodeNumber treats the empty number as 0, as encoding/json does.
func encodeNumber(p unsafe.Pointer, _ depth) (value.Value, error) {
	n := *(*json.Number)(p)
	if n == "" {
		return value.Int(0), nil
	}
	v, err := value.Number(string(n))
	if err != nil {
		return value.Value{}, &Error{Msg: err.Error(), Err: err}
	}
	return v, nil
}

// decodeNumber takes a number, or a string that holds one, as encoding/json does.
func decodeNumber(v value.Value, p unsafe.Pointer) error {
	if s, ok := v.AsString(); ok {
		n, err := value.Number(s)
		if err != nil {
			return wants("a number", v)
		}
		v = n
	}
	if v.Kind() != value.KindNumber {
		return unlessNull("a number", v)
	}
	*(*json.Number)(p) = json.Number(v.NumberText())
	return nil
}

// decodeStrictNumber takes a number.
func decodeStrictNumber(v value.Value, p unsafe.Pointer) error {
	if v.Kind() == value.KindString {
		return wants("a number", v)
	}
	return decodeNumber(v, p)
}

// receiver returns the value at p as a marshaler: its address if byAddr. ok is false for a nil pointer or interface.
func receiver[M any](t reflect.Type, p unsafe.Pointer, byAddr bool) (m M, ok bool) {
	v := reflect.NewAt(t, p)
	if !byAddr {
		v = v.Elem()
		if (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) && v.IsNil() {
			return m, false
		}
	}
	m, ok = v.Interface().(M)
	return m, ok
}

func encodeMarshaler(t reflect.Type, byAddr bool) encodeFunc {
	return func(p unsafe.Pointer, d depth) (value.Value, error) {
		m, ok := receiver[json.Marshaler](t, p, byAddr)
		if !ok {
			return value.Null, nil
		}
		text, err := m.MarshalJSON()
		if err != nil {
			return value.Value{}, &Error{Msg: err.Error(), Err: err}
		}
		return parse(text, d)
	}
}

func encodeTextMarshaler(t reflect.Type, byAddr bool) encodeFunc {
	return func(p unsafe.Pointer, _ depth) (value.Value, error) {
		m, ok := receiver[encoding.TextMarshaler](t, p, byAddr)
		if !ok {
			return value.Null, nil
		}
		b, err := m.MarshalText()
		if err != nil {
			return value.Value{}, &Error{Msg: err.Error(), Err: err}
		}
		return text(string(b))
	}
}

func decodeUnmarshaler(t reflect.Type) decodeFunc {
	return func(v value.Value, p unsafe.Pointer) error {
		if v.IsAbsent() {
			return nil
		}
		if err := reflect.NewAt(t, p).Interface().(json.Unmarshaler).UnmarshalJSON(v.JSON()); err != nil {
			return &Error{Msg: err.Error(), Err: err}
		}
		return nil
	}
}

func decodeTextUnmarshaler(t reflect.Type) decodeFunc {
	return func(v value.Value, p unsafe.Pointer) error {
		s, ok := v.AsString()
		if !ok {
			return unlessNull("a string", v)
		}
		if err := reflect.NewAt(t, p).Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(s)); err != nil {
			return &Error{Msg: err.Error(), Err: err}
		}
		return nil
	}
}

// quoted wraps a field with the "string" option: its JSON text stands in a string.
func quoted(t reflect.Type, enc encodeFunc, dec decodeFunc) (encodeFunc, decodeFunc) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if custom(t) {
		return enc, dec // the option does not reach marshalers
	}
	isText := t.Kind() == reflect.String && t != numberType
	quotedEnc := func(p unsafe.Pointer, d depth) (value.Value, error) {
		v, err := enc(p, d)
		if err != nil || v.IsNull() {
			return v, err
		}
		if s, ok := v.AsString(); ok {
			inner, err := json.Marshal(s) // with its escapes of HTML
			return value.String(string(inner)), err
		}
		return value.String(string(v.JSON())), nil
	}
	quotedDec := func(v value.Value, p unsafe.Pointer) error {
		s, ok := v.AsString()
		if !ok {
			return unlessNull("a string that holds JSON", v)
		}
		inner, err := value.Parse([]byte(s))
		if err != nil || (inner.Kind() == value.KindString) != isText && !inner.IsNull() {
			return misfit("expected a string that holds JSON, found one that does not")
		}
		return dec(inner, p)
	}
	return quotedEnc, quotedDec
}

// custom reports whether encoding/json leaves writing the type to its methods.
func custom(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return t != numberType && (p.Implements(marshalerType) || p.Implements(textMarshalerType))
}
