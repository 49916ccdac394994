//go:build race

package wf_test

const raced = true
