package value

import "fmt"

// Shape is a set of keys that many objects have in common. It never changes.
type Shape struct {
	keys []string // ascending, no two alike
}

// NewShape makes a shape of keys that ascend in byte order. It panics if they do not, or if one is not UTF-8: the keys of a
// shape are known to the programmer.
func NewShape(sortedKeys ...string) *Shape {
	keys := make([]string, len(sortedKeys))
	copy(keys, sortedKeys)
	for i, key := range keys {
		if validText(key) != key {
			panic(fmt.Sprintf("value: the key %q of a shape is not UTF-8", key))
		}
		if i > 0 && key <= keys[i-1] {
			panic(fmt.Sprintf("value: the keys of a shape must ascend: %q follows %q", key, keys[i-1]))
		}
	}
	return &Shape{keys: keys}
}

// Object makes an object whose i-th member, in the order of the shape's keys, has the value vals[i]; absent values are left
// out. It allocates once and keeps no reference to vals, so the caller may hold them on the stack and use them again. It
// panics unless there are as many values as keys.
func (s *Shape) Object(vals []Value) Value {
	if len(vals) != len(s.keys) {
		panic(fmt.Sprintf("value: %d values for a shape of %d keys", len(vals), len(s.keys)))
	}
	present := 0
	for i := range vals {
		if vals[i].ref != nil {
			present++
		}
	}
	if present == 0 {
		return emptyObject
	}
	if present < len(vals) {
		return s.without(vals, present)
	}
	v, members := newBlock(s)
	copy(members, vals)
	return v
}

// Get gives the value of a key among vals, which are as for [Shape.Object]; absent if there is no such key.
func (s *Shape) Get(vals []Value, key string) Value {
	if i, found := s.find(key); found {
		return vals[i]
	}
	return Value{}
}

// without makes an object of the values that are present.
func (s *Shape) without(vals []Value, present int) Value {
	fewer := &Shape{keys: make([]string, 0, present)}
	for i, key := range s.keys {
		if vals[i].ref != nil {
			fewer.keys = append(fewer.keys, key)
		}
	}
	v, members := newBlock(fewer)
	for i, n := 0, 0; i < len(vals); i++ {
		if vals[i].ref != nil {
			members[n] = vals[i]
			n++
		}
	}
	return v
}

// linearKeys is up to how many keys a scan beats a binary search.
const linearKeys = 8

// find gives the position of a key, or where it would be inserted.
func (s *Shape) find(key string) (int, bool) {
	if len(s.keys) <= linearKeys {
		for i, k := range s.keys {
			if len(k) == len(key) && k == key {
				return i, true
			}
		}
		return s.place(key), false
	}
	i := s.place(key)
	return i, i < len(s.keys) && s.keys[i] == key
}

// place is the first position whose key is not less than key.
func (s *Shape) place(key string) int {
	low, high := 0, len(s.keys)
	for low < high {
		middle := int(uint(low+high) >> 1)
		if s.keys[middle] < key {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}
