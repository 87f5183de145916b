package sync

import "unsafe"

// Pool points to what it holds; see package ir.
type Pool struct {
	held unsafe.Pointer
	New  func() any
}

func put(p *Pool, x any)
func get(p *Pool) any

func (p *Pool) Put(x any) {
	if x != nil {
		put(p, x)
	}
}

func (p *Pool) Get() any {
	if x := get(p); x != nil {
		return x
	}
	if p.New != nil {
		return p.New()
	}
	return nil
}
