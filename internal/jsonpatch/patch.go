package jsonpatch

import (
	"fmt"
	"slices"
	"strconv"

	"lda.chat/wf/internal/value"
)

// Patch is a list of operations that [Parse] has read. The zero Patch has none. It never changes.
type Patch struct{ operations []operation }

// Len is the number of operations.
func (p Patch) Len() int { return len(p.operations) }

// operation is one step of a patch.
type operation struct {
	op    string
	path  Pointer
	from  Pointer     // of move and copy
	value value.Value // of add, replace and test
}

// Parse reads a patch: an array of operations. Members that the standard does not define are ignored, as it asks. All
// mistakes are found at once; the error is then a [Mistakes].
func Parse(v value.Value) (Patch, error) {
	var p parser
	if v.Kind() != value.KindArray {
		p.mistake(nil, describe(v), "an array of operations")
		return Patch{}, p.mistakes
	}
	operations := make([]operation, 0, v.Len())
	for i, item := range v.Items() {
		operations = append(operations, p.operation(item, strconv.Itoa(i)))
	}
	if p.mistakes != nil {
		return Patch{}, p.mistakes
	}
	return Patch{operations}, nil
}

// ParseText is [Parse] for the patch's text, which is read strictly; an error may also be a *[value.SyntaxError].
func ParseText(text []byte) (Patch, error) {
	v, err := value.Parse(text)
	if err != nil {
		return Patch{}, err
	}
	return Parse(v)
}

// names are the operations that there are.
var names = []string{"add", "remove", "replace", "move", "copy", "test"}

type parser struct{ mistakes Mistakes }

func (p *parser) mistake(at Pointer, found, expected string) {
	p.mistakes = append(p.mistakes, Mistake{at.String(), found, expected})
}

func (p *parser) operation(v value.Value, at string) operation {
	var o operation
	if v.Kind() != value.KindObject {
		p.mistake(Pointer{at}, describe(v), "an operation, which is an object")
		return o
	}
	op, _ := v.Get("op").AsString()
	if !slices.Contains(names, op) {
		p.mistake(Pointer{at, "op"}, describe(v.Get("op")), `"add", "remove", "replace", "move", "copy" or "test"`)
		return o
	}
	before := len(p.mistakes)
	o.op, o.path = op, p.pointer(v, at, "path")
	switch op {
	case "add", "replace", "test":
		if o.value = v.Get("value"); o.value.IsAbsent() {
			p.mistake(Pointer{at, "value"}, "nothing", "a value; null is one, a missing member is none")
		}
	case "move", "copy":
		o.from = p.pointer(v, at, "from")
	}
	if op == "move" && len(p.mistakes) == before && o.path.isInside(o.from) {
		p.mistake(Pointer{at, "path"}, quote(o.path.String()), fmt.Sprintf("a place that is not inside %s, which moves", placeText(o.from)))
	}
	return o
}

func (p *parser) pointer(v value.Value, at, key string) Pointer {
	s, ok := v.Get(key).AsString()
	if !ok {
		p.mistake(Pointer{at, key}, describe(v.Get(key)), "a JSON Pointer, which is a string")
		return nil
	}
	pointer, found, expected := readPointer(s)
	if found != "" {
		p.mistake(Pointer{at, key}, found, expected)
	}
	return pointer
}
