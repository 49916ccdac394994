package wf

// Func is a Go function as a callable.
type Func struct{}
