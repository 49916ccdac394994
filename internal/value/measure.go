package value

import "strconv"

// measure packs what was found out about an array or object, so that it is worked out once: the bytes of its JSON in the low
// 32 bits, its depth in the next 8, and for an array in the high 24 how many elements were measured. All saturate. Zero is
// no measure: nothing is shorter than two bytes.
type measure uint64

const (
	maxBytes    = 1<<(30+2*(^uint(0)>>63)) - 1 // two of them can be added without overflow where int has 32 bits, too
	maxDepth    = 1<<8 - 1
	maxMeasured = 1<<24 - 1
)

func pack(bytes, depth, elements int) measure {
	return measure(min(bytes, maxBytes)) | measure(min(depth, maxDepth))<<32 | measure(elements)<<40
}

func (m measure) bytes() int    { return int(m & maxBytes) }
func (m measure) depth() int    { return int(m >> 32 & maxDepth) }
func (m measure) elements() int { return int(m >> 40) }

// Size is the number of bytes of v's compact JSON; 4 GiB - 1 (1 GiB - 1 where int has 32 bits) means that or more; 0 for an
// absent v. An object is measured
// once. A growing array is measured on from where it was measured before. So the cost follows what is new.
func Size(v Value) int {
	bytes, _ := v.measured()
	return bytes
}

// Depth is how deep arrays and objects nest in v: 0 for a scalar, 1 for [] and [1]; 255 means that or more. It costs what
// [Size] costs.
func Depth(v Value) int {
	_, depth := v.measured()
	return depth
}

// measuring is an array or object that is being measured.
type measuring struct {
	v            Value
	values       []Value // those not measured yet
	bytes, depth int
}

// measured works out size and depth, with a stack of its own.
func (v Value) measured() (bytes, depth int) {
	bytes, depth, ok := v.measuredAlready()
	if ok {
		return bytes, depth
	}
	var room [8]measuring
	open := append(room[:0], v.startMeasure())
	for {
		top := &open[len(open)-1]
		if len(top.values) == 0 {
			bytes, depth = top.finish()
			open = open[:len(open)-1]
			if len(open) == 0 {
				return bytes, depth
			}
			open[len(open)-1].add(bytes, depth)
			continue
		}
		item := top.values[0]
		top.values = top.values[1:]
		if bytes, depth, ok := item.measuredAlready(); ok {
			top.add(bytes, depth)
		} else {
			open = append(open, item.startMeasure())
		}
	}
}

func (m *measuring) add(bytes, depth int) {
	m.bytes = min(m.bytes+bytes, maxBytes)
	m.depth = min(max(m.depth, depth+1), maxDepth)
}

// measuredAlready gives size and depth of what is no array and no object, or was measured before.
func (v Value) measuredAlready() (bytes, depth int, ok bool) {
	var m measure
	switch r := v.ref.(type) {
	case nil:
		return 0, 0, true
	case scalar:
		return v.scalarSize(r), 0, true
	case stringRef:
		s, _ := v.AsString()
		return stringSize(s), 0, true
	case numberRef:
		return int(v.num), 0, true
	case *array:
		if v.num == 0 {
			return len("[]"), 1, true
		}
		if m = measure(r.measured.Load()); m.elements() != int(v.num) {
			return 0, 0, false
		}
	case objectRef:
		if v.num == 0 {
			return len("{}"), 1, true
		}
		m = loadMeasure(r)
	}
	return m.bytes(), m.depth(), m != 0
}

func (v Value) scalarSize(s scalar) int {
	switch {
	case s == scalarInt:
		var room intText
		return len(strconv.AppendInt(room[:0], int64(v.num), 10))
	case s == scalarBool && v.num == 0:
		return len("false")
	}
	return len("null") // and true
}

// startMeasure begins with the brackets, commas and keys of an array or object, or goes on where an array was left.
func (v Value) startMeasure() measuring {
	m := measuring{v: v, depth: 1}
	switch r := v.ref.(type) {
	case *array:
		m.values = r.buf[:v.num]
		m.bytes = len("[]") + len(m.values) - 1
		if before := measure(r.measured.Load()); before != 0 && before.elements() < len(m.values) {
			m.values = m.values[before.elements():]
			m.bytes, m.depth = min(before.bytes()+len(m.values), maxBytes), before.depth()
		}
	case objectRef:
		m.values = valuesOf(r, v.num)
		m.bytes = len("{}") + len(m.values) - 1
		for _, key := range shapeOf(r).keys {
			m.bytes += stringSize(key) + len(":")
		}
	}
	return m
}

// finish remembers the result where the next one can find it.
func (m *measuring) finish() (bytes, depth int) {
	bytes, depth = min(m.bytes, maxBytes), m.depth
	switch r := m.v.ref.(type) {
	case *array:
		// A shorter, older version does not push out the measure of a longer one.
		if n := int(m.v.num); n <= maxMeasured && n > measure(r.measured.Load()).elements() {
			r.measured.Store(uint64(pack(bytes, depth, n)))
		}
	case objectRef:
		storeMeasure(r, pack(bytes, depth, 0))
	}
	return bytes, depth
}

// replaced gives the measure of an object in which one member was replaced, or set or removed where before or after is
// absent, without looking at the others. It is zero, to be measured anew, if that does not do.
func (m measure) replaced(key string, before, after Value) measure {
	oldBytes, oldDepth, ok := before.measuredAlready()
	if !ok || m.bytes() == maxBytes {
		return 0
	}
	bytes, depth := after.measured()
	if depth < oldDepth && min(oldDepth+1, maxDepth) == m.depth() {
		return 0 // the old one may have been the only one so deep
	}
	member := stringSize(key) + len(":,")
	if before.ref != nil {
		bytes -= oldBytes + member
	}
	if after.ref != nil {
		bytes += member
	}
	return pack(m.bytes()+bytes, max(m.depth(), depth+1), 0)
}
