package edit

import (
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"lda.chat/wf/internal/codec"
	"lda.chat/wf/internal/suggest"
	"lda.chat/wf/internal/value"
)

// Parse reads edits: a JSON object whose member "op" names the operation, or a list of such objects. It is strict: an unknown
// operation or member, or a wrong type, is an [*Error] with its place in the text.
func Parse(text []byte) ([]Edit, error) {
	v, err := value.Parse(text)
	if err != nil {
		return nil, &Error{Found: "a text that is no JSON", Expected: "an edit, or a list of edits", Hint: err.Error()}
	}
	if v.Kind() != value.KindArray {
		e, err := decode(v)
		if err != nil {
			return nil, err
		}
		return []Edit{e}, nil
	}
	edits := make([]Edit, 0, v.Len())
	for i, item := range v.Items() {
		e, err := decode(item)
		if err != nil {
			err.Edit, err.Path = i, "/"+strconv.Itoa(i)+err.Path
			return nil, err
		}
		edits = append(edits, e)
	}
	return edits, nil
}

func decode(v value.Value) (Edit, *Error) {
	if v.Kind() != value.KindObject {
		return nil, &Error{Found: describe(v), Expected: `an edit, which is an object, for example {"op": "set-name", "name": "report"}`}
	}
	name, isText := v.Get("op").AsString()
	var names []string
	for _, o := range operations {
		if o.Name == name {
			return o.decode(v)
		}
		names = append(names, o.Name)
	}
	e := &Error{Path: "/op", Found: "the operation " + describe(v.Get("op")), Expected: "one of " + list(names)}
	if isText {
		e.Near, _ = suggest.Nearest(name, names)
	}
	return nil, e
}

func (o Operation) decode(v value.Value) (Edit, *Error) {
	known := append([]string{"op"}, memberNames(o.kind)...)
	for key := range v.Members() {
		if !slices.Contains(known, key) {
			e := unknown("member", key, known)
			e.Op, e.Path = o.Name, place{key}.String()
			return nil, e
		}
	}
	for _, name := range requiredNames(o.kind) {
		if v.Get(name).IsAbsent() {
			return nil, &Error{Op: o.Name, Path: place{name}.String(), Found: "nothing", Expected: "the member " + quote(name)}
		}
	}
	e := o.New()
	c, err := codec.For(o.kind)
	if err == nil {
		err = c.Decode(v.With("op", value.Value{}), reflect.ValueOf(e))
	}
	if err != nil {
		bad := &Error{Op: o.Name, Found: err.Error()}
		if at := (*codec.Error)(nil); errors.As(err, &at) {
			bad.Path, bad.Found = at.Path.Pointer(), at.Msg
		}
		return nil, bad
	}
	return e, nil
}

// memberNames are the names of a struct's members in JSON.
func memberNames(t reflect.Type) (names []string) {
	for i := range t.NumField() {
		f := t.Field(i)
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
			names = append(names, name)
		} else if f.Anonymous {
			names = append(names, memberNames(f.Type)...)
		}
	}
	return names
}

// requiredNames are the members that an edit always has: those that are written even if they are empty.
func requiredNames(t reflect.Type) (names []string) {
	for i := range t.NumField() {
		if tag := t.Field(i).Tag.Get("json"); tag != "" && !strings.Contains(tag, ",") {
			names = append(names, tag)
		}
	}
	return names
}

// Marshal writes edits as [Parse] reads them, as a list.
func Marshal(edits []Edit) ([]byte, error) {
	list := make([]value.Value, 0, len(edits))
	for i, e := range edits {
		name := opOf(e)
		if name == "" {
			return nil, &Error{Edit: i, Found: "an edit that is nil", Expected: "one of the operations"}
		}
		c, err := codec.For(reflect.TypeOf(e).Elem())
		if err != nil {
			return nil, err
		}
		v, err := c.Encode(reflect.ValueOf(e))
		if err != nil {
			return nil, err
		}
		list = append(list, v.With("op", value.String(name)))
	}
	return inReadingOrder(value.Array(list...)), nil
}
