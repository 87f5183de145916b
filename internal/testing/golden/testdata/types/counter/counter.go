// Package counter counts.
package counter

// Counter is zero at first.
type Counter struct {
	n int
}

// Inc adds one.
func (c *Counter) Inc() { c.n++ }

// Dec subtracts one and returns what is left.
func (c *Counter) Dec() int {
	c.n--
	return c.n
}

// Value returns the count.
func (c *Counter) Value() int { return c.n }
