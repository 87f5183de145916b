// A work queue that becomes idle signals once, but two goroutines wait for it to drain.
// Source: https://github.com/kubernetes/kubernetes/pull/141079
// Kind: blocking, Signal instead of Broadcast.

package blocking2

import (
	"sync"
	"testing"
)

type drainQueue struct {
	mu         sync.Mutex
	cond       *sync.Cond
	items      []int
	processing int
	closing    bool
}

func (q *drainQueue) get() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 && !q.closing {
		q.cond.Wait()
	}
	if len(q.items) == 0 {
		return 0, false
	}
	v := q.items[0]
	q.items = q.items[1:]
	q.processing++
	return v, true
}

func (q *drainQueue) done(wake func(*sync.Cond)) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.processing--; q.processing == 0 {
		wake(q.cond)
	}
}

func (q *drainQueue) shutDownWithDrain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closing = true
	q.cond.Broadcast()
	for q.processing > 0 {
		q.cond.Wait()
	}
}

func drainRun(t *testing.T, wake func(*sync.Cond)) {
	q := &drainQueue{items: []int{1}}
	q.cond = sync.NewCond(&q.mu)
	if _, ok := q.get(); !ok {
		t.Error("no item")
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			q.shutDownWithDrain()
		}()
	}
	q.done(wake)
	wg.Wait()
}

func TestWorkqueueDrainSignal(t *testing.T)      { drainRun(t, (*sync.Cond).Signal) }
func TestWorkqueueDrainSignalFixed(t *testing.T) { drainRun(t, (*sync.Cond).Broadcast) }
