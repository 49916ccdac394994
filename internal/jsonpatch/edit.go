package jsonpatch

import (
	"fmt"
	"slices"

	"lda.chat/wf/internal/value"
)

// change makes another array or object of the one in which a place is.
type change func(holder value.Value) (value.Value, error)

// edit changes the array or object that holds a place other than the top, and all around it. p is the place, depth tells
// how much of it leads to v.
func (a *applier) edit(v value.Value, p Pointer, depth int, c change) (value.Value, error) {
	if err := a.spend(v.Len()); err != nil {
		return v, err
	}
	if depth == len(p)-1 {
		return c(v)
	}
	inner, err := a.existing(v, p[:depth+1])
	if err != nil {
		return v, err
	}
	if inner, err = a.edit(inner, p, depth+1, c); err != nil {
		return v, err
	}
	return with(v, p[depth], inner), nil
}

// add sets a member, inserts an element or puts another document in the place of this one.
func (a *applier) add(root value.Value, p Pointer, x value.Value) (value.Value, error) {
	if len(p) == 0 {
		return x, nil
	}
	token := p[len(p)-1]
	return a.edit(root, p, 0, func(holder value.Value) (value.Value, error) {
		switch holder.Kind() {
		case value.KindObject:
			return holder.With(token, x), nil
		case value.KindArray:
			n := holder.Len()
			if token == "-" {
				return holder.Append(x), nil
			}
			if i, ok := position(token); ok && i <= n {
				return value.Array(slices.Insert(elements(holder, 1), i, x)...), nil
			}
			return holder, a.fail(NoPlace, p, "no place for an element",
				fmt.Sprintf(`a position from 0 to %d, without leading zeros, or "-" for the end of the array`, n))
		}
		return holder, a.fail(NoPlace, p[:len(p)-1], describe(holder), "an object or an array to add to")
	})
}

// remove takes out what stands at a place, and gives it. Without the top there would be no document.
func (a *applier) remove(root value.Value, p Pointer) (rest, removed value.Value, err error) {
	if len(p) == 0 {
		return root, root, a.fail(NoPlace, p, "the whole document", "a place in it: nothing would be left")
	}
	rest, err = a.edit(root, p, 0, func(holder value.Value) (value.Value, error) {
		if removed, err = a.existing(holder, p); err != nil {
			return holder, err
		}
		token := p[len(p)-1]
		if holder.Kind() == value.KindObject {
			return holder.With(token, value.Value{}), nil
		}
		i, _ := position(token)
		return value.Array(slices.Delete(elements(holder, 0), i, i+1)...), nil
	})
	return rest, removed, err
}

// replace puts another value in the place of one.
func (a *applier) replace(root value.Value, p Pointer, x value.Value) (value.Value, error) {
	if len(p) == 0 {
		return x, nil
	}
	return a.edit(root, p, 0, func(holder value.Value) (value.Value, error) {
		if _, err := a.existing(holder, p); err != nil {
			return holder, err
		}
		return with(holder, p[len(p)-1], x), nil
	})
}

// with puts another value in the place of what a token names.
func with(holder value.Value, token string, x value.Value) value.Value {
	if holder.Kind() == value.KindObject {
		return holder.With(token, x)
	}
	items := elements(holder, 0)
	i, _ := position(token)
	items[i] = x
	return value.Array(items...)
}

// elements copies an array's elements, with room for more.
func elements(v value.Value, more int) []value.Value {
	items := make([]value.Value, 0, v.Len()+more)
	for _, item := range v.Items() {
		items = append(items, item)
	}
	return items
}
