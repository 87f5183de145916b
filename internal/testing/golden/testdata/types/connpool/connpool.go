// Package connpool lends connections.
package connpool

import (
	"context"
	"errors"
)

// ErrExhausted says that all connections are lent.
var ErrExhausted = errors.New("connpool: exhausted")

// Conn is a connection. It is known by its address in memory.
type Conn struct {
	ID int
}

// Pool lends at most a fixed number of connections at a time.
type Pool struct {
	idle []*Conn
	lent map[*Conn]bool
	max  int
	made int
}

// New makes a pool of at most max connections.
func New(max int) *Pool {
	return &Pool{lent: map[*Conn]bool{}, max: max}
}

// Get lends a connection: the one that was given back last, or a new one.
func (p *Pool) Get(ctx context.Context) (*Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var c *Conn
	if n := len(p.idle); n > 0 {
		c, p.idle = p.idle[n-1], p.idle[:n-1]
	} else if p.made < p.max {
		p.made++
		c = &Conn{ID: p.made}
	} else {
		return nil, ErrExhausted
	}
	p.lent[c] = true
	return c, nil
}

// Put gives a connection back. It panics if the connection is not lent.
func (p *Pool) Put(c *Conn) {
	if !p.lent[c] {
		panic("connpool: not lent")
	}
	delete(p.lent, c)
	p.idle = append(p.idle, c)
}
