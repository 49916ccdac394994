package jsonpatch

import (
	"strconv"
	"strings"

	"lda.chat/wf/internal/value"
)

// ApplyText applies a patch to a JSON text as [Apply] applies it to the text's value, and leaves the text as it was
// written wherever the patch does not reach: the order of members, white space, digits, a byte order mark. What moves or
// is copied keeps its text. write gives the text of the values that the patch brings; nil means compact. Members and
// elements that are new stand on lines of their own if their neighbours do.
//
// On failure the error is a *[Error], or a *[value.SyntaxError] if the text is no JSON.
func ApplyText(text []byte, patch Patch, limits *Limits, write func(value.Value) []byte) ([]byte, error) {
	doc, err := value.ParseDocument(text)
	if err != nil {
		return nil, err
	}
	a, err := newApplier(patch, limits)
	if err != nil {
		return nil, err
	}
	if write == nil {
		write = value.Value.JSON
	}
	e := &editor{text: string(text), write: write}
	root, exchanged := doc.Root, false
	for i := range patch.operations {
		o := &patch.operations[i]
		if root, err = a.apply(root, i, o); err != nil {
			return nil, err
		}
		if err := a.spend(len(e.text)); err != nil {
			return nil, err
		}
		switch {
		case exchanged: // with the operation before
			exchanged = false
		case i+1 < patch.Len() && e.exchange(o, &patch.operations[i+1]):
			exchanged = true
		default:
			e.operation(o)
		}
		if n := len(e.text); n > a.limits.Bytes && n > len(text) {
			return nil, a.fail(TooLarge, nil, strconv.Itoa(n)+" bytes", "at most "+strconv.Itoa(a.limits.Bytes))
		}
	}
	return []byte(e.text), nil
}

// editor changes a text that is known to be JSON by operations that are known to be possible.
type editor struct {
	text  string
	write func(value.Value) []byte
}

func (e *editor) operation(o *operation) {
	switch o.op {
	case "add":
		e.add(o.path, string(e.write(o.value)))
	case "remove":
		e.remove(o.path)
	case "replace":
		s := e.find(o.path)
		e.splice(s.value, s.end, string(e.write(o.value)))
	case "copy":
		s := e.find(o.from)
		e.add(o.path, e.text[s.value:s.end])
	case "move":
		e.move(o.from, o.path)
	}
}

func (e *editor) splice(start, end int, text string) {
	e.text = e.text[:start] + text + e.text[end:]
}

// exchange does two operations at once, if the first removes a member and the second adds another one to the same object:
// the new member stands where the old one stood.
func (e *editor) exchange(first, second *operation) bool {
	if first.op != "remove" || second.op != "add" || len(first.path) == 0 || !first.path.hasNeighbour(second.path) {
		return false
	}
	s := e.find(first.path)
	key := second.path[len(second.path)-1]
	if e.text[s.holder] != '{' || e.find(second.path).found && key != first.path[len(first.path)-1] {
		return false
	}
	e.splice(s.value, s.end, string(e.write(second.value)))
	e.splice(s.start, s.keyEnd, string(value.String(key).JSON()))
	return true
}

// move renames a member where it stands if it stays in its object, and nothing there has the new name.
func (e *editor) move(from, to Pointer) {
	if from.equal(to) {
		return
	}
	s := e.find(from)
	if from.hasNeighbour(to) && e.text[s.holder] == '{' && !e.find(to).found {
		e.splice(s.start, s.keyEnd, string(value.String(to[len(to)-1]).JSON()))
		return
	}
	moved := e.text[s.value:s.end]
	e.remove(from)
	e.add(to, moved)
}

func (e *editor) remove(p Pointer) {
	s := e.find(p)
	switch {
	case s.next >= 0:
		e.splice(s.start, s.next, "")
	case !s.isFirst:
		e.splice(s.prevEnd, s.end, "")
	default:
		e.splice(s.holder+1, s.closing(e.text), "")
	}
}

func (e *editor) add(p Pointer, text string) {
	s := e.find(p)
	if len(p) == 0 || s.found && e.text[s.holder] == '{' {
		e.splice(s.value, s.end, text)
		return
	}
	if e.text[s.holder] == '{' {
		text = string(value.String(p[len(p)-1]).JSON()) + ":" + e.afterColon(s) + text
	}
	switch {
	case s.found:
		e.splice(s.start, s.start, text+","+e.afterComma(s))
	case s.isFirst: // nothing else is there
		e.splice(s.holder+1, s.start, e.alone(s, text))
	default:
		e.splice(s.prevEnd, s.prevEnd, ","+e.afterComma(s)+text)
	}
}

// alone is the text of the first member or element, on a line of its own if what is empty stands on two.
func (e *editor) alone(s span, text string) string {
	space := e.text[s.holder+1 : s.start]
	i := strings.LastIndexByte(space, '\n')
	if i < 0 {
		return text
	}
	if i > 0 && space[i-1] == '\r' {
		i--
	}
	return space + "  " + text + space[i:]
}
