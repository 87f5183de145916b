// Releasing tells waiters only if the semaphore was full, but one who wants two may wait while it is not.
// Source: https://github.com/marusama/semaphore/pull/4
// Kind: blocking, missed broadcast.

package blocking1

import (
	"sync"
	"testing"
)

type weightSemaphore struct {
	mu     sync.Mutex
	count  int
	limit  int
	freed  chan struct{}
	always bool
}

func (s *weightSemaphore) acquire(n int) {
	s.mu.Lock()
	for s.count+n > s.limit {
		freed := s.freed
		s.mu.Unlock()
		<-freed
		s.mu.Lock()
	}
	s.count += n
	s.mu.Unlock()
}

func (s *weightSemaphore) release(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.always || s.count >= s.limit {
		close(s.freed)
		s.freed = make(chan struct{})
	}
	s.count -= n
}

func weightRun(s *weightSemaphore) {
	s.limit, s.freed = 3, make(chan struct{})
	var wg sync.WaitGroup
	for _, n := range []int{1, 1, 2} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s.acquire(n)
			work()
			s.release(n)
		}()
	}
	wg.Wait()
}

func TestMarusamaReleaseThreshold(t *testing.T)      { weightRun(&weightSemaphore{}) }
func TestMarusamaReleaseThresholdFixed(t *testing.T) { weightRun(&weightSemaphore{always: true}) }
