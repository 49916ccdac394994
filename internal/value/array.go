package value

import (
	"iter"
	"sync/atomic"
)

// array is the storage that the versions of a growing array share. A version is a prefix of buf; its length stands in the
// Value. Elements below used are settled for good. Who moves used from its own length upward owns the room in between: the
// first to append to a version extends it in place, whoever comes later copies.
type array struct {
	buf      []Value // len is the capacity
	used     atomic.Int64
	measured atomic.Uint64 // the measure of a prefix, see measure.go; 0: none yet
}

var emptyArray = Value{ref: &array{}}

// Array makes an array and takes ownership of items: the caller must not touch them afterwards. An array has no holes: an
// absent item becomes null.
func Array(items ...Value) Value {
	if len(items) == 0 {
		return emptyArray
	}
	fillHoles(items)
	a := &array{buf: items}
	a.used.Store(int64(len(items)))
	return Value{ref: a, num: uint64(len(items))}
}

func fillHoles(items []Value) {
	for i := range items {
		if items[i].ref == nil {
			items[i] = Null
		}
	}
}

// elements gives the elements of an array, nil for another kind. They must not be written to.
func (v Value) elements() []Value {
	if a, ok := v.ref.(*array); ok {
		return a.buf[:v.num]
	}
	return nil
}

// Index gives the i-th element of an array; absent if there is none or v is not an array.
func (v Value) Index(i int) Value {
	if a, ok := v.ref.(*array); ok && uint(i) < uint(v.num) {
		return a.buf[i]
	}
	return Value{}
}

// Items yields an array's elements in order, and nothing for another kind.
func (v Value) Items() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		for i, item := range v.elements() {
			if !yield(i, item) {
				return
			}
		}
	}
}

// Append gives the array with items after its own; absent ones become null. An absent v counts as an empty array; a v of
// another kind is returned as it is.
//
// Appending to the newest version takes amortised constant time, whatever the length; appending to one that has been
// extended before copies it. Several goroutines may append to one version at once.
func (v Value) Append(items ...Value) Value {
	if v.ref == nil {
		v = emptyArray
	}
	a, ok := v.ref.(*array)
	if !ok || len(items) == 0 {
		return v
	}
	n := int(v.num)
	need := n + len(items)
	if need > len(a.buf) || !a.used.CompareAndSwap(int64(n), int64(need)) {
		a = a.grown(n, need)
	}
	room := a.buf[n:need]
	copy(room, items)
	fillHoles(room)
	return Value{ref: a, num: uint64(need)}
}

// grown copies the first n elements to a storage of its own, with need of them in use and room for more.
func (a *array) grown(n, need int) *array {
	size := max(need, n+n/2, 4)
	if n < 1024 {
		size = max(size, 2*n)
	}
	next := &array{buf: make([]Value, size)}
	copy(next.buf, a.buf[:n])
	next.used.Store(int64(need))
	if m := measure(a.measured.Load()); m.elements() <= n {
		next.measured.Store(uint64(m))
	}
	return next
}

// withElement gives the array with one element replaced.
func (v Value) withElement(i int, x Value) Value {
	items := make([]Value, v.num)
	copy(items, v.elements())
	items[i] = x
	return Array(items...)
}
