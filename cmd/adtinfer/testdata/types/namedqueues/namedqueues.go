// Package namedqueues is a broker of queues by name.
package namedqueues

import "sync"

// Name names a queue.
type Name string

// Broker has a queue for every name.
type Broker struct {
	mu     sync.Mutex
	queues map[Name][]int
}

// New returns a broker with empty queues.
func New() *Broker { return &Broker{queues: map[Name][]int{}} }

// Publish adds a message to a queue.
func (b *Broker) Publish(queue Name, message int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.queues[queue] = append(b.queues[queue], message)
}

// Consume takes the oldest message of a queue.
func (b *Broker) Consume(queue Name) (message int, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	q := b.queues[queue]
	if len(q) == 0 {
		return 0, false
	}
	b.queues[queue] = q[1:]
	return q[0], true
}
