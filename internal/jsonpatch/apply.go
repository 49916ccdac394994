package jsonpatch

import (
	"fmt"

	"lda.chat/wf/internal/value"
)

// Apply applies all operations of a patch, in order, or none: on failure, a *[Error], the document is as it was. Values
// are immutable, so what is not touched is shared. A nil limits means [DefaultLimits].
func Apply(doc value.Value, patch Patch, limits *Limits) (value.Value, error) {
	a, err := newApplier(patch, limits)
	if err != nil {
		return doc, err
	}
	root := doc
	for i := range patch.operations {
		if root, err = a.apply(root, i, &patch.operations[i]); err != nil {
			return doc, err
		}
	}
	return root, nil
}

// apply applies one operation.
func (a *applier) apply(root value.Value, i int, o *operation) (value.Value, error) {
	a.at, a.op = i, o.op
	next, err := a.operation(root, o)
	if err == nil {
		err = a.check(next)
	}
	return next, err
}

func (a *applier) operation(root value.Value, o *operation) (value.Value, error) {
	switch o.op {
	case "add":
		return a.add(root, o.path, o.value)
	case "remove":
		root, _, err := a.remove(root, o.path)
		return root, err
	case "replace":
		return a.replace(root, o.path, o.value)
	case "copy":
		found, err := a.find(root, o.from)
		if err != nil {
			return root, err
		}
		return a.add(root, o.path, found)
	case "move":
		if o.from.equal(o.path) {
			_, err := a.find(root, o.from)
			return root, err
		}
		rest, moved, err := a.remove(root, o.from)
		if err != nil {
			return root, err
		}
		return a.add(rest, o.path, moved)
	}
	return root, a.test(root, o)
}

// test fails unless a value equal to the operation's stands at its place. Numbers are equal by value.
func (a *applier) test(root value.Value, o *operation) error {
	found, err := a.find(root, o.path)
	if err != nil {
		return err
	}
	if err := a.spend(value.Size(o.value)); err != nil {
		return err
	}
	if !value.Equal(found, o.value) {
		return a.fail(TestFailed, o.path, describe(found), describe(o.value))
	}
	return nil
}

// find gives what stands at a place.
func (a *applier) find(root value.Value, p Pointer) (value.Value, error) {
	v := root
	for i := range p {
		next, err := a.existing(v, p[:i+1])
		if err != nil {
			return v, err
		}
		v = next
	}
	return v, nil
}

// existing gives what the last token of a place names in a value.
func (a *applier) existing(v value.Value, p Pointer) (value.Value, error) {
	token := p[len(p)-1]
	if found := member(v, token); !found.IsAbsent() {
		return found, nil
	}
	switch v.Kind() {
	case value.KindObject:
		return v, a.fail(NoPlace, p, "nothing", "a member of that name")
	case value.KindArray:
		return v, a.fail(NoPlace, p, "nothing", expectedPosition(v.Len()))
	}
	return v, a.fail(NoPlace, p[:len(p)-1], describe(v), fmt.Sprintf("an object or an array that has %s", quote(token)))
}

func expectedPosition(n int) string {
	switch n {
	case 0:
		return "an element, but the array is empty"
	case 1:
		return "the position 0, the only one of the array"
	}
	return fmt.Sprintf("a position of the array, from 0 to %d, without leading zeros", n-1)
}
