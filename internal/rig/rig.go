// Package rig is what a simulated world is to a runtime: it makes the calls, and is told who is at work, so that it knows
// when its time may go on. A runtime whose clock is a [Rig] is in that world; package wftest has one for tests.
package rig

import (
	"context"

	"lda.chat/wf/internal/value"
)

// Rig is the clock of a simulated world. It must be safe for concurrent use.
type Rig interface {
	// Begin says that a goroutine of the runtime takes up work, before it does; End that it has none left.
	Begin()
	End()
	// Call makes a call in place of the function that has the ref. The goroutine that it is called on is at work, and may
	// rest for as long as it says so with End and Begin.
	Call(ctx context.Context, ref string, input value.Value, real Real) (outcome string, output value.Value, err error)
}

// Real makes a call as it is made outside of the simulated world.
type Real func() (outcome string, output value.Value, err error)
