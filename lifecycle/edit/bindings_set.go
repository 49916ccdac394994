package edit

import (
	"fmt"
	"slices"

	"lda.chat/wf/internal/value"
)

// set puts bindings among those that are there, each in the place of what it overlaps; or in the place of all.
func (b *bindings) set(given value.Value, replace bool) *Error {
	w, was := b.w, b.w.at(b.at)
	list := b.read(given)
	if len(list) == 0 && (!replace || given.Len() > 0 || given.Kind() == value.KindString) {
		return &Error{Path: b.at.String(), Step: b.step, Found: "no bindings", Expected: b.expected()}
	}
	had := b.read(was)
	if was.IsAbsent() || replace {
		if given.Len() == 0 && given.Kind() != value.KindString {
			given = value.Value{}
		}
		w.become(b.at, given)
		for _, x := range had {
			if !slices.ContainsFunc(list, func(y binding) bool { return b.same(x.key, y.key) }) {
				w.note(KindRemoved, b.at, b.step, "%s is not bound any more", b.name(x))
			}
		}
		b.say(list, had)
		return nil
	}
	rest := slices.DeleteFunc(slices.Clone(had), func(x binding) bool {
		return slices.ContainsFunc(list, func(y binding) bool { return b.replaces(y, x) })
	})
	asList := was.Kind() == value.KindArray || slices.ContainsFunc(list, func(x binding) bool { return x.listOnly })
	switch {
	case len(rest) == 0 && (was.Kind() == value.KindString || given.Kind() == value.KindString):
		w.become(b.at, given)
	case asList:
		b.mergeList(list, had)
	default:
		b.mergeMap(list, rest, was)
	}
	b.say(list, had)
	return nil
}

// replaces reports whether a new binding takes the place of an old one.
func (b *bindings) replaces(now, was binding) bool {
	if b.dir == writes && (now.listOnly || was.listOnly) && (now.key == "" || was.key == "") {
		return value.Equal(now.v, was.v)
	}
	return b.same(now.key, was.key)
}

func (b *bindings) mergeMap(list, rest []binding, was value.Value) {
	if was.Kind() == value.KindString {
		was = object(member(".", was))
		b.w.replace(b.at, was)
	}
	taken := map[string]bool{}
	for _, x := range list {
		taken[x.key] = true
	}
	for key := range was.Members() {
		if !taken[key] && !slices.ContainsFunc(rest, func(x binding) bool { return x.key == key }) {
			if i := slices.IndexFunc(list, func(x binding) bool { return b.same(x.key, key) && b.w.at(under(b.at, x.key)).IsAbsent() }); i >= 0 {
				b.w.rename(under(b.at, key), under(b.at, list[i].key)) // it stands where the other one stood
			} else {
				b.w.remove(under(b.at, key))
			}
		}
	}
	for _, x := range list {
		b.w.become(under(b.at, x.key), x.v)
	}
}

func (b *bindings) mergeList(list, had []binding) {
	var items []value.Value
	done := make([]bool, len(list))
	for _, x := range had {
		i := slices.IndexFunc(list, func(y binding) bool { return b.replaces(y, x) })
		switch {
		case i < 0:
			items = append(items, x.item)
		case !done[i]:
			items = append(items, list[i].item)
			done[i] = true
		}
	}
	for i, x := range list {
		if !done[i] {
			items = append(items, x.item)
		}
	}
	if b.w.at(b.at).Kind() == value.KindArray && b.w.at(b.at).Len() == len(items) {
		for i, item := range items {
			b.w.become(under(b.at, i), item)
		}
		return
	}
	b.w.become(b.at, value.Array(items...))
}

// say reports what is bound now.
func (b *bindings) say(list, had []binding) {
	for _, x := range list {
		text := fmt.Sprintf("%s is bound to %s", b.name(x), shorten(said(x.v)))
		if b.dir == writes {
			text = fmt.Sprintf("%s is written to %s", b.name(x), shorten(said(x.v)))
		}
		for _, y := range had {
			if b.replaces(x, y) && !value.Equal(x.item, y.item) {
				if text += ", no more "; x.key != y.key {
					text += b.name(y) + " "
				}
				text += "to " + shorten(said(y.v))
			}
		}
		b.w.note(KindSet, b.at, b.step, "%s", text)
	}
}

func said(v value.Value) string {
	if text, ok := v.AsString(); ok {
		return text
	}
	return v.String()
}

// name says what a binding is of.
func (b *bindings) name(x binding) string {
	name := x.key
	switch x.key {
	case ".":
		name = "the whole"
	case "":
		return shorten(x.item.Get("source").String())
	}
	if b.of != "" {
		name += " of " + b.of
	}
	return name
}

func (b *bindings) expected() string {
	switch b.dir {
	case sets:
		return `a map from state paths to operands, for example {"state.n": 1}`
	case writes:
		return `a map from places of the output to state paths, for example {"text": "state.text"}; "." is the whole`
	}
	return `a map from places to operands, for example {"text": "state.text"}; "." is the whole`
}

// unset removes a binding by what it is of; of those that write to the state, also by where they write.
func (b *bindings) unset(key string) *Error {
	w, was := b.w, b.w.at(b.at)
	had := b.read(was)
	i := slices.IndexFunc(had, func(x binding) bool {
		return x.key == key || b.exactly(x.key, key) || b.dir == writes && textOf(x.v) == key
	})
	if i < 0 {
		var known []string
		for _, x := range had {
			known = append(known, x.key)
		}
		e := unknown("binding of", key, known)
		e.Path, e.Step = b.at.String(), b.step
		return e
	}
	switch {
	case len(had) == 1:
		w.remove(b.at)
	case was.Kind() == value.KindArray:
		w.remove(under(b.at, i))
	default:
		w.remove(under(b.at, had[i].key))
	}
	w.note(KindRemoved, b.at, b.step, "%s is not bound any more to %s", b.name(had[i]), shorten(said(had[i].v)))
	return nil
}

func (b *bindings) exactly(x, y string) bool {
	if b.dir == sets {
		return b.same(x, y)
	}
	p, ok := localPath(x)
	q, okay := localPath(y)
	return ok && okay && p.Equal(q)
}
