// Package mailbox is a queue of messages that knows its length.
package mailbox

import (
	"errors"
	"sync"
)

// ErrEmpty is returned if there is no message.
var ErrEmpty = errors.New("mailbox: empty")

// Mailbox is ready for use.
type Mailbox struct {
	mu       sync.Mutex
	messages []string
}

// Send adds a message.
func (m *Mailbox) Send(text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.messages = append(m.messages, text)
}

// Receive takes the oldest message.
func (m *Mailbox) Receive() (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.messages) == 0 {
		return "", ErrEmpty
	}
	text := m.messages[0]
	m.messages = m.messages[1:]
	return text, nil
}

// Len returns how many messages wait.
func (m *Mailbox) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.messages)
}
