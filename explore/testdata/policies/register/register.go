// Package register is a register whose writes wait for a turn.
package register

import (
	"sync"
	"sync/atomic"
)

type Register struct {
	mu    sync.Mutex
	value atomic.Int64
}

func New() *Register { return &Register{} }

func (r *Register) Write(v int) {
	r.mu.Lock()
	r.value.Store(int64(v)) //lin: write(v)
	r.mu.Unlock()
}

func (r *Register) Read() int {
	v := int(r.value.Load())
	//lin: read() = v
	return v
}
