// Package racyflag announces a value by a plain flag.
package racyflag

// Cell holds a number, once there is one.
type Cell struct {
	v  int
	ok bool
}

// Put writes the number.
func (c *Cell) Put(v int) {
	c.v = v
	c.ok = true
}

// Get reads the number if there is one.
func (c *Cell) Get() (int, bool) {
	if !c.ok {
		return 0, false
	}
	return c.v, true
}
