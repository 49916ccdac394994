package wf

import (
	"encoding/json"
	"fmt"
	"reflect"

	"lda.chat/wf/internal/codec"
	"lda.chat/wf/internal/value"
)

// encodeGiven makes a value of what a caller gives: a run's input, an answer's payload. It fails with the code.
func encodeGiven(x any, what string, code Code) (value.Value, error) {
	fail := func(problem string) (value.Value, error) {
		return value.Value{}, &Error{Code: code, Message: what + " " + problem}
	}
	switch in := x.(type) {
	case nil:
		return value.Object(), nil
	case value.Value:
		return in, nil
	case string, []byte:
		return fail("is text; JSON text is given as json.RawMessage, other data as a Go struct or map")
	case json.RawMessage:
		if len(in) > value.DefaultLimits.Bytes {
			return value.Value{}, tooLarge(what, len(in))
		}
		v, err := value.Parse(in)
		if err != nil {
			return fail("is no JSON: " + err.Error())
		}
		return v, nil
	}
	v, err := encodeGo(x)
	if err != nil {
		return fail("cannot be encoded: " + errorText(err))
	}
	if size := value.Size(v); size > value.DefaultLimits.Bytes {
		return value.Value{}, tooLarge(what, size)
	}
	return v, nil
}

// tooLarge is the error of a value that is larger than any may be.
func tooLarge(what string, size int) *Error {
	return &Error{Code: CodeValueTooLarge, Message: fmt.Sprintf("%s has %d bytes of JSON, and may have %d; keep large data elsewhere, and give where it is", what, size, value.DefaultLimits.Bytes),
		Details: jsonOf(map[string]any{"size": size, "limit": value.DefaultLimits.Bytes})}
}

// encodeGo encodes any Go value.
func encodeGo(x any) (value.Value, error) {
	c, err := codec.For(reflect.TypeOf(x))
	if err != nil {
		return value.Value{}, err
	}
	p := reflect.New(reflect.TypeOf(x))
	p.Elem().Set(reflect.ValueOf(x))
	return c.Encode(p)
}

// decodeGo decodes into a non-nil pointer.
func decodeGo(v value.Value, into any) error {
	p := reflect.ValueOf(into)
	if p.Kind() != reflect.Pointer || p.IsNil() {
		return fmt.Errorf("decode into a %T: a non-nil pointer is needed", into)
	}
	c, err := codec.For(p.Type().Elem())
	if err != nil {
		return err
	}
	return c.Decode(v, p)
}
