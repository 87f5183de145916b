package scheduled

import (
	"sync"
	"sync/atomic"

	"github.com/adtinfer/adtinfer/reference"
)

// cached drops what it read if something changed since, but the look and the store are two steps.
// https://github.com/jibanez74/Igloo/pull/121
type cached struct {
	db, gen atomic.Int64
	mu      sync.Mutex
	filled  bool
	entry   int64
}

func (c *cached) Read() int {
	c.mu.Lock()
	filled, entry := c.filled, c.entry
	c.mu.Unlock()
	if filled {
		return int(entry)
	}
	gen := c.gen.Load()
	v := c.db.Load()
	if c.gen.Load() == gen {
		c.mu.Lock()
		c.filled, c.entry = true, v
		c.mu.Unlock()
	}
	return int(v)
}

func (c *cached) Write(v int) {
	c.db.Store(int64(v))
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gen.Add(1)
	c.filled = false
}

type plainCell struct{ v int }

func (c *plainCell) Read() int   { return c.v }
func (c *plainCell) Write(v int) { c.v = v }

// weights wakes those who wait only if it was full, but one who wants two may wait while it is not.
// https://github.com/marusama/semaphore/pull/4
type weights struct {
	mu    sync.Mutex
	n     int
	freed chan struct{}
}

const most = 3

func newWeights() *weights { return &weights{freed: make(chan struct{})} }

func (w *weights) One() { w.acquire(1) }
func (w *weights) Two() { w.acquire(2) }

func (w *weights) acquire(n int) {
	w.mu.Lock()
	for w.n+n > most {
		freed := w.freed
		w.mu.Unlock()
		<-freed
		w.mu.Lock()
	}
	w.n += n
	w.mu.Unlock()
}

func (w *weights) Free() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.n == 0 {
		return false
	}
	if w.n >= most {
		close(w.freed)
		w.freed = make(chan struct{})
	}
	w.n--
	return true
}

type plainWeights struct{ n int }

func (w *plainWeights) One() { w.acquire(1) }
func (w *plainWeights) Two() { w.acquire(2) }

func (w *plainWeights) acquire(n int) {
	if w.n+n > most {
		panic(reference.Blocked)
	}
	w.n += n
}

func (w *plainWeights) Free() bool {
	if w.n == 0 {
		return false
	}
	w.n--
	return true
}

// first says that it has a value before the value is there. https://github.com/astavonin/go-optimization-guide/issues/18
type first struct {
	has atomic.Bool
	v   atomic.Int64
}

func (f *first) Get(v int) int {
	if f.has.CompareAndSwap(false, true) {
		f.v.Store(int64(v))
	}
	return int(f.v.Load())
}

type plainFirst struct {
	has bool
	v   int
}

func (f *plainFirst) Get(v int) int {
	if !f.has {
		f.has, f.v = true, v
	}
	return f.v
}

// sender looks whether it is closed, and sends later. https://github.com/sensu/sensu-go/issues/970
type sender struct {
	closed atomic.Bool
	c      chan int
}

func newSender() *sender { return &sender{c: make(chan int, 100)} }

func (s *sender) Send(v int) bool {
	if s.closed.Load() {
		return false
	}
	s.c <- v
	return true
}

func (s *sender) Close() bool {
	if s.closed.Swap(true) {
		return false
	}
	close(s.c)
	return true
}

type plainSender struct{ closed bool }

func (s *plainSender) Send(v int) bool { return !s.closed }

func (s *plainSender) Close() bool { was := s.closed; s.closed = true; return !was }

// idle looks whether it is closed, and adds a connection later. https://github.com/redis/go-redis/pull/1863
type idle struct {
	closed atomic.Bool
	mu     sync.Mutex
	conns  int
}

func (p *idle) Put() bool {
	if p.closed.Load() {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conns++
	return true
}

func (p *idle) Close() {
	p.closed.Store(true)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conns = 0
}

func (p *idle) Len() int { p.mu.Lock(); defer p.mu.Unlock(); return p.conns }

type plainIdle struct {
	closed bool
	conns  int
}

func (p *plainIdle) Put() bool {
	if !p.closed {
		p.conns++
	}
	return !p.closed
}

func (p *plainIdle) Close()   { p.closed, p.conns = true, 0 }
func (p *plainIdle) Len() int { return p.conns }

type plainQueue struct{ vs []int }

func (q *plainQueue) Add(v int) { q.vs = append(q.vs, v) }

func (q *plainQueue) Take() int {
	if len(q.vs) == 0 {
		panic(reference.Blocked)
	}
	v := q.vs[0]
	q.vs = q.vs[1:]
	return v
}
