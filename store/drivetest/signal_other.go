//go:build !unix

package drivetest

const canFreeze = false

func halt(*process) {}
func thaw(*process) {}
