//go:build !unix

package reference

import (
	"os"
	"os/exec"
)

// ownGroup does nothing where there are no process groups.
func ownGroup(*exec.Cmd) {}

// killGroup ends a process.
func killGroup(p *os.Process) error { return p.Kill() }
