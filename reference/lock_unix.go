//go:build unix && !aix && !solaris

package reference

import (
	"os"
	"syscall"
)

// lock locks a file for this process, and reports whether it could.
func lock(f *os.File) bool { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil }
