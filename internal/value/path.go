package value

import (
	"fmt"
	"strconv"
	"strings"
)

// Part is one step of a path: an object's member, or an array's element.
type Part struct {
	Key     string
	Index   int // when IsIndex
	IsIndex bool
}

// Path leads into a value. The empty path is the value itself.
type Path []Part

// PathError says that a path leads through something that has no such place. The part At of the path was applied to a value
// of the kind Found: a scalar, null, an object by an index, an array by a key or by an index that it does not have.
type PathError struct {
	Path  Path
	At    int
	Found Kind
}

func (e *PathError) Error() string {
	found := e.Found.phrase()
	if e.At > 0 {
		found += " at " + e.Path[:e.At].Pointer()
	}
	part := e.Path[e.At]
	switch {
	case part.IsIndex && e.Found == KindArray:
		return fmt.Sprintf("found %s without an element %d; a path replaces elements and adds none", found, part.Index)
	case part.IsIndex:
		return fmt.Sprintf("found %s, expected an array with an element %d", found, part.Index)
	}
	return fmt.Sprintf("found %s, expected an object for the member %q", found, part.Key)
}

// Pointer writes the path as a JSON Pointer (RFC 6901).
func (p Path) Pointer() string {
	var text []byte
	for _, part := range p {
		text = append(text, '/')
		if part.IsIndex {
			text = strconv.AppendInt(text, int64(part.Index), 10)
		} else {
			text = append(text, escapePointer.Replace(part.Key)...)
		}
	}
	return string(text)
}

var (
	escapePointer   = strings.NewReplacer("~", "~0", "/", "~1")
	unescapePointer = strings.NewReplacer("~0", "~", "~1", "/")
)

// step follows one part.
func (v Value) step(part Part) Value {
	if part.IsIndex {
		return v.Index(part.Index)
	}
	return v.Get(part.Key)
}

// At gives what stands at the path; absent where a part does not fit what it is applied to.
func (v Value) At(p Path) Value {
	for _, part := range p {
		v = v.step(part)
	}
	return v
}

// Set gives v with x at the path. Objects that are absent on the way are made, elements of arrays are not. Setting a member
// to an absent x removes it, an element becomes null. The error is a *[PathError].
func (v Value) Set(p Path, x Value) (Value, error) {
	var room [8]Value
	holders := room[:0] // holders[i] is what the part p[i] is applied to
	for i, part := range p {
		kind := v.Kind()
		fits := kind == KindObject || kind == KindAbsent
		if part.IsIndex {
			fits = kind == KindArray && uint(part.Index) < uint(v.num)
		}
		if !fits {
			return Value{}, &PathError{Path: p, At: i, Found: kind}
		}
		if x.ref == nil && kind == KindAbsent {
			// There is nothing to remove, and nothing is made for it.
			return v.rebuilt(holders, p), nil
		}
		holders = append(holders, v)
		v = v.step(part)
	}
	return x.rebuilt(holders, p), nil
}

// Unset gives v without the object member at the path. Whatever does not fit leaves v as it is; elements of arrays are never
// removed.
func (v Value) Unset(p Path) Value {
	if len(p) == 0 || p[len(p)-1].IsIndex || v.At(p).ref == nil {
		return v
	}
	// Every part fits, so that Set cannot fail.
	next, _ := v.Set(p, Value{})
	return next
}

// rebuilt puts v into the innermost holder, that into the next, and so on outward.
func (v Value) rebuilt(holders []Value, p Path) Value {
	for i := len(holders) - 1; i >= 0; i-- {
		if p[i].IsIndex {
			v = holders[i].withElement(p[i].Index, v)
		} else {
			v = holders[i].With(p[i].Key, v)
		}
	}
	return v
}
