package schema

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// field is a member of the JSON object that encoding/json writes for a struct.
type field struct {
	name      string
	tagged    bool // the name is from the tag
	index     []int
	of        reflect.StructField
	omitEmpty bool
	omitZero  bool
	quoted    bool // the option "string"
	optional  bool // it is in a struct embedded by a pointer, which may be nil
}

// fieldsOf follows encoding/json's rules: fields of embedded structs are promoted, a shallower one hides deeper ones, at one
// depth a tagged one hides the others, and what is then still ambiguous is left out.
func fieldsOf(t reflect.Type) []field {
	type level struct {
		t        reflect.Type
		index    []int
		optional bool
	}
	var found []field
	visited := map[reflect.Type]bool{}
	next := []level{{t: t}}
	var count, nextCount map[reflect.Type]int
	for len(next) > 0 {
		current := next
		next = nil
		count, nextCount = nextCount, map[reflect.Type]int{}
		for _, l := range current {
			if visited[l.t] {
				continue
			}
			visited[l.t] = true
			for i := range l.t.NumField() {
				of := l.t.Field(i)
				inner, byPointer := of.Type, false
				if inner.Kind() == reflect.Pointer && inner.Name() == "" {
					inner, byPointer = inner.Elem(), true
				}
				if !of.IsExported() && !(of.Anonymous && inner.Kind() == reflect.Struct) {
					continue
				}
				tag := of.Tag.Get("json")
				if tag == "-" {
					continue
				}
				name, options, _ := strings.Cut(tag, ",")
				if !validName(name) {
					name = ""
				}
				index := append(slices.Clone(l.index), i)
				if name == "" && of.Anonymous && inner.Kind() == reflect.Struct {
					if nextCount[inner]++; nextCount[inner] == 1 {
						next = append(next, level{inner, index, l.optional || byPointer})
					}
					continue
				}
				f := field{name: name, tagged: name != "", index: index, of: of, optional: l.optional}
				if name == "" {
					f.name = of.Name
				}
				for option := range strings.SplitSeq(options, ",") {
					f.omitEmpty = f.omitEmpty || option == "omitempty"
					f.omitZero = f.omitZero || option == "omitzero"
					f.quoted = f.quoted || option == "string" && quotable(inner.Kind())
				}
				found = append(found, f)
				if count[l.t] > 1 {
					found = append(found, f) // met twice at one depth: it hides itself
				}
			}
		}
	}
	return dominant(found)
}

// dominant keeps, of the fields of one name, the one that hides the others, in the order of the struct.
func dominant(found []field) []field {
	slices.SortStableFunc(found, func(a, b field) int {
		tagged := 0
		if a.tagged != b.tagged {
			tagged = 1
			if a.tagged {
				tagged = -1
			}
		}
		return cmp.Or(strings.Compare(a.name, b.name), cmp.Compare(len(a.index), len(b.index)), tagged, slices.Compare(a.index, b.index))
	})
	var kept []field
	for i := 0; i < len(found); {
		end := i + 1
		for end < len(found) && found[end].name == found[i].name {
			end++
		}
		if end == i+1 || len(found[i].index) != len(found[i+1].index) || found[i].tagged != found[i+1].tagged {
			kept = append(kept, found[i])
		}
		i = end
	}
	slices.SortFunc(kept, func(a, b field) int { return slices.Compare(a.index, b.index) })
	return kept
}

func quotable(k reflect.Kind) bool {
	return k == reflect.Bool || k == reflect.String || k >= reflect.Int && k <= reflect.Float64
}

// validName: encoding/json ignores other names.
func validName(s string) bool {
	for _, c := range s {
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", c) && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return false
		}
	}
	return s != ""
}
