//go:build !unix

package main

import "time"

var start = time.Now()

// cpuTime is the time that has passed, where the system does not tell CPU time in the same way.
func cpuTime() time.Duration { return time.Since(start) }
