//go:build !unix || aix || solaris

package reference

import "os"

// lock does nothing where files cannot be locked.
func lock(*os.File) bool { return false }
