package value

import (
	"sync/atomic"
	"unsafe"
)

// An object is one block of memory, hence one allocation: a header Value and after it the member values, in the order of
// the shape's keys. The header's ref is the *Shape; its num caches the object's measure (0: not measured yet) and is only
// touched atomically, because measuring may happen on several goroutines at once.

// newBlock makes an object of the shape with all members absent, and gives its members to fill in. The object must not be
// handed out before every member is set.
func newBlock(s *Shape) (Value, []Value) {
	n := len(s.keys)
	block := make([]Value, n+1)
	block[0].ref = s
	return Value{ref: objectRef(&block[0]), num: uint64(n)}, block[1:]
}

// shapeOf gives the shape of an object's block.
func shapeOf(r objectRef) *Shape { return (*r).ref.(*Shape) }

// valuesOf gives the n member values of an object's block.
func valuesOf(r objectRef, n uint64) []Value {
	return unsafe.Slice((*Value)(r), n+1)[1:]
}

func loadMeasure(r objectRef) measure     { return measure(atomic.LoadUint64(&(*r).num)) }
func storeMeasure(r objectRef, m measure) { atomic.StoreUint64(&(*r).num, uint64(m)) }

// emptyObject is the one object without members.
var emptyObject, _ = newBlock(&Shape{})
