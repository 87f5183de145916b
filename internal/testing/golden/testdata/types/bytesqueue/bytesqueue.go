// Package bytesqueue is a queue of messages as bytes.
package bytesqueue

import "io"

// Queue holds messages.
type Queue struct {
	messages [][]byte
}

// Send appends a copy of a message.
func (q *Queue) Send(message []byte) {
	q.messages = append(q.messages, append([]byte(nil), message...))
}

// Receive removes the oldest message. The error is io.EOF if there is none.
func (q *Queue) Receive() ([]byte, error) {
	if len(q.messages) == 0 {
		return nil, io.EOF
	}
	m := q.messages[0]
	q.messages = q.messages[1:]
	return m, nil
}
