// Package connpool lends two connections.
package connpool

import (
	"errors"
	"sync"
)

// ErrBusy says that both connections are out.
var ErrBusy = errors.New("connpool: busy")

// Conn is a connection's number.
type Conn int

// Pool owns the connections 1 and 2.
type Pool struct {
	mu   sync.Mutex
	free []Conn
}

// New returns a pool with both connections free.
func New() *Pool { return &Pool{free: []Conn{2, 1}} }

// Get lends a connection.
func (p *Pool) Get() (Conn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.free)
	if n == 0 {
		return 0, ErrBusy
	}
	c := p.free[n-1]
	p.free = p.free[:n-1]
	return c, nil
}

// Put takes a connection back. Strangers and those that are not out are refused.
func (p *Pool) Put(c Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c < 1 || c > 2 {
		return false
	}
	for _, f := range p.free {
		if f == c {
			return false
		}
	}
	p.free = append(p.free, c)
	return true
}
