package jsonpatch

import (
	"strconv"

	"lda.chat/wf/internal/value"
)

// Limits bound what applying a patch may cost. A field that is not positive takes its value from [DefaultLimits].
type Limits struct {
	Operations int
	Bytes      int // of the document after each operation: copies can double it each time
	Depth      int // of the document after each operation
	Work       int // elements of the arrays and objects that are rewritten, and bytes that are compared
}

// DefaultLimits keep a patch within what can be parsed again, and within some seconds.
var DefaultLimits = Limits{Operations: 10_000, Bytes: value.DefaultLimits.Bytes, Depth: value.DefaultLimits.Depth, Work: 1 << 29}

func (l *Limits) filled() Limits {
	if l == nil {
		return DefaultLimits
	}
	filled := *l
	for _, f := range []struct{ limit, standard *int }{
		{&filled.Operations, &DefaultLimits.Operations}, {&filled.Bytes, &DefaultLimits.Bytes},
		{&filled.Depth, &DefaultLimits.Depth}, {&filled.Work, &DefaultLimits.Work},
	} {
		if *f.limit <= 0 {
			*f.limit = *f.standard
		}
	}
	return filled
}

// applier applies the operations of a patch one by one.
type applier struct {
	limits Limits
	at     int // of the operation
	op     string
}

func newApplier(p Patch, l *Limits) (*applier, error) {
	a := &applier{limits: l.filled()}
	if n := p.Len(); n > a.limits.Operations {
		return nil, &Error{Reason: TooLarge, Operation: a.limits.Operations,
			Found: strconv.Itoa(n) + " operations", Expected: "at most " + strconv.Itoa(a.limits.Operations)}
	}
	return a, nil
}

// fail makes an error about the operation.
func (a *applier) fail(reason Reason, at Pointer, found, expected string) error {
	return &Error{Reason: reason, Operation: a.at, Op: a.op, Pointer: at.String(), Found: found, Expected: expected}
}

// spend takes from the work that is left.
func (a *applier) spend(work int) error {
	if a.limits.Work -= work; a.limits.Work < 0 {
		return a.fail(TooLarge, nil, "a document too large for so many operations", "a smaller document or fewer operations")
	}
	return nil
}

// check checks what an operation has left.
func (a *applier) check(root value.Value) error {
	if n := value.Size(root); n > a.limits.Bytes {
		return a.fail(TooLarge, nil, strconv.Itoa(n)+" bytes", "at most "+strconv.Itoa(a.limits.Bytes))
	}
	if n := value.Depth(root); n > a.limits.Depth {
		return a.fail(TooLarge, nil, strconv.Itoa(n)+" levels", "at most "+strconv.Itoa(a.limits.Depth))
	}
	return nil
}
