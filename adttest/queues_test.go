package adttest

import (
	"errors"
	"sync"

	"github.com/adtinfer/adtinfer/examples/queue"
)

// plain is a queue behind a mutex: right.
type plain struct{ queue.Queue }

func newPlain() *plain { return &plain{} }

// halves is what the wrong queues below are made of: a slice that is only ever
// looked at behind a mutex, so that there is no data race.
type halves struct {
	mu     sync.Mutex
	values []int
}

func (q *halves) get() []int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.values
}

// add appends, in one step.
func (q *halves) add(v int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.values = append(q.values[:len(q.values):len(q.values)], v)
}

// remove takes the value at i, in one step.
func (q *halves) remove(i func(n int) int) (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := len(q.values)
	if n == 0 {
		return 0, false
	}
	k := i(n)
	v := q.values[k]
	q.values = append(q.values[:k:k], q.values[k+1:]...)
	return v, true
}

func first(int) int { return 0 }

// loses drops what is added while somebody else adds.
type loses struct {
	halves
	busy sync.Mutex
}

func newLoses() *loses { return &loses{} }
func (q *loses) Add(v int) {
	if q.busy.TryLock() {
		defer q.busy.Unlock()
		Yield()
		q.add(v)
	}
}
func (q *loses) Remove() (int, bool) { return q.remove(first) }

// doubles hands out a value twice.
type doubles struct{ halves }

func newDoubles() *doubles   { return &doubles{} }
func (q *doubles) Add(v int) { q.add(v) }
func (q *doubles) Remove() (int, bool) {
	values := q.get()
	if len(values) == 0 {
		return 0, false
	}
	Yield()
	q.remove(first)
	return values[0], true
}

// reorders hands out the second value if there is one.
type reorders struct{ halves }

func newReorders() *reorders  { return &reorders{} }
func (q *reorders) Add(v int) { q.add(v) }
func (q *reorders) Remove() (int, bool) {
	return q.remove(func(n int) int { return min(1, n-1) })
}

// gives gives up and says that it is empty if somebody else is at it.
type gives struct {
	halves
	busy sync.Mutex
}

func newGives() *gives     { return &gives{} }
func (q *gives) Add(v int) { q.add(v) }
func (q *gives) Remove() (int, bool) {
	if !q.busy.TryLock() {
		return 0, false
	}
	defer q.busy.Unlock()
	Yield()
	return q.remove(first)
}

// panics if it finds the queue empty twice.
type panics struct {
	halves
	empty int
}

func newPanics() *panics    { return &panics{} }
func (q *panics) Add(v int) { q.add(v) }
func (q *panics) Remove() (int, bool) {
	v, ok := q.remove(first)
	q.mu.Lock()
	defer q.mu.Unlock()
	if !ok {
		q.empty++
	}
	if q.empty > 1 {
		panic("empty again")
	}
	return v, ok
}

// waits until there is something to remove.
type waits struct {
	values chan int
	closed chan struct{}
}

func newWaits() *waits { return &waits{make(chan int, 100), make(chan struct{})} }

func (q *waits) Add(v int) { q.values <- v }
func (q *waits) Remove() (int, bool) {
	select {
	case v := <-q.values:
		return v, true
	case <-q.closed:
		return 0, false
	}
}

// fails to be made.
func newFails() (*plain, error) { return nil, errors.New("no room") }
