// Package namedqueues is a broker with queues that exist once they are used.
package namedqueues

// Broker has a queue for each name.
type Broker struct {
	queues map[string][]int
}

// New makes a broker without messages.
func New() *Broker {
	return &Broker{queues: make(map[string][]int)}
}

// Send appends a message to a queue.
func (b *Broker) Send(queue string, message int) {
	b.queues[queue] = append(b.queues[queue], message)
}

// Receive removes the first message of a queue.
func (b *Broker) Receive(queue string) (message int, ok bool) {
	q := b.queues[queue]
	if len(q) == 0 {
		return 0, false
	}
	b.queues[queue] = q[1:]
	return q[0], true
}
