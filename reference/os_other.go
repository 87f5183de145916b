//go:build !unix || aix || solaris

package reference

import (
	"os"
	"os/exec"
)

// ownGroup does nothing where there are no process groups to be had.
func ownGroup(*exec.Cmd) {}

// killGroup ends a process.
func killGroup(p *os.Process) error { return p.Kill() }

// lock does nothing where files cannot be locked.
func lock(*os.File) bool { return false }
