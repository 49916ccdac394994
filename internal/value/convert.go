package value

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"
)

// Timestamp gives a time, in nanoseconds since 1970, as RFC 3339 has it: in UTC, with milliseconds.
func Timestamp(unixNano int64) Value {
	return stringValue(time.Unix(0, unixNano).UTC().Format("2006-01-02T15:04:05.000Z"))
}

// ParseTimestamp reads a point of time as RFC 3339 writes it, into nanoseconds of Unix time; ok is false for any other text,
// and for times that those do not reach (before 1678, after 2261).
func ParseTimestamp(text string) (unixNano int64, ok bool) {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil || t.Year() < 1678 || t.Year() > 2261 {
		return 0, false
	}
	return t.UnixNano(), true
}

// FromAny gives the value of nil, a bool, a string, any integer or float, a [json.Number], a []any, a map[string]any, a
// [json.RawMessage] or a [Value]. A nil slice is an empty array and a nil map an empty object; a nil json.RawMessage is
// null. An absent Value is absent: left out of an object, null in an array. It refuses other types, numbers beyond the
// limits, and nesting deeper than [DefaultLimits] (a slice may contain itself).
func FromAny(x any) (Value, error) { return fromAny(x, 0) }

func fromAny(x any, depth int) (Value, error) {
	switch x := x.(type) {
	case nil:
		return Null, nil
	case Value:
		return x, nil
	case bool:
		return Bool(x), nil
	case string:
		return String(x), nil
	case json.Number:
		return Number(string(x))
	case json.RawMessage:
		if x == nil {
			return Null, nil
		}
		return Parse(x)
	case []any:
		return fromSlice(x, depth+1)
	case map[string]any:
		return fromMap(x, depth+1)
	}
	switch r := reflect.ValueOf(x); r.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return Int(r.Int()), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return Uint(r.Uint()), nil
	case reflect.Float32:
		return shortest(r.Float(), 32)
	case reflect.Float64:
		return Float(r.Float())
	case reflect.Bool:
		return Bool(r.Bool()), nil
	case reflect.String:
		return String(r.String()), nil
	}
	return Value{}, errors.New("found something that is not plain JSON data, expected nil, a boolean, a string, a number, a list or a map with string keys")
}

func fromSlice(x []any, depth int) (Value, error) {
	if depth > DefaultLimits.Depth {
		return Value{}, errDeepAny
	}
	items := make([]Value, len(x))
	for i, item := range x {
		var err error
		if items[i], err = fromAny(item, depth); err != nil {
			return Value{}, placed(Part{Index: i, IsIndex: true}, err)
		}
	}
	return Array(items...), nil
}

func fromMap(x map[string]any, depth int) (Value, error) {
	if depth > DefaultLimits.Depth {
		return Value{}, errDeepAny
	}
	members := make([]Member, 0, len(x))
	for _, key := range slices.Sorted(maps.Keys(x)) {
		v, err := fromAny(x[key], depth)
		if err != nil {
			return Value{}, placed(Part{Key: key}, err)
		}
		members = append(members, Member{key, v})
	}
	return Object(members...), nil
}

var errDeepAny = fmt.Errorf("found more than %d lists and maps inside one another", DefaultLimits.Depth)

// placeError says where in a Go value something could not be used.
type placeError struct {
	path Path
	err  error
}

func (e *placeError) Error() string { return fmt.Sprintf("at %s: %v", e.path.Pointer(), e.err) }
func (e *placeError) Unwrap() error { return e.err }

// placed adds the place of an error, seen from one level further out.
func placed(part Part, err error) error {
	if err == errDeepAny { // its path would be as long as it is deep
		return err
	}
	if e, ok := err.(*placeError); ok {
		e.path = slices.Insert(e.path, 0, part)
		return e
	}
	return &placeError{Path{part}, err}
}

// ToAny gives nil, a bool, a string, a [json.Number], a []any or a map[string]any; nil too for an absent v. The result is
// the caller's own.
func (v Value) ToAny() any {
	c, ok := v.inside()
	if !ok {
		return v.leafToAny()
	}
	root := unfold(c)
	open := []unfolding{root}
	for len(open) > 0 {
		top := &open[len(open)-1]
		if top.next == len(top.values) {
			open = open[:len(open)-1]
			continue
		}
		if c, ok := top.values[top.next].inside(); ok {
			inner := unfold(c)
			top.put(inner.any())
			open = append(open, inner)
		} else {
			top.put(top.values[top.next].leafToAny())
		}
	}
	return root.any()
}

// unfolding is an array or object on its way to a slice or map, exactly one of which is not nil.
type unfolding struct {
	container
	list    []any
	members map[string]any
}

func unfold(c container) unfolding {
	if c.keys == nil {
		return unfolding{container: c, list: make([]any, len(c.values))}
	}
	return unfolding{container: c, members: make(map[string]any, len(c.values))}
}

func (u *unfolding) any() any {
	if u.members != nil {
		return u.members
	}
	return u.list
}

// put sets the next element or member.
func (u *unfolding) put(x any) {
	if u.members != nil {
		u.members[u.keys[u.next]] = x
	} else {
		u.list[u.next] = x
	}
	u.next++
}

func (v Value) leafToAny() any {
	switch v.Kind() {
	case KindBool:
		return v.num != 0
	case KindNumber:
		return json.Number(v.NumberText())
	case KindString:
		s, _ := v.AsString()
		return s
	case KindArray:
		return []any{}
	case KindObject:
		return map[string]any{}
	}
	return nil
}
