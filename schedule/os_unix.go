//go:build unix

package schedule

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// ownGroup keeps what the terminal sends to this process from the test program, and lets kill end what that started.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func kill(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

// foreign reports whether a program could not be started since it is for another machine.
func foreign(err error) bool { return errors.Is(err, syscall.ENOEXEC) }

// dump has a Go program print its goroutines and end.
func dump(p *os.Process) { _ = p.Signal(syscall.SIGQUIT) }
