// Package jsonpatch applies JSON Patch documents (RFC 6902) to values and to texts, strictly: what the standard forbids
// fails, and a patch that fails changes nothing.
//
// Fixes lean on the operation "test": a patch that was made for another state of the document must fail, never half
// apply or apply somewhere else. Hence no leniency: places are exact JSON Pointers (RFC 6901), a "test" without a value is
// refused, numbers are compared by value.
package jsonpatch
