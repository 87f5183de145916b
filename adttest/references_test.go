package adttest

import (
	"slices"
	"sync"

	"github.com/adtinfer/adtinfer/reference"
)

// The references below are plain; the types under test in right_test.go and
// planted_test.go do the same behind a mutex, or something else.

// sets is a set; its theory's language speaks of answers.
type sets struct{ m map[int]bool }

func newSets() *sets { return &sets{map[int]bool{}} }

func (s *sets) Add(v int) bool {
	if s.m[v] {
		return false
	}
	s.m[v] = true
	return true
}

func (s *sets) Remove(v int) bool {
	if !s.m[v] {
		return false
	}
	delete(s.m, v)
	return true
}

func (s *sets) Has(v int) bool { return s.m[v] }

// counter has no theory of patterns.
type counter struct{ n int }

func newCounter() *counter { return &counter{} }

func (c *counter) Inc()     { c.n++ }
func (c *counter) Get() int { return c.n }

// lru forgets the key that was used longest ago, beyond so many.
type lru struct {
	room int
	keys []int // the latest last
	m    map[int]int
}

func newLRU(room int) *lru { return &lru{room: room, m: map[int]int{}} }
func newLRU128() *lru      { return newLRU(128) }

func (l *lru) use(k int) {
	l.keys = append(slices.DeleteFunc(l.keys, func(x int) bool { return x == k }), k)
}

func (l *lru) Put(k, v int) {
	l.m[k] = v
	if l.use(k); len(l.keys) > l.room {
		delete(l.m, l.keys[0])
		l.keys = l.keys[1:]
	}
}

func (l *lru) Get(k int) (int, bool) {
	v, ok := l.m[k]
	if ok {
		l.use(k)
	}
	return v, ok
}

// ring is a queue with room for some values.
type ring struct {
	room   int
	values []int
}

func newRing() *ring      { return &ring{room: 8} }
func newSmallRing() *ring { return &ring{room: 2} }

func (r *ring) Put(v int) bool {
	if len(r.values) == r.room {
		return false
	}
	r.values = append(r.values, v)
	return true
}

func (r *ring) Take() (int, bool) {
	if len(r.values) == 0 {
		return 0, false
	}
	v := r.values[0]
	r.values = r.values[1:]
	return v, true
}

// tired is a queue that is a stack from its tenth value on.
type tired struct {
	values []int
	puts   int
}

func newTired() *tired { return &tired{} }

func (q *tired) Put(v int) {
	q.puts++
	q.values = append(q.values, v)
}

func (q *tired) Take() (int, bool) {
	n := len(q.values)
	if n == 0 {
		return 0, false
	}
	k := 0
	if q.puts >= 10 {
		k = n - 1
	}
	v := q.values[k]
	q.values = append(q.values[:k:k], q.values[k+1:]...)
	return v, true
}

// pipe is a queue whose Take waits.
type pipe struct{ values []int }

func newPipe() *pipe { return &pipe{} }

func (p *pipe) Put(v int) { p.values = append(p.values, v) }

func (p *pipe) Take() int {
	if len(p.values) == 0 {
		panic(reference.Blocked)
	}
	v := p.values[0]
	p.values = p.values[1:]
	return v
}

// locked are the references behind a mutex: right.
type (
	lockedSets struct {
		mu sync.Mutex
		s  *sets
	}
	lockedCounter struct {
		mu sync.Mutex
		c  *counter
	}
	lockedLRU struct {
		mu sync.Mutex
		l  *lru
	}
	lockedRing struct {
		mu sync.Mutex
		r  *ring
	}
	lockedTired struct {
		mu sync.Mutex
		q  *tired
	}
)

// with calls f behind the mutex.
func with[T any](mu *sync.Mutex, f func() T) T {
	mu.Lock()
	defer mu.Unlock()
	return f()
}

func without(mu *sync.Mutex, f func()) {
	mu.Lock()
	defer mu.Unlock()
	f()
}

func (s *lockedSets) Add(v int) bool    { return with(&s.mu, func() bool { return s.s.Add(v) }) }
func (s *lockedSets) Remove(v int) bool { return with(&s.mu, func() bool { return s.s.Remove(v) }) }
func (s *lockedSets) Has(v int) bool    { return with(&s.mu, func() bool { return s.s.Has(v) }) }

func (c *lockedCounter) Inc()     { without(&c.mu, c.c.Inc) }
func (c *lockedCounter) Get() int { return with(&c.mu, c.c.Get) }

func (l *lockedLRU) Put(k, v int) { without(&l.mu, func() { l.l.Put(k, v) }) }
func (l *lockedLRU) Get(k int) (int, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.l.Get(k)
}

func (r *lockedRing) Put(v int) bool { return with(&r.mu, func() bool { return r.r.Put(v) }) }
func (r *lockedRing) Take() (int, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.r.Take()
}

func (q *lockedTired) Put(v int) { without(&q.mu, func() { q.q.Put(v) }) }
func (q *lockedTired) Take() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.q.Take()
}

func newLockedSets() *lockedSets       { return &lockedSets{s: newSets()} }
func newLockedCounter() *lockedCounter { return &lockedCounter{c: newCounter()} }
func newLockedLRU() *lockedLRU         { return &lockedLRU{l: newLRU128()} }
func newLockedRing() *lockedRing       { return &lockedRing{r: newRing()} }
func newLockedTired() *lockedTired     { return &lockedTired{q: newTired()} }
