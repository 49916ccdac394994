package value

import (
	"errors"
	"strconv"
)

// style is how a value is written.
type style struct {
	canonical bool // numbers in canonical form
	indent    bool // two spaces a level
}

// AppendJSON appends v as compact JSON: keys in ascending byte order, numbers with the digits they were written with. Strings
// have only those escapes that JSON demands. An absent v appends nothing.
func (v Value) AppendJSON(dst []byte) []byte { return v.appendText(dst, style{}) }

// AppendCanonical appends v as [Value.AppendJSON] does, but with numbers in a canonical form: equal values give equal bytes.
//
// A number is written in plain digits if it lies in [1e-7, 1e21), otherwise as d.ddde+x or d.ddde-x, always with all its
// digits and without a needless zero. This is the form of RFC 8785, except that digits beyond the precision of a float64
// are kept, and that keys are in the order of their bytes.
func (v Value) AppendCanonical(dst []byte) []byte { return v.appendText(dst, style{canonical: true}) }

// JSON gives v as compact JSON; see [Value.AppendJSON]. It is nil for an absent v.
func (v Value) JSON() []byte {
	if v.ref == nil {
		return nil
	}
	return v.AppendJSON(nil)
}

// Indent gives v as JSON for people to read, with two spaces a level, up to 200 levels, and no newline at the end.
func Indent(v Value) []byte { return v.appendText(nil, style{indent: true}) }

// String gives v as compact JSON, and "absent" for no value. It is meant for messages; a string's text is [Value.AsString].
func (v Value) String() string {
	if v.ref == nil {
		return KindAbsent.String()
	}
	return viewString(v.AppendJSON(nil))
}

// MarshalJSON gives v as compact JSON. An absent v is an error: a field that may be absent needs the option omitzero.
func (v Value) MarshalJSON() ([]byte, error) {
	if v.ref == nil {
		return nil, errors.New("an absent value has no JSON")
	}
	return v.AppendJSON(nil), nil
}

// UnmarshalJSON reads v as [Parse] does.
func (v *Value) UnmarshalJSON(data []byte) error {
	parsed, err := Parse(data)
	if err != nil {
		return err
	}
	*v = parsed
	return nil
}

// container is an array or object that is being written.
type container struct {
	keys   []string // nil for an array
	values []Value
	next   int
}

// inside gives the contents of an array or object that has any.
func (v Value) inside() (c container, ok bool) {
	if v.num == 0 {
		return c, false
	}
	switch r := v.ref.(type) {
	case *array:
		return container{values: r.buf[:v.num]}, true
	case objectRef:
		return container{keys: shapeOf(r).keys, values: valuesOf(r, v.num)}, true
	}
	return c, false
}

// appendText writes v. It keeps its own stack, since values may nest deeper than the goroutine's stack allows.
func (v Value) appendText(dst []byte, s style) []byte {
	c, ok := v.inside()
	if !ok {
		return v.appendLeaf(dst, s)
	}
	var room [12]container
	open := append(room[:0], c)
	dst = c.begin(dst)
	for len(open) > 0 {
		top := &open[len(open)-1]
		if top.next == len(top.values) {
			open = open[:len(open)-1]
			dst = s.appendBreak(dst, len(open))
			dst = top.end(dst)
			continue
		}
		if top.next > 0 {
			dst = append(dst, ',')
		}
		dst = s.appendBreak(dst, len(open))
		if top.keys != nil {
			dst = append(appendString(dst, top.keys[top.next]), ':')
			if s.indent {
				dst = append(dst, ' ')
			}
		}
		item := top.values[top.next]
		top.next++
		if c, ok := item.inside(); ok {
			dst = c.begin(dst)
			open = append(open, c)
		} else {
			dst = item.appendLeaf(dst, s)
		}
	}
	return dst
}

func (c *container) begin(dst []byte) []byte {
	if c.keys != nil {
		return append(dst, '{')
	}
	return append(dst, '[')
}

func (c *container) end(dst []byte) []byte {
	if c.keys != nil {
		return append(dst, '}')
	}
	return append(dst, ']')
}

// deepestIndent keeps the text of a value that nests deeply from growing with the square of its depth.
const deepestIndent = 200

// appendBreak starts a line of the level, where lines are wanted.
func (s style) appendBreak(dst []byte, level int) []byte {
	if !s.indent {
		return dst
	}
	dst = append(dst, '\n')
	for range min(level, deepestIndent) {
		dst = append(dst, "  "...)
	}
	return dst
}

// appendLeaf writes what has nothing inside.
func (v Value) appendLeaf(dst []byte, s style) []byte {
	switch r := v.ref.(type) {
	case scalar:
		switch {
		case r == scalarInt:
			return strconv.AppendInt(dst, int64(v.num), 10)
		case r == scalarNull:
			return append(dst, "null"...)
		}
		return strconv.AppendBool(dst, v.num != 0)
	case stringRef:
		text, _ := v.AsString()
		return appendString(dst, text)
	case numberRef:
		if s.canonical {
			return readDecimal(v.literal()).appendCanonical(dst)
		}
		return append(dst, v.literal()...)
	case *array:
		return append(dst, "[]"...)
	case objectRef:
		return append(dst, "{}"...)
	}
	return dst
}
