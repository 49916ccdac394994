package jsonpatch

import (
	"fmt"
	"math"
	"strings"

	"lda.chat/wf/internal/value"
)

// Pointer is a JSON Pointer (RFC 6901) as its tokens, unescaped. The empty one is the whole document.
type Pointer []string

// ParsePointer reads a pointer: "" or tokens that each begin with "/", in which "~" stands only in "~0" and "~1".
func ParsePointer(s string) (Pointer, error) {
	p, found, expected := readPointer(s)
	if found != "" {
		return nil, fmt.Errorf("found %s, expected %s", found, expected)
	}
	return p, nil
}

// readPointer reads a pointer, or says what was found in it instead of what was expected.
func readPointer(s string) (p Pointer, found, expected string) {
	if s == "" {
		return nil, "", ""
	}
	if s[0] != '/' {
		return nil, quote(s), `"" or a text that begins with "/"`
	}
	p = strings.Split(s[1:], "/")
	for i, token := range p {
		plain, ok := unescaped(token)
		if !ok {
			return nil, "the token " + quote(token), `"~" only in "~0" and "~1"`
		}
		p[i] = plain
	}
	return p, "", ""
}

func unescaped(token string) (plain string, ok bool) {
	if !strings.Contains(token, "~") {
		return token, true
	}
	for i := range len(token) {
		if token[i] == '~' && (i+1 == len(token) || token[i+1] != '0' && token[i+1] != '1') {
			return "", false
		}
	}
	return unescapes.Replace(token), true
}

var (
	escapes   = strings.NewReplacer("~", "~0", "/", "~1")
	unescapes = strings.NewReplacer("~0", "~", "~1", "/")
)

// String writes the pointer as [ParsePointer] reads it.
func (p Pointer) String() string {
	var b strings.Builder
	for _, token := range p {
		b.WriteByte('/')
		escapes.WriteString(&b, token)
	}
	return b.String()
}

// Find gives what stands at the pointer; absent if nothing does. "-" names no element.
func (p Pointer) Find(v value.Value) value.Value {
	for _, token := range p {
		v = member(v, token)
	}
	return v
}

// member gives what a token names in a value; absent if there is nothing.
func member(v value.Value, token string) value.Value {
	switch v.Kind() {
	case value.KindObject:
		return v.Get(token)
	case value.KindArray:
		if i, ok := position(token); ok {
			return v.Index(i)
		}
	}
	return value.Value{}
}

// isInside reports whether p leads into what stands at outer.
func (p Pointer) isInside(outer Pointer) bool {
	return len(p) > len(outer) && p[:len(outer)].equal(outer)
}

// hasNeighbour reports whether q is a place in the same array or object as p, which is not the top.
func (p Pointer) hasNeighbour(q Pointer) bool {
	last := len(p) - 1
	return len(p) == len(q) && q[:last].equal(p[:last])
}

func (p Pointer) equal(q Pointer) bool {
	if len(p) != len(q) {
		return false
	}
	for i := range p {
		if p[i] != q[i] {
			return false
		}
	}
	return true
}

// position reads a token as an array position: 0, or digits that do not begin with 0. One that no array has is the
// greatest int.
func position(token string) (i int, ok bool) {
	if token == "" || len(token) > 1 && token[0] == '0' {
		return 0, false
	}
	for _, c := range []byte(token) {
		if c < '0' || c > '9' {
			return 0, false
		}
		if i > (math.MaxInt-9)/10 {
			i = math.MaxInt
			continue
		}
		i = 10*i + int(c-'0')
	}
	return i, true
}
