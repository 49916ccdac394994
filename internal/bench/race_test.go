//go:build race

package main

func init() { slack = 1.4 }
