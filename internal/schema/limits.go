package schema

import "lda.chat/wf/internal/value"

// Limits bound what the gate lets in. A field that is zero has its default.
type Limits struct {
	Bytes      int // of the document's text
	Depth      int // of nested arrays and objects in the document
	Nodes      int // schema positions
	Defs       int // members of all $defs and definitions together
	PatternLen int // bytes of one regular expression
	NumberLen  int // characters of one number literal
	Expansion  int // schemas that apply to one and the same value, references followed
}

// maxPlaces bounds the bytes of all JSON Pointers made while a document is read, in bytes per byte of the largest document.
const maxPlaces = 32

// DefaultLimits admit every schema of the public tool servers we know, with room to spare.
var DefaultLimits = Limits{
	Bytes:      512 << 10,
	Depth:      128,
	Nodes:      20_000,
	Defs:       1_000,
	PatternLen: 1_000,
	NumberLen:  64,
	Expansion:  10_000,
}

// Options adjust the gate; nil stands for the defaults.
type Options struct {
	Limits Limits
}

func (o *Options) limits() Limits {
	l := DefaultLimits
	if o == nil {
		return l
	}
	for _, f := range []struct {
		to   *int
		from int
	}{
		{&l.Bytes, o.Limits.Bytes}, {&l.Depth, o.Limits.Depth}, {&l.Nodes, o.Limits.Nodes}, {&l.Defs, o.Limits.Defs},
		{&l.PatternLen, o.Limits.PatternLen}, {&l.NumberLen, o.Limits.NumberLen}, {&l.Expansion, o.Limits.Expansion},
	} {
		if f.from > 0 {
			*f.to = f.from
		}
	}
	return l
}

func (l Limits) text() *value.Limits {
	t := value.DefaultLimits
	t.Bytes, t.Depth = l.Bytes, l.Depth
	return &t
}
