// Package scheduled has types with public bugs of concurrency, each written anew from the description at its source. Tests let
// adttest find them by itself: nothing says which calls to make.
package scheduled

import (
	"sync"
	"sync/atomic"
)

// counters loses counts: Load and Store of a sync.Map are two steps.
// https://github.com/orian/counters/pull/5
type counters struct{ m sync.Map }

func (c *counters) Inc(k int) {
	n, _ := c.m.Load(k)
	old, _ := n.(int)
	c.m.Store(k, old+1)
}

func (c *counters) Count(k int) int {
	n, _ := c.m.Load(k)
	count, _ := n.(int)
	return count
}

type plainCounters map[int]int

func (c plainCounters) Inc(k int)       { c[k]++ }
func (c plainCounters) Count(k int) int { return c[k] }

// slots compares only the head of its list of free slots: ABA. https://github.com/giant-tech/go-service/issues/10
type slots struct {
	head atomic.Int32
	next [5]atomic.Int32
	used [5]atomic.Bool
}

func newSlots() *slots {
	s := &slots{}
	for i := range s.next {
		s.used[i].Store(true)
		s.Give(i)
	}
	return s
}

func (s *slots) Take() (int, bool) {
	for {
		head := s.head.Load()
		if head == 0 {
			return 0, false
		}
		if s.head.CompareAndSwap(head, s.next[head].Load()) {
			s.used[head].Store(true)
			return int(head), true
		}
	}
}

func (s *slots) Give(i int) bool {
	if i < 1 || i >= len(s.next) || !s.used[i].CompareAndSwap(true, false) {
		return false
	}
	for {
		head := s.head.Load()
		s.next[i].Store(head)
		if s.head.CompareAndSwap(head, int32(i)) {
			return true
		}
	}
}

type plainSlots struct {
	free []int
	used [5]bool
}

func newPlainSlots() *plainSlots { return &plainSlots{free: []int{1, 2, 3, 4}} }

func (s *plainSlots) Take() (int, bool) {
	if len(s.free) == 0 {
		return 0, false
	}
	i := s.free[len(s.free)-1]
	s.free, s.used[i] = s.free[:len(s.free)-1], true
	return i, true
}

func (s *plainSlots) Give(i int) bool {
	if i < 1 || i >= len(s.used) || !s.used[i] {
		return false
	}
	s.free, s.used[i] = append(s.free, i), false
	return true
}

// maximum loads and stores in two steps. https://github.com/Z3NTL3/ProxyBeast/issues/20
type maximum struct{ n atomic.Int64 }

func (m *maximum) Offer(v int) {
	if int64(v) > m.n.Load() {
		m.n.Store(int64(v))
	}
}

func (m *maximum) Max() int { return int(m.n.Load()) }

type plainMaximum struct{ n int }

func (m *plainMaximum) Offer(v int) { m.n = max(m.n, v) }
func (m *plainMaximum) Max() int    { return m.n }

// limit compares the number of requests with what is allowed, and adds later. https://github.com/grpc/grpc-go/pull/4321
type limit struct{ running atomic.Int32 }

const allowed = 2

func (l *limit) Start() bool {
	if l.running.Load() >= allowed {
		return false
	}
	l.running.Add(1)
	return true
}

func (l *limit) End() bool { return lower(&l.running) }

func lower(n *atomic.Int32) bool {
	for {
		old := n.Load()
		if old == 0 {
			return false
		}
		if n.CompareAndSwap(old, old-1) {
			return true
		}
	}
}

// crowd checks its capacity under one lock, and counts under another one. https://github.com/panjf2000/ants/issues/374
type crowd struct {
	mu sync.Mutex
	n  int
}

func (c *crowd) full() bool { c.mu.Lock(); defer c.mu.Unlock(); return c.n >= allowed }

func (c *crowd) Start() bool {
	if c.full() {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return true
}

func (c *crowd) End() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == 0 {
		return false
	}
	c.n--
	return true
}

type plainLimit struct{ n int }

func (l *plainLimit) Start() bool {
	if l.n >= allowed {
		return false
	}
	l.n++
	return true
}

func (l *plainLimit) End() bool {
	if l.n == 0 {
		return false
	}
	l.n--
	return true
}

// visits makes a missing entry without a second look. https://github.com/syncthing/syncthing/pull/5975
type visits struct {
	mu sync.RWMutex
	m  map[int]*atomic.Int64
}

func (v *visits) Visit(k int) int {
	v.mu.RLock()
	n := v.m[k]
	v.mu.RUnlock()
	if n == nil {
		n = new(atomic.Int64)
		v.mu.Lock()
		v.m[k] = n
		v.mu.Unlock()
	}
	return int(n.Add(1))
}

type plainVisits map[int]int

func (v plainVisits) Visit(k int) int { v[k]++; return v[k] }

// refs takes a reference by looking at the count, and adds one later. https://github.com/grpc/grpc-go/pull/9189
type refs struct{ n atomic.Int32 }

func newRefs() *refs { r := new(refs); r.n.Store(1); return r }

func (r *refs) Acquire() bool {
	if r.n.Load() == 0 {
		return false
	}
	r.n.Add(1)
	return true
}

func (r *refs) Release() bool { return lower(&r.n) }

type plainRefs struct{ n int }

func (r *plainRefs) Acquire() bool {
	if r.n == 0 {
		return false
	}
	r.n++
	return true
}

func (r *plainRefs) Release() bool {
	if r.n == 0 {
		return false
	}
	r.n--
	return true
}

// stopper looks whether it has stopped, and closes its channel later. https://github.com/temporalio/sdk-go/issues/855
type stopper struct{ done chan struct{} }

func (s *stopper) Stop() {
	if !s.Stopped() {
		close(s.done)
	}
}

func (s *stopper) Stopped() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

type plainStopper struct{ stopped bool }

func (s *plainStopper) Stop()         { s.stopped = true }
func (s *plainStopper) Stopped() bool { return s.stopped }

// hits counts under a lock for readers. https://github.com/dankomiocevic/ghoti/pull/87
type hits struct {
	mu sync.RWMutex
	n  int
}

func (h *hits) Hit() int { h.mu.RLock(); defer h.mu.RUnlock(); h.n++; return h.n }

type plainHits struct{ n int }

func (h *plainHits) Hit() int { h.n++; return h.n }
