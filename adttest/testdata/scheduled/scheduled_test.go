// Package scheduled has types that fail under few schedules.
package scheduled

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/adtinfer/adtinfer/adttest"
)

type counter struct{ n atomic.Int64 }

func (c *counter) Inc() int64 {
	v := c.n.Load()
	c.n.Store(v + 1)
	return v + 1
}

type plainCounter struct{ n int64 }

func (c *plainCounter) Inc() int64 { c.n++; return c.n }

// queue looks and takes under two locks.
type queue struct{ good }

func (q *queue) Take() (int, bool) {
	if q.size() == 0 {
		return 0, false
	}
	return q.good.Take()
}

func (q *queue) size() int { q.mu.Lock(); defer q.mu.Unlock(); return len(q.vs) }

type good struct {
	mu sync.Mutex
	vs []int
}

func (q *good) Add(v int) { q.mu.Lock(); q.vs = append(q.vs, v); q.mu.Unlock() }

func (q *good) Take() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.vs) == 0 {
		return 0, false
	}
	v := q.vs[0]
	q.vs = q.vs[1:]
	return v, true
}

// twice takes what it saw: two calls may take the same.
type twice struct{ good }

func (q *twice) Take() (int, bool) {
	q.mu.Lock()
	if len(q.vs) == 0 {
		q.mu.Unlock()
		return 0, false
	}
	v := q.vs[0]
	q.mu.Unlock()
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.vs) > 0 {
		q.vs = q.vs[1:]
	}
	return v, true
}

type plainQueue struct{ vs []int }

func (q *plainQueue) Add(v int) { q.vs = append(q.vs, v) }

func (q *plainQueue) Take() (int, bool) {
	if len(q.vs) == 0 {
		return 0, false
	}
	v := q.vs[0]
	q.vs = q.vs[1:]
	return v, true
}

func newPlain() *plainQueue { return new(plainQueue) }

func TestCounter(t *testing.T) {
	adttest.Run(t, adttest.Config{New: func() *counter { return new(counter) }, Reference: func() *plainCounter { return new(plainCounter) }})
}

func TestGood(t *testing.T) {
	adttest.Run(t, adttest.Config{New: func() *good { return new(good) }, Reference: newPlain})
}

func TestQueue(t *testing.T) { // right by luck: Take looks again
	adttest.Run(t, adttest.Config{New: func() *queue { return new(queue) }, Reference: newPlain})
}

// TestSecond fails in the second call of Run of a subtest.
func TestSecond(t *testing.T) {
	t.Run("twice", func(t *testing.T) {
		adttest.Run(t, adttest.Config{New: func() *good { return new(good) }, Reference: newPlain})
		adttest.Run(t, adttest.Config{New: func() *twice { return new(twice) }, Reference: newPlain})
	})
}

// dying starts a goroutine that panics if nobody was faster.
type dying struct{ good }

func (q *dying) Add(v int) {
	q.good.Add(v)
	go func() {
		if v, ok := q.good.Take(); ok && v > 1 {
			panic("too late")
		} else if ok {
			q.good.Add(v)
		}
	}()
}

func TestDying(t *testing.T) {
	adttest.Run(t, adttest.Config{New: func() *dying { return new(dying) }, Reference: newPlain, Skip: []string{"Take"}})
}
