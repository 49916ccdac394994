package codec

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// A field is a member of a struct's JSON form, by the rules of encoding/json: tags, embedded structs, and which of
// several fields with one name is the dominant one.
type field struct {
	name      string
	tagged    bool
	index     []int
	typ       reflect.Type
	omitEmpty bool
	omitZero  bool
	quoted    bool // the "string" option, where it applies
}

// fieldsOf returns the fields of a struct type, sorted by name.
func fieldsOf(t reflect.Type) []field {
	var found []field
	level := []field{{typ: t}}
	visited := map[reflect.Type]bool{}
	count := map[reflect.Type]int{}
	for len(level) > 0 {
		var next []field
		nextCount := map[reflect.Type]int{}
		for _, outer := range level {
			if visited[outer.typ] {
				continue
			}
			visited[outer.typ] = true
			for i := range outer.typ.NumField() {
				f, embedded, ok := memberField(outer, i)
				switch {
				case !ok:
				case embedded != nil:
					if nextCount[embedded]++; nextCount[embedded] == 1 {
						next = append(next, field{index: f.index, typ: embedded})
					}
				default:
					found = append(found, f)
					if count[outer.typ] > 1 { // twice on this level: it hides itself
						found = append(found, f)
					}
				}
			}
		}
		level, count = next, nextCount
	}
	return dominant(found)
}

// memberField reads field i of a struct. embedded is the struct type to look into instead, if the field has no name of
// its own; ok is false for a field without a JSON form.
func memberField(outer field, i int) (f field, embedded reflect.Type, ok bool) {
	sf := outer.typ.Field(i)
	plain := sf.Type // behind one unnamed pointer
	if plain.Name() == "" && plain.Kind() == reflect.Pointer {
		plain = plain.Elem()
	}
	if !sf.IsExported() && (!sf.Anonymous || plain.Kind() != reflect.Struct) {
		return f, nil, false
	}
	tag := sf.Tag.Get("json")
	if tag == "-" {
		return f, nil, false
	}
	name, options, _ := strings.Cut(tag, ",")
	if !validName(name) {
		name = ""
	}
	f = field{name: name, tagged: name != "", typ: sf.Type, index: append(slices.Clone(outer.index), i)}
	if name == "" && sf.Anonymous && plain.Kind() == reflect.Struct {
		return f, plain, true
	}
	if name == "" {
		f.name = sf.Name
	}
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "omitempty":
			f.omitEmpty = true
		case "omitzero":
			f.omitZero = true
		case "string":
			f.quoted = plain.Kind() == reflect.String || numberEncoder(plain.Kind()) != nil || plain.Kind() == reflect.Bool
		}
	}
	return f, nil, true
}

// validName reports whether a tag's name is usable, as encoding/json decides it.
func validName(s string) bool {
	for _, r := range s {
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return s != ""
}

// dominant sorts fields by name and keeps, of each name, the least nested and then the tagged one; none if that leaves
// two.
func dominant(fields []field) []field {
	rank := func(f field) int {
		if f.tagged {
			return 2 * len(f.index)
		}
		return 2*len(f.index) + 1
	}
	slices.SortStableFunc(fields, func(a, b field) int {
		return cmp.Or(strings.Compare(a.name, b.name), cmp.Compare(rank(a), rank(b)))
	})
	var out []field
	for len(fields) > 0 {
		same := slices.IndexFunc(fields, func(f field) bool { return f.name != fields[0].name })
		if same < 0 {
			same = len(fields)
		}
		if same == 1 || rank(fields[0]) != rank(fields[1]) {
			out = append(out, fields[0])
		}
		fields = fields[same:]
	}
	return out
}
