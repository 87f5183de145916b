// Package topic delivers every message to every consumer, in order.
package topic

// Topic keeps all messages and how far each consumer is.
type Topic struct {
	messages []string
	offsets  map[string]int
}

// New makes a topic without messages.
func New() *Topic {
	return &Topic{offsets: map[string]int{}}
}

// Publish appends a message.
func (t *Topic) Publish(message string) {
	t.messages = append(t.messages, message)
}

// Poll returns the next message for a consumer, if there is one.
func (t *Topic) Poll(consumer string) (string, bool) {
	next := t.offsets[consumer]
	if next == len(t.messages) {
		return "", false
	}
	t.offsets[consumer]++
	return t.messages[next], true
}
