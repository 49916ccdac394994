//go:build unix

package main

import (
	"syscall"
	"time"
)

// cpuTime is what this process has used of the processors, in user and system mode together.
func cpuTime() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
