//go:build unix

package drivetest

import "syscall"

func halt(p *process) { _ = p.cmd.Process.Signal(syscall.SIGSTOP) }
func thaw(p *process) { _ = p.cmd.Process.Signal(syscall.SIGCONT) }
