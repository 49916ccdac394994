package value

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Parse reads one JSON value, strictly as RFC 8259 has it and within [DefaultLimits]. It also refuses what readers of JSON
// disagree about: duplicate keys, bytes that are not UTF-8, half surrogate pairs, a byte order mark. The error is a
// *[SyntaxError]. The value keeps no reference to data.
func Parse(data []byte) (Value, error) { return ParseLimits(data, nil) }

// ParseLimits is [Parse] with limits of one's own.
func ParseLimits(data []byte, l *Limits) (Value, error) {
	return parseText(viewString(data), 0, l.filled())
}

// parseText reads one value from the offset on. It copies what the value keeps of the text.
func parseText(text string, offset int, limits Limits) (Value, error) {
	p := parsers.Get().(*parser)
	p.text, p.at, p.limits = text, offset, limits
	v, ok := p.document()
	err := p.err
	p.release()
	if !ok {
		return Value{}, err.finished(text)
	}
	return v, nil
}

// parser is a recursive descent over a text. Its methods report a mistake by false and leave it in err.
type parser struct {
	text   string
	at     int
	depth  int
	limits Limits
	err    *mistake

	fields  []field // of the objects that are open
	items   []Value // of the arrays that are open
	scratch []byte  // for strings with escapes
	known   *dictionary
}

var parsers = sync.Pool{New: func() any { return &parser{known: new(dictionary)} }}

// scratchKept is how much room for each purpose a parser may keep for the next text.
const scratchKept = 1024

func (p *parser) release() {
	clear(p.fields) // what a mistake left; the rest is cleared where it is taken
	clear(p.items)
	if cap(p.fields) > scratchKept {
		p.fields = nil
	}
	if cap(p.items) > scratchKept {
		p.items = nil
	}
	if cap(p.scratch) > scratchKept {
		p.scratch = nil
	}
	p.text, p.err, p.depth = "", nil, 0
	p.fields, p.items = p.fields[:0], p.items[:0]
	parsers.Put(p)
}

// mistake is a SyntaxError in the making: its path is filled in from the inside outward as the parser returns.
type mistake struct {
	SyntaxError
	inward []Part
}

func (m *mistake) finished(text string) *SyntaxError {
	path := make(Path, 0, len(m.inward))
	for i := len(m.inward) - 1; i >= 0; i-- {
		path = append(path, m.inward[i])
	}
	m.Pointer = path.Pointer()
	m.Line, m.Column = position(text, m.Offset)
	return &m.SyntaxError
}

func (p *parser) fail(kind string, offset int, format string, args ...any) bool {
	p.err = &mistake{SyntaxError: SyntaxError{Kind: kind, Offset: offset, Msg: fmt.Sprintf(format, args...)}}
	return false
}

// expected refuses what stands at the parser's place.
func (p *parser) expected(what string) bool {
	return p.fail(SyntaxGeneral, p.at, "found %s, expected %s", describe(p.text, p.at), what)
}

// under adds where the mistake is, seen from one level further out.
func (p *parser) under(part Part) bool {
	p.err.inward = append(p.err.inward, part)
	return false
}

// peek is the byte at the parser's place, 0 at the end.
func (p *parser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *parser) space() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\n', '\r', '\t':
			p.at++
		default:
			return
		}
	}
}

func (p *parser) document() (Value, bool) {
	if len(p.text) > p.limits.Bytes {
		return Value{}, p.fail(SyntaxTooLarge, p.limits.Bytes, "found a text of %d bytes, expected at most %d", len(p.text), p.limits.Bytes)
	}
	p.space()
	v, ok := p.value()
	if !ok {
		return Value{}, false
	}
	p.space()
	if p.at < len(p.text) {
		return Value{}, p.fail(SyntaxTrailingData, p.at, "found %s after the value, expected the end of the text", describe(p.text, p.at))
	}
	return v, true
}

func (p *parser) value() (Value, bool) {
	switch c := p.peek(); {
	case c == '"':
		s, ok := p.string()
		return stringValue(s), ok
	case c == '{':
		return p.object()
	case c == '[':
		return p.array()
	case c == '-' || c-'0' <= 9:
		return p.number()
	case c == 't' && p.word("true"):
		return True, true
	case c == 'f' && p.word("false"):
		return False, true
	case c == 'n' && p.word("null"):
		return Null, true
	}
	return Value{}, p.expected("a value")
}

// word steps over a literal word, if it is there and nothing follows that would make it another word.
func (p *parser) word(w string) bool {
	end := p.at + len(w)
	if !strings.HasPrefix(p.text[p.at:], w) || end < len(p.text) && isWord(rune(p.text[end])) {
		return false
	}
	p.at = end
	return true
}

func (p *parser) number() (Value, bool) {
	end, expected := scanNumber(p.text, p.at)
	if expected != "" {
		p.at = end
		return Value{}, p.expected(expected)
	}
	v, err := readNumber(p.text[p.at:end], &p.limits)
	if err != nil {
		return Value{}, p.fail(SyntaxNumberOutside, p.at, "%v", err)
	}
	if lit := v.literal(); lit != "" {
		v = literalValue(strings.Clone(lit))
	}
	p.at = end
	return v, true
}

// enter goes into an array or object.
func (p *parser) enter() bool {
	if p.depth >= p.limits.Depth {
		return p.fail(SyntaxTooDeep, p.at, "found more than %d arrays and objects inside one another", p.limits.Depth)
	}
	p.depth++
	p.at++
	p.space()
	return true
}

// leave steps over the closing bracket.
func (p *parser) leave() {
	p.depth--
	p.at++
}

// comma steps over the comma between two elements or members.
func (p *parser) comma(closing byte) bool {
	comma := p.at
	p.at++
	p.space()
	switch p.peek() {
	case closing:
		return p.fail(SyntaxGeneral, comma, "found a trailing comma, expected no comma before '%c'", closing)
	case ',':
		return p.fail(SyntaxGeneral, p.at, "found a second comma, expected one")
	}
	return true
}

func (p *parser) array() (Value, bool) {
	if !p.enter() {
		return Value{}, false
	}
	base := len(p.items)
	for p.peek() != ']' {
		item, ok := p.value()
		if !ok {
			return Value{}, p.under(Part{Index: len(p.items) - base, IsIndex: true})
		}
		p.items = append(p.items, item)
		p.space()
		switch p.peek() {
		case ']':
		case ',':
			if !p.comma(']') {
				return Value{}, false
			}
		default:
			return Value{}, p.expected("',' or ']' after the element")
		}
	}
	p.leave()
	items := slices.Clone(p.items[base:])
	clear(p.items[base:])
	p.items = p.items[:base]
	return Array(items...), true
}
