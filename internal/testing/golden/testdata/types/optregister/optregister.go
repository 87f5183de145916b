// Package optregister is a register that may be empty.
package optregister

// Cell holds a value or nothing.
type Cell struct {
	value string
	full  bool
}

// Set stores a value.
func (c *Cell) Set(v string) {
	c.value, c.full = v, true
}

// Read returns the value, and whether there is one.
func (c *Cell) Read() (string, bool) {
	return c.value, c.full
}

// Reset removes the value.
func (c *Cell) Reset() {
	*c = Cell{}
}
