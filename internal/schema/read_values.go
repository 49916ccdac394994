package schema

import (
	"slices"
	"strconv"

	"lda.chat/wf/internal/value"
)

// get is a keyword's value, absent if the dialect does not have the keyword.
func (r *reader) get(keyword string) value.Value {
	if !r.dialect.knows(keyword) {
		return value.Value{}
	}
	return r.n.raw.Get(keyword)
}

func (r *reader) has(keyword string) bool { return !r.get(keyword).IsAbsent() }

// expect reports whether v is there and of the kind; what is there and of another kind is refused.
func (r *reader) expect(v value.Value, keyword string, kind value.Kind) bool {
	if v.IsAbsent() {
		return false
	}
	if v.Kind() != kind {
		r.refuse(r.place(keyword), CodeInvalid, "is %s; expected %s", found(v), withArticle(kind.String()))
		return false
	}
	return true
}

func (r *reader) text(keyword string) (string, bool) {
	v := r.get(keyword)
	if !r.expect(v, keyword, value.KindString) {
		return "", false
	}
	return v.AsString()
}

func (r *reader) flag(keyword string) bool {
	v := r.get(keyword)
	if !r.expect(v, keyword, value.KindBool) {
		return false
	}
	b, _ := v.AsBool()
	return b
}

func (r *reader) numeral(keyword string) (value.Value, bool) {
	v := r.get(keyword)
	return v, r.expect(v, keyword, value.KindNumber)
}

// count is a keyword whose value is a natural number, which may be written 2.0.
func (r *reader) count(keyword string, missing int) int {
	v, ok := r.numeral(keyword)
	if !ok {
		return missing
	}
	if c, _ := value.Compare(v, value.Int(0)); c < 0 || !isInteger(v) {
		r.refuse(r.place(keyword), CodeInvalid, "is %s; expected a whole number, 0 or more", excerpt(v))
		return missing
	}
	n, ok := v.AsInt()
	if !ok || n > int64(unbounded-1) {
		return unbounded - 1
	}
	return int(n)
}

func (r *reader) names(keyword string) []string {
	v := r.get(keyword)
	if v.IsAbsent() {
		return nil
	}
	return r.stringList(v, keyword)
}

// stringList is an array of strings, sorted and without repetitions.
func (r *reader) stringList(v value.Value, tokens ...string) []string {
	if v.Kind() != value.KindArray {
		r.refuse(r.place(tokens...), CodeInvalid, "is %s; expected an array of strings", found(v))
		return nil
	}
	list := make([]string, 0, v.Len())
	for i, e := range v.Items() {
		s, ok := e.AsString()
		if !ok {
			r.refuse(at(r.place(tokens...), i), CodeInvalid, "is %s; expected a string", found(e))
			return nil
		}
		list = append(list, s)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// sub is a keyword whose value is a schema; nil if there is none.
func (r *reader) sub(keyword string) *node {
	v := r.get(keyword)
	if v.IsAbsent() {
		return nil
	}
	return r.schema(v, r.place(keyword), r.n.home)
}

// list is a keyword whose value is a list of schemas, at least one.
func (r *reader) list(keyword string) []*node {
	v := r.get(keyword)
	if !r.expect(v, keyword, value.KindArray) {
		return nil
	}
	if v.Len() == 0 {
		r.refuse(r.place(keyword), CodeInvalid, "is empty; expected at least one schema")
	}
	list := make([]*node, 0, v.Len())
	for i, e := range v.Items() {
		if r.full {
			break
		}
		list = append(list, r.schema(e, r.place(keyword, strconv.Itoa(i)), r.n.home))
	}
	return list
}

type named struct {
	name   string
	schema *node
}

// table is a keyword whose value is an object of schemas, in key order.
func (r *reader) table(keyword string) []named {
	v := r.get(keyword)
	if !r.expect(v, keyword, value.KindObject) {
		return nil
	}
	list := make([]named, 0, v.Len())
	for name, e := range v.Members() {
		if r.full {
			break
		}
		list = append(list, named{name, r.schema(e, r.place(keyword, name), r.n.home)})
	}
	return list
}
