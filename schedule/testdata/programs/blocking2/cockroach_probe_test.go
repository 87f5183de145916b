// A connection waits for its first probe. If the stopper refuses the probe, or the probe leaves because of the stopper, nobody
// settles the future the caller waits for.
// Source: https://github.com/cockroachdb/cockroach/pull/104945
// Kind: blocking, future never settled.

package blocking2

import (
	"errors"
	"sync"
	"testing"
)

var errQuiescing = errors.New("quiescing")

type probeStopper struct {
	mu        sync.Mutex
	quiescing chan struct{}
	stopped   bool
	tasks     sync.WaitGroup
}

func (s *probeStopper) runAsync(f func()) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return errQuiescing
	}
	s.tasks.Add(1)
	go func() {
		defer s.tasks.Done()
		f()
	}()
	return nil
}

func (s *probeStopper) quiesce() {
	s.mu.Lock()
	s.stopped = true
	close(s.quiescing)
	s.mu.Unlock()
	s.tasks.Wait()
}

type probeFuture struct {
	once sync.Once
	done chan struct{}
	err  error
}

func (f *probeFuture) settle(err error) {
	f.once.Do(func() {
		f.err = err
		close(f.done)
	})
}

func connect(s *probeStopper, fixed bool) error {
	f := &probeFuture{done: make(chan struct{})}
	err := s.runAsync(func() {
		select {
		case <-s.quiescing:
			if fixed {
				f.settle(errQuiescing)
			}
		default:
			f.settle(nil)
		}
	})
	if err != nil && fixed {
		f.settle(err)
	}
	<-f.done
	return f.err
}

func probeRun(fixed bool) {
	s := &probeStopper{quiescing: make(chan struct{})}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		s.quiesce()
	}()
	connect(s, fixed)
	wg.Wait()
}

func TestCockroachProbeFuture(t *testing.T)      { probeRun(false) }
func TestCockroachProbeFutureFixed(t *testing.T) { probeRun(true) }
