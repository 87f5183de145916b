// Package shardscopied copies its shards, with their locks, to range over them.
package shardscopied

import "sync"

type shard struct {
	mu sync.Mutex
	n  int
}

// Counter counts.
type Counter struct{ shards [2]shard }

// Inc counts in the shard of k.
func (c *Counter) Inc(k int) {
	for i, s := range c.shards {
		if i == k&1 && s.n < 100 {
			c.shards[i].mu.Lock()
			c.shards[i].n++
			c.shards[i].mu.Unlock()
		}
	}
}
