//go:build !race

package wf_test

// raced tells whether the race detector is at work, which has every allocation cost more.
const raced = false
