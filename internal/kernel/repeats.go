package kernel

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"lda.chat/wf/internal/value"
)

// Repeats lets the records of a run hold a large value once: where one comes again, {"$same":"sha256:…"} stands for it. It knows what
// the records since the run's last snapshot hold, so a reader needs no others than it reads anyway: those from the beginning, or from a
// snapshot on. A value is large if it has many bytes of JSON and nothing large inside, which would stand for itself. A record that has such a
// sign says so ("same":true), so none is read where a value merely looks like one; there, such a value is written {"$same":[x]}. A record
// that forgets those before it says that too ("anew":true).
//
// The zero Repeats has met nothing. It belongs to one goroutine at a time, and to the records of one run, in order: those that a machine
// has decoded, and then those that it encodes.
type Repeats struct {
	Least int // bytes of JSON from which a value is large; 0: 64 KiB

	known   map[string]value.Value // by digest
	anew    bool                   // what was known is forgotten, and the next record that adds to it has to say so
	added   bool                   // by the present record
	signs   bool                   // in it
	missing string                 // a sign in it for what is not known
}

const (
	sameKey  = "$same"
	sameMark = `"` + sameKey + `"`
	digests  = "sha256:"
)

// leastRepeated is from how many bytes of JSON a value is kept once.
const leastRepeated = 64 << 10

func (r *Repeats) large(v value.Value) bool {
	switch v.Kind() {
	case value.KindString, value.KindArray, value.KindObject:
		return value.Size(v) >= r.least()
	}
	return false
}

func (r *Repeats) least() int {
	if r.Least == 0 {
		return leastRepeated
	}
	return r.Least
}

// Forget is told that a snapshot was taken: the records after it may be read without those before it.
func (r *Repeats) Forget() {
	if len(r.known) > 0 {
		r.known, r.anew = nil, true
	}
}

// begin begins a record.
func (r *Repeats) begin() {
	if r != nil {
		r.added, r.signs = false, false
	}
}

// end appends what the record has to say of its signs.
func (r *Repeats) end(dst []byte) []byte {
	if r == nil {
		return dst
	}
	if r.signs {
		dst = append(dst, `,"same":true`...)
	}
	if r.anew && r.added {
		dst, r.anew = append(dst, `,"anew":true`...), false
	}
	return dst
}

// member appends a member of an entry, and leaves an absent one out. Without Repeats all is written as it is.
func (r *Repeats) member(dst []byte, key string, v value.Value) []byte {
	if r == nil || v.IsAbsent() {
		return appendValue(dst, key, v)
	}
	return r.put(appendName(append(dst, ','), key), v)
}

func (r *Repeats) put(dst []byte, v value.Value) []byte {
	at := len(dst)
	if !r.large(v) {
		if dst = v.AppendJSON(dst); !bytes.Contains(dst[at:], []byte(sameMark)) {
			return dst
		}
		dst, _ = r.body(dst[:at], v)
		return dst
	}
	dst, inside := r.body(dst, v)
	if inside {
		return dst
	}
	digest := digestOf(dst[at:])
	if _, ok := r.known[digest]; !ok {
		r.add(digest, v)
		return dst
	}
	r.signs = true
	return append(append(append(dst[:at], `{`+sameMark+`:"`...), digest...), `"}`...)
}

func (r *Repeats) add(digest string, v value.Value) {
	if r.known == nil {
		r.known = map[string]value.Value{}
	}
	r.known[digest], r.added = v, true
}

func digestOf(text []byte) string {
	sum := sha256.Sum256(text)
	return digests + hex.EncodeToString(sum[:])
}

// body writes a value with signs for what is large inside it and known, and tells whether anything large is inside.
func (r *Repeats) body(dst []byte, v value.Value) (out []byte, inside bool) {
	switch v.Kind() {
	case value.KindArray:
		dst = append(dst, '[')
		for i, x := range v.Items() {
			if i > 0 {
				dst = append(dst, ',')
			}
			inside = inside || r.large(x)
			dst = r.put(dst, x)
		}
		return append(dst, ']'), inside
	case value.KindObject:
		escaped := v.Len() == 1 && !v.Get(sameKey).IsAbsent()
		dst = append(dst, '{')
		for i := range v.Len() {
			if i > 0 {
				dst = append(dst, ',')
			}
			key, x := v.MemberAt(i)
			inside = inside || r.large(x)
			dst = appendName(dst, key)
			if escaped {
				r.signs = true
				dst = append(r.put(append(dst, '['), x), ']')
			} else {
				dst = r.put(dst, x)
			}
		}
		return append(dst, '}'), inside
	}
	return v.AppendJSON(dst), false
}

// read gives a record as it is without signs, and remembers what is large in it. A sign may come before what it stands for: values have
// their members by name, whatever their order in the text.
func (r *Repeats) read(line []byte, v value.Value) (value.Value, error) {
	if flag(v, "anew") {
		r.known = nil
	}
	r.begin()
	if r.signs = flag(v, "same"); !r.signs && len(line) < r.least() {
		return v, nil
	}
	whole, _ := r.resolve(v)
	if r.missing != "" {
		r.missing = ""
		whole, _ = r.resolve(v)
	}
	if r.missing != "" {
		missing := r.missing
		r.missing = ""
		return v, fmt.Errorf("it refers to the value %q, which no record since the last snapshot holds", missing)
	}
	return whole, nil
}

// resolve puts values in the place of their signs, and tells whether anything in v, or v itself, is large.
func (r *Repeats) resolve(v value.Value) (whole value.Value, large bool) {
	inside, changed := false, false
	each := func(x value.Value) value.Value {
		y, large := r.resolve(x)
		inside, changed = inside || large, changed || y.Identity() != x.Identity()
		return y
	}
	switch v.Kind() {
	case value.KindArray:
		items := make([]value.Value, v.Len())
		for i, x := range v.Items() {
			items[i] = each(x)
		}
		if changed {
			v = value.Array(items...)
		}
	case value.KindObject:
		if sign := v.Get(sameKey); r.signs && v.Len() == 1 && !sign.IsAbsent() {
			if sign.Kind() != value.KindArray || sign.Len() != 1 {
				return r.sign(v, sign)
			}
			v = value.Object(value.Member{Key: sameKey, Value: each(sign.Index(0))})
			break
		}
		members := make([]value.Member, v.Len())
		for i := range members {
			key, x := v.MemberAt(i)
			members[i] = value.Member{Key: key, Value: each(x)}
		}
		if changed {
			v = value.Object(members...)
		}
	}
	if !inside && r.large(v) {
		r.note(v)
		return v, true
	}
	return v, inside
}

// note remembers a large value under the digest that it is written with.
func (r *Repeats) note(v value.Value) {
	signs := r.signs
	text, _ := r.body(nil, v)
	r.signs = signs
	if digest := digestOf(text); r.known[digest].IsAbsent() {
		r.add(digest, v)
	}
}

// sign gives what a sign stands for.
func (r *Repeats) sign(v, sign value.Value) (whole value.Value, large bool) {
	digest, _ := sign.AsString()
	if known, ok := r.known[digest]; ok {
		return known, true
	}
	if r.missing == "" {
		r.missing = sign.String()
		if digest != "" {
			r.missing = digest
		}
	}
	return v, true
}
