// Package shards is a counter in shards, which is ranged over by index alone: that reads none of them.
package shards

import "sync"

type shard struct {
	mu sync.Mutex
	n  int
}

// Counter counts.
type Counter struct{ shards [2]shard }

// Inc counts in the shard of k.
func (c *Counter) Inc(k int) {
	for i := range c.shards {
		s := &c.shards[i]
		if i != k&1 {
			continue
		}
		s.mu.Lock()
		s.n++
		s.mu.Unlock()
	}
}

// Get is the count of the shard of k.
func (c *Counter) Get(k int) (n int) {
	for range c.shards {
		for i := range &c.shards {
			if s := &c.shards[i]; i == k&1 {
				s.mu.Lock()
				n = s.n
				s.mu.Unlock()
			}
		}
	}
	return n
}
