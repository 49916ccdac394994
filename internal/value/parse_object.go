package value

import (
	"fmt"
	"slices"
	"strings"
)

// field is a member on its way into an object.
type field struct {
	key   string
	value Value
	at    int // offset of the key
}

func (p *parser) object() (Value, bool) {
	if !p.enter() {
		return Value{}, false
	}
	base := len(p.fields)
	for p.peek() != '}' {
		f, ok := p.field()
		if !ok {
			return Value{}, false
		}
		p.fields = append(p.fields, f)
		p.space()
		switch p.peek() {
		case '}':
		case ',':
			if !p.comma('}') {
				return Value{}, false
			}
		default:
			return Value{}, p.expected("',' or '}' after the member")
		}
	}
	p.leave()
	v, ok := p.assemble(p.fields[base:])
	clear(p.fields[base:])
	p.fields = p.fields[:base]
	return v, ok
}

// field reads a key, a colon and a value.
func (p *parser) field() (f field, ok bool) {
	f.at = p.at
	if p.peek() != '"' {
		return f, p.expected("a key in double quotes")
	}
	if f.key, ok = p.key(); !ok {
		return f, false
	}
	p.space()
	if p.peek() != ':' {
		p.expected(fmt.Sprintf("':' after the key %q", f.key))
		return f, p.under(Part{Key: f.key})
	}
	p.at++
	p.space()
	if f.value, ok = p.value(); !ok {
		return f, p.under(Part{Key: f.key})
	}
	return f, true
}

// assemble makes an object of fields in the order in which they were written.
func (p *parser) assemble(fields []field) (Value, bool) {
	if len(fields) == 0 {
		return emptyObject, true
	}
	slot := p.known.slot(fields)
	var l *layout
	if slot != nil && *slot != nil && (*slot).fits(fields) {
		l = *slot
	} else {
		var ok bool
		if l, ok = p.layout(fields); !ok {
			return Value{}, false
		}
		if slot != nil {
			*slot = l
		}
	}
	v, values := newBlock(l.shape)
	for i, place := range l.places {
		values[place] = fields[i].value
	}
	return v, true
}

// layout sorts the keys and refuses one that comes twice.
func (p *parser) layout(fields []field) (*layout, bool) {
	order := make([]int, len(fields)) // the fields in ascending order of their keys
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return strings.Compare(fields[i].key, fields[j].key) })
	l := &layout{
		written: make([]string, len(fields)),
		shape:   &Shape{keys: make([]string, len(fields))},
		places:  make([]int, len(fields)),
	}
	for place, i := range order {
		key := fields[i].key
		if place > 0 && key == l.shape.keys[place-1] {
			p.duplicate(fields[order[place-1]], fields[i])
			return nil, false
		}
		l.written[i], l.shape.keys[place], l.places[i] = key, key, place
	}
	return l, true
}

func (p *parser) duplicate(first, second field) {
	line, _ := position(p.text, first.at)
	p.fail(SyntaxDuplicateKey, second.at, "found the key %q a second time (the first is on line %d), expected each key once", second.key, line)
	p.under(Part{Key: second.key})
}
