// Package value holds immutable JSON values: exact numbers, structural paths, a strict decoder and canonical bytes.
//
// A [Value] is small and passed by value; it never changes, so it may be shared between goroutines without a lock. What
// looks like a change ([Value.Append], [Value.With], [Value.Set]) returns a new version that shares what it can with the
// old one.
//
// Absent and null are two things: the zero Value is absent, the result of looking up what is not there; null is a JSON
// value like any other.
//
// Numbers are decimals, not floats. Their digits are kept as they were written, and they are compared and added by their
// exact value.
//
// [Parse] bounds the nesting of what it reads. Values built by hand may nest deeper; every function here that walks a
// value keeps its own stack, so none of them can exhaust the goroutine's. [Depth] tells how deep a value is.
package value
