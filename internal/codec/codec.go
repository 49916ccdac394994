// Package codec turns Go values into JSON values and back, without JSON text in between. A [Codec] is compiled once per
// type; after that an encode or decode is a walk over closures.
//
// Encoding gives what encoding/json (v1) would give for a pointer to the value: tags, omitempty, omitzero, the string
// option, embedded structs, marshalers, nil pointers, slices and maps as null, bytes as base64, NaN and Inf refused. Text
// that is not UTF-8 is refused too, where encoding/json would change it.
//
// Decoding differs from encoding/json on purpose, so that a value means one thing:
//
//   - member names match exactly, never by case folding;
//   - the whole target is set: what is absent or null becomes the zero value, whatever the target held before;
//   - a number is judged by its value: 1.0 and 1e2 are integers, 300 does not fit into 8 bits;
//   - an `any` receives [encoding/json.Number] for numbers, so no digit is lost.
//
// Unknown members are ignored, except by [Strict]. A Codec is immutable and safe for concurrent use.
package codec

import (
	"errors"
	"fmt"
	"reflect"
	"sync"
	"unsafe"

	"lda.chat/wf/internal/value"
)

// Codec encodes and decodes one Go type.
type Codec struct {
	typ reflect.Type
	enc encodeFunc
	dec decodeFunc
	// members decodes from the members of an object, without the object; nil: only structs can be.
	members membersFunc
}

// An encodeFunc reads the Go value at p.
type encodeFunc func(p unsafe.Pointer, d depth) (value.Value, error)

// A decodeFunc fills the memory at p, which is zeroed. An absent v leaves it so.
type decodeFunc func(v value.Value, p unsafe.Pointer) error

// A membersFunc fills the memory at p, which is zeroed, from the members of an object as [value.Shape.Object] takes them. It
// reports false if they do not fit; to decode the object then tells why.
type membersFunc func(s *value.Shape, vals []value.Value, p unsafe.Pointer) bool

// For returns the codec of a type. It fails if a part of the type has no JSON form (a channel, a function, a complex
// number, a map with unsuitable keys), naming the part.
func For(t reflect.Type) (*Codec, error) { return lookup(key{t: t, addr: true}) }

// Encode returns the JSON value of what p, a non-nil pointer to the codec's type, points to.
func (c *Codec) Encode(p reflect.Value) (value.Value, error) {
	if p.Type() != reflect.PointerTo(c.typ) {
		return value.Value{}, fmt.Errorf("codec for %v used with %v", c.typ, p.Type())
	}
	return c.enc(p.UnsafePointer(), 0)
}

// Decode sets what p, a non-nil pointer to the codec's type, points to. After an error it holds a part of v.
func (c *Codec) Decode(v value.Value, p reflect.Value) error {
	if p.Type() != reflect.PointerTo(c.typ) {
		return fmt.Errorf("codec for %v used with %v", c.typ, p.Type())
	}
	p.Elem().SetZero()
	return c.dec(v, p.UnsafePointer())
}

// Typed is the codec of T, without reflection at each use.
type Typed[T any] struct{ c *Codec }

// Of returns the codec of T; it fails as [For] does.
func Of[T any]() (Typed[T], error) {
	c, err := For(reflect.TypeFor[T]())
	return Typed[T]{c}, err
}

// Strict returns a codec of T that decodes only what it could have encoded itself: members that are missing or unknown, nulls
// where no nil is written, null at the top, arrays of another length are errors. What it decodes needs no check against a schema that says
// only what the type says.
func Strict[T any]() (Typed[T], error) {
	t := reflect.TypeFor[T]()
	c, err := lookup(key{t: t, addr: true, strict: true})
	if err != nil || t.Kind() == reflect.Interface {
		return Typed[T]{c}, err
	}
	return Typed[T]{&Codec{t, c.enc, refuseNull(c.dec, t), c.members}}, nil
}

// Encode returns the JSON value of *p.
func (t Typed[T]) Encode(p *T) (value.Value, error) { return t.c.enc(unsafe.Pointer(p), 0) }

