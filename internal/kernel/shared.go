package kernel

import (
	"bytes"
	"fmt"
	"strconv"

	"lda.chat/wf/internal/value"
)

// A snapshot writes a value that is there more than once only once, in its list of shared values, and {"$shared":3} wherever
// it stands, also inside others. An object of the state that is written like that itself has its value in an array:
// {"$shared":[3]}. {"$shared":null} is a value that is absent.
const (
	sharedKey  = "$shared"
	sharedMark = `"` + sharedKey + `"`
)

// leastShared is how many bytes of JSON are worth it.
const leastShared = 64

// shared is what several places of a machine have in common. It is found in a first pass over all values, and written in a
// second.
type shared struct {
	order  []value.Value          // what was met, those inside others first; after the first pass: what is shared
	seen   map[value.Identity]int // how often each was met; after the first pass: its number, from 1; look-up only
	second bool
}

// value writes a member, and leaves an absent one out.
func (s *shared) value(dst []byte, key string, v value.Value) []byte {
	if v.IsAbsent() {
		return dst
	}
	return s.put(appendName(append(dst, ','), key), v)
}

// put writes a value; in the first pass it only looks at it.
func (s *shared) put(dst []byte, v value.Value) []byte {
	if !s.second {
		s.meet(v)
		return dst
	}
	if number := s.number(v); number > 0 {
		dst = append(dst, `{`+sharedMark+`:`...)
		return append(strconv.AppendInt(dst, int64(number-1), 10), '}')
	}
	return s.body(dst, v)
}

// putOrAbsent writes a value that may be absent, which is not to be left out.
func (s *shared) putOrAbsent(dst []byte, v value.Value) []byte {
	if v.IsAbsent() {
		return append(dst, `{`+sharedMark+`:null}`...)
	}
	return s.put(dst, v)
}

// large reports whether a value is worth being shared, or has parts that are.
func large(v value.Value) bool {
	switch v.Kind() {
	case value.KindString, value.KindArray, value.KindObject:
		return value.Size(v) >= leastShared
	}
	return false
}

func (s *shared) meet(v value.Value) {
	if !large(v) {
		return
	}
	id := v.Identity()
	s.seen[id]++
	if s.seen[id] > 1 {
		return
	}
	for _, x := range v.Items() {
		s.meet(x)
	}
	for _, x := range v.Members() {
		s.meet(x)
	}
	s.order = append(s.order, v)
}

// settle ends the first pass.
func (s *shared) settle() {
	var list []value.Value
	for _, v := range s.order {
		id := v.Identity()
		if s.seen[id] == 1 {
			delete(s.seen, id)
			continue
		}
		list = append(list, v)
		s.seen[id] = len(list)
	}
	s.order, s.second = list, true
}

func (s *shared) number(v value.Value) int {
	if len(s.order) == 0 || !large(v) {
		return 0
	}
	return s.seen[v.Identity()]
}

// definitions writes the list of what is shared. What is inside another stands before it.
func (s *shared) definitions(dst []byte) []byte {
	var l listing
	for _, v := range s.order {
		dst = s.body(l.next(dst, `,"shared":[`), v)
	}
	return l.end(dst, ']')
}

// body writes a value, with numbers for what is shared inside it.
func (s *shared) body(dst []byte, v value.Value) []byte {
	if len(s.order) == 0 || !large(v) {
		at := len(dst)
		if dst = v.AppendJSON(dst); !bytes.Contains(dst[at:], []byte(sharedMark)) {
			return dst
		}
		dst = dst[:at]
	}
	switch v.Kind() {
	case value.KindArray:
		dst = append(dst, '[')
		for i, x := range v.Items() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = s.put(dst, x)
		}
		return append(dst, ']')
	case value.KindObject:
		return s.object(dst, v)
	}
	return v.AppendJSON(dst)
}

func (s *shared) object(dst []byte, v value.Value) []byte {
	escaped := v.Len() == 1 && !v.Get(sharedKey).IsAbsent()
	dst = append(dst, '{')
	for i := range v.Len() {
		if i > 0 {
			dst = append(dst, ',')
		}
		key, x := v.MemberAt(i)
		dst = appendName(dst, key)
		if escaped {
			dst = append(dst, '[')
		}
		dst = s.put(dst, x)
		if escaped {
			dst = append(dst, ']')
		}
	}
	return append(dst, '}')
}

// sharing reads what a snapshot shares.
type sharing struct {
	any  bool // the text has the mark
	list []value.Value
}

// define reads the list of shared values. Each can only have those before it inside.
func (s *sharing) define(text []byte, v value.Value) error {
	s.any = bytes.Contains(text, []byte(sharedMark))
	for i, x := range v.Items() {
		x, err := s.read(x)
		if err != nil {
			return fmt.Errorf("shared value %d: %w", i, err)
		}
		if value.Size(x) > recordLimits.Bytes {
			return fmt.Errorf("shared value %d has more than %d bytes", i, recordLimits.Bytes)
		}
		s.list = append(s.list, x)
	}
	return nil
}

// read gives the value that was written.
func (s *sharing) read(v value.Value) (value.Value, error) {
	if !s.any {
		return v, nil
	}
	v, _, err := s.resolve(v)
	return v, err
}

// resolve tells whether it has changed the value; if not, nothing was made anew.
func (s *sharing) resolve(v value.Value) (out value.Value, changed bool, err error) {
	switch v.Kind() {
	case value.KindArray:
		var items []value.Value
		for i, x := range v.Items() {
			x, other, err := s.resolve(x)
			if err != nil {
				return v, false, err
			}
			if other && items == nil {
				items = make([]value.Value, v.Len())
				for k := range i {
					items[k] = v.Index(k)
				}
			}
			if items != nil {
				items[i] = x
			}
		}
		if items != nil {
			return value.Array(items...), true, nil
		}
	case value.KindObject:
		if v.Len() == 1 && !v.Get(sharedKey).IsAbsent() {
			return s.lookUp(v.Get(sharedKey))
		}
		return s.members(v)
	}
	return v, false, nil
}

func (s *sharing) members(v value.Value) (out value.Value, changed bool, err error) {
	members := make([]value.Member, v.Len())
	for i := range members {
		key, x := v.MemberAt(i)
		x, other, err := s.resolve(x)
		if err != nil {
			return v, false, err
		}
		changed = changed || other
		members[i] = value.Member{Key: key, Value: x}
	}
	if !changed {
		return v, false, nil
	}
	return value.Object(members...), true, nil
}

func (s *sharing) lookUp(at value.Value) (out value.Value, changed bool, err error) {
	if at.Kind() == value.KindArray && at.Len() == 1 {
		x, _, err := s.resolve(at.Index(0))
		return value.Object(value.Member{Key: sharedKey, Value: x}), true, err
	}
	n, ok := at.AsInt()
	if !ok || n < 0 || n >= int64(len(s.list)) {
		return out, false, fmt.Errorf("there is no shared value %s", at)
	}
	return s.list[n], true, nil
}
