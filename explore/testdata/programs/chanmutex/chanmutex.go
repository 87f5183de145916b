// Package chanmutex uses a channel with one place as a lock.
package chanmutex

// Counter counts.
type Counter struct {
	lock chan struct{}
	n    int
}

// New makes a Counter at 0.
func New() *Counter { return &Counter{lock: make(chan struct{}, 1)} }

// Inc adds one, and answers how many there are.
func (c *Counter) Inc() int {
	c.lock <- struct{}{}
	defer func() { <-c.lock }()
	c.n++
	return c.n
}

// Get answers how many there are.
func (c *Counter) Get() int {
	c.lock <- struct{}{}
	n := c.n
	<-c.lock
	return n
}
