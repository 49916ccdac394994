package value

import (
	"slices"
	"strings"
)

// dictionary remembers keys and shapes from one object to the next, and from one text to the next, so that objects alike
// share them. It forgets a key when another takes its place, and keeps no large one.
type dictionary struct {
	keys   [256]string
	shapes [64]*Shape
}

const (
	longestKey   = 32 // bytes
	largestShape = 32 // keys
)

// key gives a copy of s, the one of an earlier time if it is still there.
func (d *dictionary) key(s string) string {
	if len(s) == 0 || len(s) > longestKey {
		return strings.Clone(s)
	}
	n := len(s)
	h := uint(n) + uint(s[0])*31 + uint(s[n/2])*131 + uint(s[n-1])*1031
	slot := &d.keys[h%uint(len(d.keys))]
	if *slot != s {
		*slot = strings.Clone(s)
	}
	return *slot
}

// object makes an object of sorted fields.
func (d *dictionary) object(fields []field) Value {
	if len(fields) == 0 {
		return emptyObject
	}
	v, values := newBlock(d.shape(fields))
	for i := range fields {
		values[i] = fields[i].value
	}
	return v
}

// shape gives the shape of sorted fields, that of an earlier time if it is still there.
func (d *dictionary) shape(fields []field) *Shape {
	if len(fields) > largestShape {
		return shapeFrom(fields)
	}
	h := uint(len(fields))
	for i := range fields {
		h = h*31 + uint(len(fields[i].key))
		if len(fields[i].key) > longestKey {
			return shapeFrom(fields)
		}
		if len(fields[i].key) > 0 {
			h += uint(fields[i].key[0]) * 7
		}
	}
	slot := &d.shapes[h%uint(len(d.shapes))]
	if *slot == nil || !(*slot).has(fields) {
		*slot = shapeFrom(fields)
	}
	return *slot
}

func shapeFrom(fields []field) *Shape {
	s := &Shape{keys: make([]string, len(fields))}
	for i := range fields {
		s.keys[i] = fields[i].key
	}
	return s
}

func (s *Shape) has(fields []field) bool {
	if len(s.keys) != len(fields) {
		return false
	}
	for i := range fields {
		if s.keys[i] != fields[i].key {
			return false
		}
	}
	return true
}

// sort puts the fields of an object into the order of their keys and refuses a second one with the same key.
func (p *parser) sort(fields []field) bool {
	slices.SortFunc(fields, func(a, b field) int {
		if c := strings.Compare(a.key, b.key); c != 0 {
			return c
		}
		return a.at - b.at
	})
	for i := 1; i < len(fields); i++ {
		if f := fields[i]; f.key == fields[i-1].key {
			line, _ := position(p.text, fields[i-1].at)
			p.fail(SyntaxDuplicateKey, f.at, "found the key %q a second time (the first is on line %d), expected each key once", f.key, line)
			return p.under(Part{Key: f.key})
		}
	}
	return true
}
