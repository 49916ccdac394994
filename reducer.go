package wf

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"lda.chat/wf/internal/codec"
	"lda.chat/wf/internal/value"
)

// The standard reducers: what a write does to a state field. A field without one is replaced.
const (
	ReducerReplace     = "wf.std.replace"      // the new value
	ReducerAppend      = "wf.std.append"       // an array, with the new value as one more element
	ReducerExtend      = "wf.std.extend"       // an array, with the elements of the new one after its own
	ReducerMergeObject = "wf.std.merge_object" // an object, with the members of the new one set
	ReducerDeepMerge   = "wf.std.deep_merge"   // the same, and objects in objects are merged in turn
	ReducerAdd         = "wf.std.add"          // the exact sum
	ReducerSetUnion    = "wf.std.set_union"    // an array, with those elements of the new one that it lacks
	ReducerMax         = "wf.std.max"          // the greater of two numbers or two strings
	ReducerMin         = "wf.std.min"          // the lesser of two numbers or two strings
)

// ReducerSpec describes a reducer: what a plan needs to know of it.
type ReducerSpec struct {
	Name        string `json:"name"`                   // as "x-reducer" in a state schema has it
	ValueSchema Schema `json:"value_schema,omitempty"` // of the field and of what is written; none: any JSON
	Description string `json:"description,omitempty"`
	// Concurrent says that parallel items and branches may write the field without conflict. It asks that the result does
	// not depend on how writes are grouped; they are merged in item or branch order.
	Concurrent bool `json:"concurrent,omitempty"`
}

// StandardReducers returns the specs of the reducers that every runtime has, in the order in which they are documented.
// That of merge_object and deep_merge says nothing of concurrency: it is safe there where the members are disjoint.
func StandardReducers() []ReducerSpec {
	array, object := Schema(`{"type":"array"}`), Schema(`{"type":"object"}`)
	ordered := Schema(`{"type":["number","string"]}`)
	return []ReducerSpec{
		{Name: ReducerReplace, Description: "A write replaces the value."},
		{Name: ReducerAppend, ValueSchema: array, Concurrent: true, Description: "A write adds one element at the end."},
		{Name: ReducerExtend, ValueSchema: array, Concurrent: true, Description: "A write adds each of its elements at the end."},
		{Name: ReducerMergeObject, ValueSchema: object, Description: "A write sets the members it has; the others stay."},
		{Name: ReducerDeepMerge, ValueSchema: object, Description: "A write sets the members it has, objects in objects likewise."},
		{Name: ReducerAdd, ValueSchema: Schema(`{"type":"number"}`), Concurrent: true, Description: "A write is added, exactly."},
		{Name: ReducerSetUnion, ValueSchema: array, Concurrent: true, Description: "A write adds those of its elements that are not there yet."},
		{Name: ReducerMax, ValueSchema: ordered, Concurrent: true, Description: "The greatest write stays."},
		{Name: ReducerMin, ValueSchema: ordered, Concurrent: true, Description: "The least write stays."},
	}
}

// Reducer is a host's own way to merge writes into a state field. It is immutable and safe for concurrent use, as far as
// its function is.
type Reducer struct {
	spec     ReducerSpec
	problems problems
	merge    func(old, written value.Value) (value.Value, error)
}

// NewReducer makes a reducer. The function merges what is written into the field's value, the zero T if the field is
// unset; it must be pure: the same values give the same result, whenever and wherever. Without a ValueSchema the spec gets
// that of T. A name has parts with dots between them and does not begin with "wf.", which is ours: "acme.latest".
func NewReducer[T any](spec ReducerSpec, merge func(old, written T) (T, error)) *Reducer {
	r := &Reducer{spec: spec}
	r.problems.subject = "reducer " + quoteJSON(spec.Name)
	if !isRef(spec.Name) || strings.HasPrefix(spec.Name, "wf.") {
		r.problems.add("name_invalid", "its name is not one for a host's reducer", `write your organisation or module, a dot and a name: "acme.latest"`)
	}
	if merge == nil {
		r.problems.add("callable_missing", "there is no function: it is nil", "pass a function")
	}
	types, reflected := typeOf[T](&r.problems, "value")
	if spec.ValueSchema == nil {
		r.spec.ValueSchema = schemaOf(reflected)
	}
	r.merge = func(old, written value.Value) (value.Value, error) { return mergeTyped(types, merge, old, written) }
	return r
}

func mergeTyped[T any](types codec.Typed[T], merge func(old, written T) (T, error), old, written value.Value) (value.Value, error) {
	var frame struct{ old, written, merged T }
	if err := types.Decode(old, &frame.old); err != nil {
		return value.Value{}, fmt.Errorf("the field's value: %w", err)
	}
	if err := types.Decode(written, &frame.written); err != nil {
		return value.Value{}, fmt.Errorf("the value that is written: %w", err)
	}
	var err error
	if frame.merged, err = merge(frame.old, frame.written); err != nil {
		return value.Value{}, err
	}
	v, err := types.Encode(&frame.merged)
	if err != nil {
		return value.Value{}, fmt.Errorf("the merged value: %w", err)
	}
	return v, nil
}

// Spec returns what a plan needs to know of the reducer.
func (r *Reducer) Spec() ReducerSpec { return r.spec }

// Problems returns what is wrong with the reducer, nil if nothing is.
func (r *Reducer) Problems() Diagnostics { return slices.Clone(r.problems.list) }

// apply merges a write into a field's value, absent if it is unset. A panic is an error, and so is a function that ends its
// goroutine: it is lent one, as the machine whose step this is must come back from it.
func (r *Reducer) apply(old, written value.Value) (merged value.Value, err error) {
	done := make(chan struct{})
	err = errors.New("ended its goroutine")
	go func() {
		defer close(done)
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("panicked: %s", panicText(p))
			}
		}()
		v, failed := r.merge(old, written)
		if failed != nil {
			failed = errors.New(errorText(failed)) // its methods are code of others too
		}
		merged, err = v, failed
	}()
	<-done
	return merged, err
}
