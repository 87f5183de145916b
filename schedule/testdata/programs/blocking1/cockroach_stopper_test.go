// A stopper runs its closers with its mutex held; a closer takes a replica's mutex, whose holder starts a task at the stopper.
// Source: https://github.com/cockroachdb/cockroach/pull/63867
// Kind: blocking, lock order through a callback.

package blocking1

import (
	"sync"
	"testing"
)

type crdbStopper struct {
	mu      sync.Mutex
	stopped bool
	closers []func()
	tasks   sync.WaitGroup
}

func (s *crdbStopper) runAsync(f func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return false
	}
	s.tasks.Add(1)
	go func() {
		defer s.tasks.Done()
		f()
	}()
	return true
}

func (s *crdbStopper) stop() {
	s.mu.Lock()
	s.stopped = true
	for _, c := range s.closers {
		c()
	}
	s.mu.Unlock()
	s.tasks.Wait()
}

func (s *crdbStopper) stopFixed() {
	s.mu.Lock()
	s.stopped = true
	closers := s.closers
	s.mu.Unlock()
	for _, c := range closers {
		c()
	}
	s.tasks.Wait()
}

type crdbReplica struct {
	mu        sync.Mutex
	destroyed bool
}

func crdbRun(stop func(*crdbStopper)) {
	var s crdbStopper
	var r crdbReplica
	s.closers = append(s.closers, func() {
		r.mu.Lock()
		r.destroyed = true
		r.mu.Unlock()
	})
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		r.mu.Lock()
		defer r.mu.Unlock()
		if !r.destroyed {
			s.runAsync(work)
		}
	}()
	stop(&s)
	wg.Wait()
}

func TestCockroachStopperClosers(t *testing.T)      { crdbRun((*crdbStopper).stop) }
func TestCockroachStopperClosersFixed(t *testing.T) { crdbRun((*crdbStopper).stopFixed) }
