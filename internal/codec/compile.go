package codec

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"time"
	"unsafe"

	"lda.chat/wf/internal/value"
)

// A compiler holds the codecs of one compilation, unfinished ones too, so that recursive types end.
type compiler map[key]*Codec

var (
	valueType           = reflect.TypeFor[value.Value]()
	timeType            = reflect.TypeFor[time.Time]()
	rawMessageType      = reflect.TypeFor[json.RawMessage]()
	numberType          = reflect.TypeFor[json.Number]()
	marshalerType       = reflect.TypeFor[json.Marshaler]()
	unmarshalerType     = reflect.TypeFor[json.Unmarshaler]()
	textMarshalerType   = reflect.TypeFor[encoding.TextMarshaler]()
	textUnmarshalerType = reflect.TypeFor[encoding.TextUnmarshaler]()
)

func (c compiler) compile(k key) (*Codec, error) {
	if done, ok := cache.Load(k); ok {
		return done.(*Codec), nil
	}
	if begun, ok := c[k]; ok {
		return begun, nil
	}
	made := &Codec{typ: k.t}
	c[k] = made
	enc, err := c.encoder(k)
	if err != nil {
		return nil, err
	}
	dec, err := c.decoder(k)
	if err != nil {
		return nil, err
	}
	made.enc, made.dec = enc, dec
	return made, nil
}

// refuseNull is the decoder of a place where a strict codec never writes null.
func refuseNull(dec decodeFunc, t reflect.Type) decodeFunc {
	what := kindText(t)
	return func(v value.Value, p unsafe.Pointer) error {
		if v.IsNull() {
			return wants(what, v)
		}
		return dec(v, p)
	}
}

// writesNull reports whether null can stand for a value of the type.
func writesNull(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		return true
	}
	return t == valueType || t != timeType && reflect.PointerTo(t).Implements(unmarshalerType)
}

// kindText is what a type is in JSON.
func kindText(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "a boolean"
	case reflect.String:
		return "a string"
	case reflect.Array, reflect.Slice:
		return "an array"
	case reflect.Struct, reflect.Map:
		if t != timeType {
			return "an object"
		}
		return "a time"
	}
	return "a number"
}

// elem compiles the type of elements.
func (c compiler) elem(k key, addr bool) (decodeFunc, error) {
	made, err := c.compile(k.of(k.t.Elem(), addr))
	if err != nil {
		return nil, err
	}
	if k.strict && !writesNull(k.t.Elem()) {
		return refuseNull(made.decode(), k.t.Elem()), nil
	}
	return made.decode(), nil
}

// encode returns the child's function if it is finished, else one that looks it up when called.
func (c *Codec) encode() encodeFunc {
	if c.enc != nil {
		return c.enc
	}
	return func(p unsafe.Pointer, d depth) (value.Value, error) { return c.enc(p, d) }
}

func (c *Codec) decode() decodeFunc {
	if c.dec != nil {
		return c.dec
	}
	return func(v value.Value, p unsafe.Pointer) error { return c.dec(v, p) }
}

func (c compiler) encoder(k key) (encodeFunc, error) {
	t := k.t
	switch t {
	case valueType:
		return encodeValue, nil
	case timeType:
		return encodeTime, nil
	case rawMessageType:
		return encodeRaw, nil
	case numberType:
		return encodeNumber, nil
	}
	pointer := reflect.PointerTo(t)
	useAddr := k.addr && t.Kind() != reflect.Pointer
	switch {
	case useAddr && pointer.Implements(marshalerType), t.Implements(marshalerType):
		return encodeMarshaler(t, !t.Implements(marshalerType)), nil
	case useAddr && pointer.Implements(textMarshalerType), t.Implements(textMarshalerType):
		return encodeTextMarshaler(t, !t.Implements(textMarshalerType)), nil
	}
	switch t.Kind() {
	case reflect.Bool:
		return encodeBool, nil
	case reflect.String:
		return encodeString, nil
	case reflect.Interface:
		return encodeInterface(t), nil
	case reflect.Pointer:
		return c.pointerEncoder(k)
	case reflect.Struct:
		return c.structEncoder(k)
	case reflect.Slice:
		return c.sliceEncoder(k)
	case reflect.Array:
		return c.arrayEncoder(k)
	case reflect.Map:
		return c.mapEncoder(k)
	}
	if enc := numberEncoder(t.Kind()); enc != nil {
		return enc, nil
	}
	return nil, noForm(t)
}

func (c compiler) decoder(k key) (decodeFunc, error) {
	t := k.t
	switch t {
	case valueType:
		return decodeValue, nil
	case timeType:
		return decodeTime, nil
	case rawMessageType:
		return decodeRaw, nil
	case numberType:
		if k.strict {
			return decodeStrictNumber, nil
		}
		return decodeNumber, nil
	}
	pointer := reflect.PointerTo(t)
	switch {
	case t.Kind() == reflect.Pointer:
		return c.pointerDecoder(k)
	case pointer.Implements(unmarshalerType):
		return decodeUnmarshaler(t), nil
	case pointer.Implements(textUnmarshalerType):
		return decodeTextUnmarshaler(t), nil
	}
	switch t.Kind() {
	case reflect.Bool:
		return decodeBool, nil
	case reflect.String:
		return decodeString, nil
	case reflect.Interface:
		return decodeInterface(t), nil
	case reflect.Struct:
		return c.structDecoder(k)
	case reflect.Slice:
		return c.sliceDecoder(k)
	case reflect.Array:
		return c.arrayDecoder(k)
	case reflect.Map:
		return c.mapDecoder(k)
	}
	if dec := numberDecoder(t.Kind()); dec != nil {
		return dec, nil
	}
	return decodeOpaque, nil // a type that only its marshaler can write
}

// decodeOpaque is for types that can be written but not read.
func decodeOpaque(v value.Value, _ unsafe.Pointer) error {
	if v.IsAbsent() || v.IsNull() {
		return nil
	}
	return misfit("this place can be written but not read")
}

// noForm is the error of a type without a JSON form.
func noForm(t reflect.Type) error {
	what := "a " + t.Kind().String()
	switch t.Kind() {
	case reflect.Chan:
		what = "a channel"
	case reflect.Func:
		what = "a function"
	case reflect.Complex64, reflect.Complex128:
		what = "a complex number"
	case reflect.Map:
		what = fmt.Sprintf("a map with %s keys", t.Key().Kind())
	}
	return misfit("%s has no JSON form", what)
}
