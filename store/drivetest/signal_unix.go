//go:build unix

package drivetest

import "syscall"

const canFreeze = true

func halt(p *process) { _ = p.cmd.Process.Signal(syscall.SIGSTOP) }
func thaw(p *process) { _ = p.cmd.Process.Signal(syscall.SIGCONT) }
