// Package bufferpool lends buffers.
package bufferpool

import "sync"

// Buffer is what the pool lends.
type Buffer struct{ Data []byte }

// Pool makes a new buffer if none is free.
type Pool struct {
	mu   sync.Mutex
	free []*Buffer
}

// New returns a pool without buffers.
func New() *Pool { return &Pool{} }

// Get lends the buffer that was returned last, or a new one.
func (p *Pool) Get() *Buffer {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.free)
	if n == 0 {
		return &Buffer{}
	}
	b := p.free[n-1]
	p.free = p.free[:n-1]
	return b
}

// Put takes a buffer back.
func (p *Pool) Put(b *Buffer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, b)
}
