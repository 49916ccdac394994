package value

import "strings"

// dictionary remembers keys and layouts from one object to the next, and from one text to the next, so that objects alike
// share them. It forgets one when another takes its place, and keeps no large one.
type dictionary struct {
	keys    [256]string
	layouts [64]*layout
}

const (
	longestKey    = 32 // bytes
	largestLayout = 32 // keys
)

// layout says where the members of an object go, in the order in which they were written.
type layout struct {
	written []string // the keys, no two alike
	shape   *Shape
	places  []int // the position in the shape of each written key
}

// key gives a copy of s, the one of an earlier time if it is still there.
func (d *dictionary) key(s string) string {
	n := len(s)
	if n == 0 || n > longestKey {
		return strings.Clone(s)
	}
	h := uint(n) + uint(s[0])*31 + uint(s[n/2])*131 + uint(s[n-1])*1031
	slot := &d.keys[h%uint(len(d.keys))]
	if *slot != s {
		*slot = strings.Clone(s)
	}
	return *slot
}

// slot gives the place of a layout in the dictionary, nil if it is not to be kept.
func (d *dictionary) slot(fields []field) **layout {
	if len(fields) > largestLayout {
		return nil
	}
	h := uint(len(fields))
	for i := range fields {
		key := fields[i].key
		if len(key) > longestKey {
			return nil
		}
		h = h*31 + uint(len(key))
		if key != "" {
			h += uint(key[0]) * 7
		}
	}
	return &d.layouts[h%uint(len(d.layouts))]
}

// fits reports whether the layout is that of the fields.
func (l *layout) fits(fields []field) bool {
	if len(l.written) != len(fields) {
		return false
	}
	for i, key := range l.written {
		if key != fields[i].key {
			return false
		}
	}
	return true
}
