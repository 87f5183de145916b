// A weighted semaphore serves waiters in order. When the first one, who wants much, is cancelled, the next ones are not looked
// at, although they would fit.
// Source: https://github.com/golang/go/issues/37852
// Kind: blocking, missed wakeup on cancel.

package blocking2

import (
	"slices"
	"sync"
	"testing"
)

type cancelWaiter struct {
	n     int
	ready chan struct{}
}

type cancelSemaphore struct {
	mu         sync.Mutex
	free       int
	waiters    []*cancelWaiter
	wakeOnQuit bool
}

func (s *cancelSemaphore) acquire(cancel <-chan struct{}, n int) bool {
	s.mu.Lock()
	if len(s.waiters) == 0 && s.free >= n {
		s.free -= n
		s.mu.Unlock()
		return true
	}
	w := &cancelWaiter{n, make(chan struct{})}
	s.waiters = append(s.waiters, w)
	s.mu.Unlock()
	select {
	case <-w.ready:
		return true
	case <-cancel:
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.waiters, w)
	if i < 0 {
		return true // served at the same time
	}
	s.waiters = slices.Delete(s.waiters, i, i+1)
	if s.wakeOnQuit {
		s.wake()
	}
	return false
}

func (s *cancelSemaphore) wake() {
	for len(s.waiters) > 0 && s.waiters[0].n <= s.free {
		s.free -= s.waiters[0].n
		close(s.waiters[0].ready)
		s.waiters = s.waiters[1:]
	}
}

func (s *cancelSemaphore) release(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free += n
	s.wake()
}

func cancelRun(t *testing.T, s *cancelSemaphore) {
	s.free = 2
	s.acquire(nil, 1)
	cancel := make(chan struct{})
	var big, small sync.WaitGroup
	big.Add(1)
	small.Add(1)
	go func() {
		defer big.Done()
		if s.acquire(cancel, 2) {
			t.Error("two of one acquired")
		}
	}()
	go func() {
		defer small.Done()
		s.acquire(nil, 1)
		s.release(1)
	}()
	close(cancel)
	big.Wait()
	small.Wait()
	s.release(1)
}

func TestSemaphoreCancelFrontWaiter(t *testing.T) { cancelRun(t, &cancelSemaphore{}) }
func TestSemaphoreCancelFrontWaiterFixed(t *testing.T) {
	cancelRun(t, &cancelSemaphore{wakeOnQuit: true})
}
