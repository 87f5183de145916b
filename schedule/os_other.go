//go:build !unix

package schedule

import (
	"os"
	"os/exec"
)

func ownGroup(*exec.Cmd) {}

func kill(p *os.Process) { _ = p.Kill() }

func foreign(error) bool { return false }

func dump(*os.Process) {}
