// Package linkconn models the life of a point-to-point connection.
package linkconn

import "errors"

// State is the state of a connection.
type State int

// The connection states.
const (
	Idle State = iota
	Dialing
	Open
	Closed
)

// Errors returned by Conn.
var (
	ErrState  = errors.New("linkconn: not allowed in this state")
	ErrWindow = errors.New("linkconn: send window full")
)

// Conn counts the unacknowledged frames of one connection.
type Conn struct {
	state    State
	window   int
	nextSeq  int
	firstOut int
}

// New returns an idle connection that allows window frames in flight.
func New(window int) *Conn {
	return &Conn{window: window}
}

// Dial begins connecting.
func (c *Conn) Dial() error {
	if c.state != Idle {
		return ErrState
	}
	c.state = Dialing
	return nil
}

// Accepted completes a pending Dial.
func (c *Conn) Accepted() error {
	if c.state != Dialing {
		return ErrState
	}
	c.state = Open
	return nil
}

// Send takes the next sequence number for a frame.
func (c *Conn) Send() (int, error) {
	if c.state != Open {
		return 0, ErrState
	}
	if c.nextSeq-c.firstOut >= c.window {
		return 0, ErrWindow
	}
	seq := c.nextSeq
	c.nextSeq++
	return seq, nil
}

// Ack acknowledges every frame up to and including seq and returns how many
// frames this released.
func (c *Conn) Ack(seq int) int {
	if c.state != Open || seq < c.firstOut || seq >= c.nextSeq {
		return 0
	}
	n := seq - c.firstOut + 1
	c.firstOut = seq + 1
	return n
}

// Close closes the connection from any state.
func (c *Conn) Close() { c.state = Closed }

// State returns the current state.
func (c *Conn) State() State { return c.state }
