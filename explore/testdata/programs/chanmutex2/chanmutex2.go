// Package chanmutex2 uses a channel as a lock, but it has two places.
package chanmutex2

// Counter counts.
type Counter struct {
	lock chan struct{}
	n    int
}

// New makes a Counter at 0.
func New() *Counter { return &Counter{lock: make(chan struct{}, 2)} }

// Inc adds one.
func (c *Counter) Inc() {
	c.lock <- struct{}{}
	c.n++
	<-c.lock
}
