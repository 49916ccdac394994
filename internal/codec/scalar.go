package codec

import (
	"math/big"
	"reflect"
	"strconv"
	"unicode/utf8"
	"unsafe"

	"lda.chat/wf/internal/value"
)

func encodeBool(p unsafe.Pointer, _ depth) (value.Value, error) { return value.Bool(*(*bool)(p)), nil }

func decodeBool(v value.Value, p unsafe.Pointer) error {
	if b, ok := v.AsBool(); ok {
		*(*bool)(p) = b
		return nil
	}
	return unlessNull("a boolean", v)
}

func encodeString(p unsafe.Pointer, _ depth) (value.Value, error) { return text(*(*string)(p)) }

func text(s string) (value.Value, error) {
	if err := checkText(s); err != nil {
		return value.Value{}, err
	}
	return value.String(s), nil
}

// checkText refuses what is not UTF-8, which JSON cannot hold: encoding/json would change it without a word, and make one
// key of two.
func checkText(s string) error {
	if utf8.ValidString(s) {
		return nil
	}
	at := 0
	for at < len(s) {
		if r, size := utf8.DecodeRuneInString(s[at:]); r == utf8.RuneError && size <= 1 {
			break
		} else {
			at += size
		}
	}
	return misfit("a text must be UTF-8, found the byte 0x%02x at position %d; other data can be a []byte", s[at], at)
}

func decodeString(v value.Value, p unsafe.Pointer) error {
	if s, ok := v.AsString(); ok {
		*(*string)(p) = s
		return nil
	}
	return unlessNull("a string", v)
}

// unlessNull refuses any kind but absent and null, which leave the zero value.
func unlessNull(what string, v value.Value) error {
	if v.IsAbsent() || v.IsNull() {
		return nil
	}
	return wants(what, v)
}

type signed interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64
}

type unsigned interface {
	~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

func encodeInt[T signed](p unsafe.Pointer, _ depth) (value.Value, error) {
	return value.Int(int64(*(*T)(p))), nil
}

func encodeUint[T unsigned](p unsafe.Pointer, _ depth) (value.Value, error) {
	return value.Uint(uint64(*(*T)(p))), nil
}

func decodeInt[T signed](v value.Value, p unsafe.Pointer) error {
	n, ok := v.AsInt()
	if !ok || int64(T(n)) != n {
		return notInteger(v, unsafe.Sizeof(T(0)))
	}
	*(*T)(p) = T(n)
	return nil
}

func decodeUint[T unsigned](v value.Value, p unsafe.Pointer) error {
	i, ok := v.AsInt()
	n := uint64(i)
	if !ok || i < 0 {
		if n, ok = largeUint(v); !ok {
			return notInteger(v, unsafe.Sizeof(T(0)))
		}
	}
	if uint64(T(n)) != n {
		return notInteger(v, unsafe.Sizeof(T(0)))
	}
	*(*T)(p) = T(n)
	return nil
}

// largeUint takes the integers from 2^63 on.
func largeUint(v value.Value) (uint64, bool) {
	r, ok := new(big.Rat).SetString(v.NumberText())
	if !ok || !r.IsInt() || !r.Num().IsUint64() {
		return 0, false
	}
	return r.Num().Uint64(), true
}

// notInteger says why v does not fit into an integer of some bytes.
func notInteger(v value.Value, size uintptr) error {
	if v.Kind() != value.KindNumber {
		return unlessNull("an integer", v)
	}
	r, ok := new(big.Rat).SetString(v.NumberText())
	switch {
	case !ok || !r.IsInt():
		return misfit("%s is not an integer", v)
	case r.Sign() < 0:
		return misfit("%s is too small for %d bits", v, size*8)
	default:
		return misfit("%s does not fit into %d bits", v, size*8)
	}
}

func encodeFloat64(p unsafe.Pointer, _ depth) (value.Value, error) {
	v, err := value.Float(*(*float64)(p))
	if err != nil {
		return v, &Error{Msg: err.Error(), Err: err}
	}
	return v, nil
}

// encodeFloat32 writes the shortest digits that mean the same 32-bit number: 0.1, not 0.10000000149011612.
func encodeFloat32(p unsafe.Pointer, d depth) (value.Value, error) {
	f := float64(*(*float32)(p))
	if f-f != 0 { // NaN, Inf
		return encodeFloat64(unsafe.Pointer(&f), d)
	}
	shortest, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', -1, 32), 64)
	if err != nil {
		return value.Value{}, &Error{Msg: err.Error(), Err: err}
	}
	return encodeFloat64(unsafe.Pointer(&shortest), d)
}

func decodeFloat64(v value.Value, p unsafe.Pointer) error {
	if f, ok := v.AsFloat(); ok {
		*(*float64)(p) = f
		return nil
	}
	return unlessNull("a number", v)
}

func decodeFloat32(v value.Value, p unsafe.Pointer) error {
	f, ok := v.AsFloat()
	if !ok {
		return unlessNull("a number", v)
	}
	f32 := float32(f)
	if f32-f32 != 0 {
		return misfit("%s does not fit into 32 bits", v)
	}
	*(*float32)(p) = f32
	return nil
}

func numberEncoder(k reflect.Kind) encodeFunc {
	switch k {
	case reflect.Int:
		return encodeInt[int]
	case reflect.Int8:
		return encodeInt[int8]
	case reflect.Int16:
		return encodeInt[int16]
	case reflect.Int32:
		return encodeInt[int32]
	case reflect.Int64:
		return encodeInt[int64]
	case reflect.Uint:
		return encodeUint[uint]
	case reflect.Uint8:
		return encodeUint[uint8]
	case reflect.Uint16:
		return encodeUint[uint16]
	case reflect.Uint32:
		return encodeUint[uint32]
	case reflect.Uint64:
		return encodeUint[uint64]
	case reflect.Uintptr:
		return encodeUint[uintptr]
	case reflect.Float32:
		return encodeFloat32
	case reflect.Float64:
		return encodeFloat64
	}
	return nil
}

func numberDecoder(k reflect.Kind) decodeFunc {
	switch k {
	case reflect.Int:
		return decodeInt[int]
	case reflect.Int8:
		return decodeInt[int8]
	case reflect.Int16:
		return decodeInt[int16]
	case reflect.Int32:
		return decodeInt[int32]
	case reflect.Int64:
		return decodeInt[int64]
	case reflect.Uint:
		return decodeUint[uint]
	case reflect.Uint8:
		return decodeUint[uint8]
	case reflect.Uint16:
		return decodeUint[uint16]
	case reflect.Uint32:
		return decodeUint[uint32]
	case reflect.Uint64:
		return decodeUint[uint64]
	case reflect.Uintptr:
		return decodeUint[uintptr]
	case reflect.Float32:
		return decodeFloat32
	case reflect.Float64:
		return decodeFloat64
	}
	return nil
}
