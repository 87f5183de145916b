// A worker is started without asking whether the stopper has stopped: it may be counted after the stopper has waited, and uses an
// engine that is closed.
// Source: https://github.com/cockroachdb/cockroach/pull/29125
// Kind: use after close, WaitGroup raised too late.

package other2

import (
	"sync"
	"sync/atomic"
	"testing"
)

type workerStopper struct {
	mu       sync.Mutex
	stopping bool
	workers  sync.WaitGroup
	engine   atomic.Bool // open
}

func (s *workerStopper) runWorker(f func()) {
	s.workers.Add(1)
	go func() {
		defer s.workers.Done()
		f()
	}()
}

func (s *workerStopper) runAsyncTask(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.stopping {
		s.runWorker(f)
	}
}

func (s *workerStopper) stop() {
	s.mu.Lock()
	s.stopping = true
	s.mu.Unlock()
	s.workers.Wait()
	s.engine.Store(false)
}

func workerRun(t *testing.T, start func(*workerStopper, func())) {
	s := &workerStopper{}
	s.engine.Store(true)
	s.runWorker(work)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		start(s, func() {
			if !s.engine.Load() {
				t.Error("a worker uses a closed engine")
			}
		})
	}()
	s.stop()
	wg.Wait()
	s.workers.Wait()
}

func TestCockroachWorkerAfterStop(t *testing.T)      { workerRun(t, (*workerStopper).runWorker) }
func TestCockroachWorkerAfterStopFixed(t *testing.T) { workerRun(t, (*workerStopper).runAsyncTask) }
