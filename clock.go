package wf

import "time"

// Clock tells a [Runtime] the time and wakes it. The zero options use the real one. Its methods are called while a run is
// locked: they must not call methods of a [RunHandle], and f must run on another goroutine.
type Clock interface {
	Now() time.Time
	// AfterFunc calls f on its own goroutine once d has passed, unless stop is called first.
	AfterFunc(d time.Duration, f func()) (stop func() bool)
}

// realClock is package time.
type realClock struct{}

func (realClock) Now() time.Time { return time.Now() }

func (realClock) AfterFunc(d time.Duration, f func()) func() bool { return time.AfterFunc(d, f).Stop }
