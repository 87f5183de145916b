// Package ippool hands out host numbers from a small address range.
package ippool

import "errors"

// Errors returned by Pool.
var (
	ErrExhausted = errors.New("ippool: no free address")
	ErrNotLeased = errors.New("ippool: address not leased")
)

// Pool leases addresses from an inclusive range, one per client.
type Pool struct {
	first, last int
	byClient    map[string]int
	byAddr      map[int]string
}

// New returns a pool that serves addresses first through last.
func New(first, last int) *Pool {
	return &Pool{
		first:    first,
		last:     last,
		byClient: make(map[string]int),
		byAddr:   make(map[int]string),
	}
}

// Acquire leases the lowest free address to client. A client that already
// holds a lease gets the same address again.
func (p *Pool) Acquire(client string) (int, error) {
	if a, ok := p.byClient[client]; ok {
		return a, nil
	}
	for a := p.first; a <= p.last; a++ {
		if _, taken := p.byAddr[a]; !taken {
			p.byAddr[a] = client
			p.byClient[client] = a
			return a, nil
		}
	}
	return 0, ErrExhausted
}

// Release gives the address back to the pool.
func (p *Pool) Release(addr int) error {
	client, ok := p.byAddr[addr]
	if !ok {
		return ErrNotLeased
	}
	delete(p.byAddr, addr)
	delete(p.byClient, client)
	return nil
}

// Owner reports which client holds addr.
func (p *Pool) Owner(addr int) (string, bool) {
	c, ok := p.byAddr[addr]
	return c, ok
}

// Free returns the number of addresses that are not leased.
func (p *Pool) Free() int {
	n := p.last - p.first + 1
	if n < 0 {
		return 0
	}
	return n - len(p.byAddr)
}
