// Package topic lets every consumer read all messages, at its own pace.
package topic

import "sync"

// Topic has no messages at first.
type Topic struct {
	mu       sync.Mutex
	messages []int
	offsets  map[string]int
}

// New returns an empty topic.
func New() *Topic { return &Topic{offsets: map[string]int{}} }

// Publish adds a message.
func (t *Topic) Publish(message int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.messages = append(t.messages, message)
}

// Poll returns the consumer's next message.
func (t *Topic) Poll(consumer string) (int, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	next := t.offsets[consumer]
	if next == len(t.messages) {
		return 0, false
	}
	t.offsets[consumer] = next + 1
	return t.messages[next], true
}
