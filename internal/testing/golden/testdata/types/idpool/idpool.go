// Package idpool registers handlers under ids that it makes up.
package idpool

import "fmt"

// Handle is what Register answers with.
type Handle string

// Pool maps handles to names.
type Pool struct {
	names map[Handle]string
	last  int
}

// New makes an empty pool.
func New() *Pool {
	return &Pool{names: map[Handle]string{}}
}

// Register stores a name under a new handle.
func (p *Pool) Register(name string) Handle {
	p.last++
	h := Handle(fmt.Sprintf("h-%d", p.last))
	p.names[h] = name
	return h
}

// Lookup returns the name of a handle.
func (p *Pool) Lookup(h Handle) (string, bool) {
	name, ok := p.names[h]
	return name, ok
}

// Unregister removes a handle and reports whether it was there.
func (p *Pool) Unregister(h Handle) bool {
	_, ok := p.names[h]
	delete(p.names, h)
	return ok
}
