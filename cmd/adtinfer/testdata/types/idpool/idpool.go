// Package idpool hands out the least number that is free.
package idpool

import "sync"

// Pool hands out 1, 2, 3, ...
type Pool struct {
	mu   sync.Mutex
	used map[int]bool
}

// New returns a pool in which all numbers are free.
func New() *Pool { return &Pool{used: map[int]bool{}} }

// Acquire hands out the least free number.
func (p *Pool) Acquire() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	id := 1
	for p.used[id] {
		id++
	}
	p.used[id] = true
	return id
}

// Release takes a number back; false if it was not handed out.
func (p *Pool) Release(id int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	ok := p.used[id]
	delete(p.used, id)
	return ok
}
