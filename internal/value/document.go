package value

import (
	"strconv"
	"strings"
)

// Document is a JSON text that a person wrote, with its value and the places of everything in it.
type Document struct {
	Root Value
	text string
}

// ParseDocument reads a text as [Parse] does, and also accepts a byte order mark at its start. Offsets count from the start
// of data.
func ParseDocument(data []byte) (*Document, error) {
	text := string(data)
	root, err := parseText(text, startOf(text), DefaultLimits)
	if err != nil {
		return nil, err
	}
	return &Document{Root: root, text: text}, nil
}

// startOf is where the text begins after a byte order mark.
func startOf(text string) int {
	if strings.HasPrefix(text, byteOrderMark) {
		return len(byteOrderMark)
	}
	return 0
}

// Position gives the line and the column, in code points, both from 1, of the value that a JSON Pointer (RFC 6901) names; ok
// is false if there is none. It reads the text from the start, so it costs what the text before the value is long.
func (d *Document) Position(pointer string) (line, column int, ok bool) {
	c, ok := d.find(pointer)
	if !ok {
		return 0, 0, false
	}
	line, column = position(d.text, c.at)
	return line, column, true
}

// Keys gives the names of an object's members in the order of the text, which its [Value] does not keep; nil if the JSON Pointer
// names no object, or an empty one. It costs what [Document.Position] does.
func (d *Document) Keys(pointer string) []string {
	c, ok := d.find(pointer)
	if !ok || c.text[c.at] != '{' {
		return nil
	}
	var keys []string
	for c.open(); c.text[c.at] != '}'; c.separator() {
		keys = append(keys, c.key())
		c.skip()
	}
	return keys
}

// find goes to the value that a pointer names.
func (d *Document) find(pointer string) (c cursor, ok bool) {
	if pointer != "" && pointer[0] != '/' {
		return c, false
	}
	c = cursor{text: d.text, at: startOf(d.text)}
	c.space()
	for pointer != "" {
		var token string
		token, pointer, ok = strings.Cut(pointer[1:], "/")
		if ok {
			pointer = "/" + pointer
		}
		if !c.into(unescapePointer.Replace(token)) {
			return c, false
		}
	}
	return c, true
}

// cursor moves through a text that is known to be JSON.
type cursor struct {
	text string
	at   int // start of a value
}

// into moves from an array or object to the element or member that the token of a pointer names.
func (c *cursor) into(token string) bool {
	switch c.text[c.at] {
	case '[':
		i, err := strconv.Atoi(token)
		if err != nil || i < 0 || strconv.Itoa(i) != token {
			return false
		}
		return c.toElement(i)
	case '{':
		return c.toMember(token)
	}
	return false
}

func (c *cursor) toElement(i int) bool {
	for c.open(); c.text[c.at] != ']'; c.separator() {
		if i == 0 {
			return true
		}
		i--
		c.skip()
	}
	return false
}

func (c *cursor) toMember(key string) bool {
	for c.open(); c.text[c.at] != '}'; c.separator() {
		if c.key() == key {
			return true
		}
		c.skip()
	}
	return false
}

// key reads a member's name and moves on to its value.
func (c *cursor) key() string {
	p := parser{text: c.text, at: c.at}
	name, _, _ := p.stringView()
	c.at = p.at
	c.space()
	c.at++ // the colon
	c.space()
	return name
}

// open moves from a bracket to what follows it.
func (c *cursor) open() {
	c.at++
	c.space()
}

// separator moves from the end of an element or member to the next one or the closing bracket.
func (c *cursor) separator() {
	c.space()
	if c.text[c.at] == ',' {
		c.at++
		c.space()
	}
}

func (c *cursor) space() {
	c.at += len(c.text[c.at:]) - len(strings.TrimLeft(c.text[c.at:], " \n\r\t"))
}

// skip moves to the end of a value.
func (c *cursor) skip() {
	for depth := 0; c.at < len(c.text); {
		switch c.text[c.at] {
		case '"':
			c.skipString()
		case '[', '{':
			depth++
			c.at++
		case ']', '}':
			depth--
			c.at++
		case ',', ':', ' ', '\n', '\r', '\t':
			c.at++
		default:
			if n := strings.IndexAny(c.text[c.at:], ",]} \n\r\t"); n >= 0 {
				c.at += n
			} else {
				c.at = len(c.text)
			}
		}
		if depth == 0 {
			return
		}
	}
}

func (c *cursor) skipString() {
	for c.at++; c.text[c.at] != '"'; c.at++ {
		if c.text[c.at] == '\\' {
			c.at++
		}
	}
	c.at++
}
