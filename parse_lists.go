package wf

import (
	"fmt"

	"lda.chat/wf/internal/value"
)

// listItem is an element of a list, and where it stands.
type listItem struct {
	v  value.Value
	at string
}

// elements goes through a field that is a list of objects with names; nil if it is none. One that is written as a map, by these names, is reported
// and read as the list that it stands for; key is where the name belongs.
func (o object) elements(field, key, expected string) []listItem {
	v, at, ok := o.get(field)
	if !ok || v.Kind() != value.KindObject || v.Len() == 0 {
		items, at := o.items(field, expected)
		if v.Kind() != value.KindArray {
			return nil
		}
		list := make([]listItem, len(items))
		for i, item := range items {
			list[i] = listItem{item, element(at, i)}
		}
		return list
	}
	var list []listItem
	var items []value.Value
	for _, name := range o.keys(v, at) {
		item := v.Get(name)
		if own := item.Get(key); item.Kind() != value.KindObject || !own.IsAbsent() && !value.Equal(own, value.String(name)) {
			o.wrongType(v, at, expected)
			return nil
		}
		item = item.With(key, value.String(name))
		o.places.field(element(at, len(list)), child(at, name))
		items, list = append(items, item), append(list, listItem{item, child(at, name)})
	}
	o.asMap(v, at, expected, fmt.Sprintf("its names are the %q of the elements", key), o.replace(v, at, value.Array(items...), FixSafe))
	return list
}

// asMap reports a map in the place of a list.
func (o object) asMap(v value.Value, at, expected, hint string, fixes ...Fix) {
	o.add(Diagnostic{Code: "list_as_map", Path: at, Message: fmt.Sprintf("expected %s, found a map", expected),
		RepairHint: "write a list: " + hint, Fixes: fixes})
}

// keys are the names of an object's members: in the order of the text if there is one.
func (r *reader) keys(v value.Value, at string) []string {
	if r.doc != nil {
		if keys := r.doc.Keys(at); len(keys) == v.Len() {
			return keys
		}
	}
	keys := make([]string, 0, v.Len())
	for key := range v.Members() {
		keys = append(keys, key)
	}
	return keys
}

// named takes the name out of an element of a list of names that is an object: {"name": "approved"}. It is reported; sure is false if
// there is more in it than a name and a description.
func (r *reader) named(item value.Value, at, what string) (name value.Value, ok bool) {
	sure := true
	for key, v := range item.Members() {
		switch key {
		case "name", "id", "outcome", "code":
			if ok || v.Kind() != value.KindString {
				return value.Value{}, false
			}
			name, ok = v, true
		case "description", "desc", "label", "title":
		default:
			sure = false
		}
	}
	if !ok {
		return name, false
	}
	d := Diagnostic{Code: "type_wrong", Path: at, RepairHint: "write " + name.String(),
		Message: fmt.Sprintf("expected the %s itself, found an object", what)}
	trust := FixSafe
	if !sure {
		d.RepairHint += "; what else the object says has a place of its own"
		trust = FixUnsafe
	}
	d.Fixes = []Fix{r.replace(item, at, name, trust)}
	r.add(d)
	return name, true
}

// branchMap reports the branches of a fork that are written as a map from their outcomes to steps, and reads them.
func (o object) branchMap(v value.Value, at string) (branches []ForkBranch, ok bool) {
	if v.Kind() != value.KindObject || v.Len() == 0 || !isRouteMap(v) {
		return nil, false
	}
	var names []value.Value
	for _, name := range o.keys(v, at) {
		if spell(name, "") != name || name == "" {
			return nil, false
		}
		names, branches = append(names, value.String(name)), append(branches, ForkBranch{Outcome: Outcome(name)})
	}
	var fixes []Fix
	if !o.has("on") && !o.has("next") {
		fixes = []Fix{patch("List the branches, and let their edges be the step's", FixSafe, opTest(at, v), opReplace(at, value.Array(names...)), opAdd(child(o.at, "on"), v))}
		o.mean("on", v, at)
	}
	o.asMap(v, at, "a list of branches", `the outcomes that they begin with; where these lead is the step's "on"`, fixes...)
	return branches, true
}
