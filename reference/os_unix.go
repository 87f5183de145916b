//go:build unix && !aix && !solaris

package reference

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup starts a command in a process group of its own, so that Ctrl-C in the
// terminal does not reach it and all its descendants can be ended together.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends a process and its descendants.
func killGroup(p *os.Process) error { return syscall.Kill(-p.Pid, syscall.SIGKILL) }

// lock locks a file for this process, and reports whether it could.
func lock(f *os.File) bool { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil }
