// Package wf is an embeddable, typed workflow engine.
package wf
