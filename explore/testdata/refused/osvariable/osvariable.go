// Package osvariable has a variable of a package that is not explored, and so not
// initialised.
package osvariable

import "os"

// Cell holds nothing.
type Cell struct{}

// Get answers that there is nothing.
func (c *Cell) Get() error { return os.ErrNotExist }