// Decode sets *p. After an error it holds a part of v.
func (t Typed[T]) Decode(v value.Value, p *T) error {
	var zero T
	*p = zero
	return t.c.dec(v, unsafe.Pointer(p))
}

// DecodeMembers sets *p as Decode would from the object that s makes of vals. If it cannot, it reports false, and only
// Decode can tell why.
func (t Typed[T]) DecodeMembers(s *value.Shape, vals []value.Value, p *T) bool {
	var zero T
	*p = zero
	return t.c.members != nil && t.c.members(s, vals, unsafe.Pointer(p))
}

// Encode returns the JSON value of *p. Where a type is used often, [Of] saves the look-up.
func Encode[T any](p *T) (value.Value, error) {
	t, err := Of[T]()
	if err != nil {
		return value.Value{}, err
	}
	return t.Encode(p)
}

// Decode sets *p. Where a type is used often, [Of] saves the look-up.
func Decode[T any](v value.Value, p *T) error {
	t, err := Of[T]()
	if err != nil {
		return err
	}
	return t.Decode(v, p)
}

// An Error says which part of a value did not fit.
type Error struct {
	Path value.Path // from the value that was encoded or decoded
	Msg  string
	Err  error // of a marshaler; may be nil
}

// Error names the place, if it is not the whole value, and what is wrong.
func (e *Error) Error() string {
	if len(e.Path) == 0 {
		return e.Msg
	}
	return e.Path.Pointer() + ": " + e.Msg
}

// Unwrap returns the error of a marshaler.
func (e *Error) Unwrap() error { return e.Err }

// misfit is an error at the current place.
func misfit(format string, args ...any) error { return &Error{Msg: fmt.Sprintf(format, args...)} }

// under moves an error below a part of the current place.
func under(err error, part value.Part) error {
	var e *Error
	if !errors.As(err, &e) {
		e = &Error{Msg: err.Error(), Err: err}
	}
	return &Error{Path: append(value.Path{part}, e.Path...), Msg: e.Msg, Err: e.Err}
}

func underKey(err error, key string) error { return under(err, value.Part{Key: key}) }
func underIndex(err error, i int) error    { return under(err, value.Part{Index: i, IsIndex: true}) }

// wants is the error of a value of the wrong kind.
func wants(what string, v value.Value) error {
	return misfit("expected %s, found %s", what, withArticle(v.Kind()))
}

func withArticle(k value.Kind) string {
	switch k {
	case value.KindArray, value.KindObject:
		return "an " + k.String()
	case value.KindNull, value.KindAbsent:
		return k.String()
	default:
		return "a " + k.String()
	}
}

// depth counts arrays and objects above a value in its upper bits, and pointers and interfaces since the innermost
// one in the lower: a Go value that contains itself ends in an error, not in a stack overflow.
type depth uint32

const hopBits = 10

// in is the depth inside an array or object.
func (d depth) in() (depth, error) {
	d = d>>hopBits + 1
	if int(d) > value.DefaultLimits.Depth {
		return 0, misfit("nested more than %d deep: does it contain itself?", value.DefaultLimits.Depth)
	}
	return d << hopBits, nil
}

// hop is the depth behind a pointer or interface.
func (d depth) hop() (depth, error) {
	if d++; d&(1<<hopBits-1) == 0 {
		return 0, misfit("a pointer that leads back to itself")
	}
	return d, nil
}

// left is how deep the text of a marshaler may be.
func (d depth) left() int { return value.DefaultLimits.Depth - int(d>>hopBits) }

// key identifies a codec. As in encoding/json a marshaler with a pointer receiver is used only where the value is
// addressable: below a pointer or in a slice, but not in a map or an interface.
type key struct {
	t      reflect.Type
	addr   bool
	strict bool
}

func (k key) of(t reflect.Type, addr bool) key { return key{t, addr, k.strict} }

var cache sync.Map // key -> *Codec, complete ones only

func lookup(k key) (*Codec, error) {
	if c, ok := cache.Load(k); ok {
		return c.(*Codec), nil
	}
	c := compiler{}
	root, err := c.compile(k)
	if err != nil {
		return nil, err
	}
	for k, made := range c {
		cache.LoadOrStore(k, made)
	}
	return root, nil
}
