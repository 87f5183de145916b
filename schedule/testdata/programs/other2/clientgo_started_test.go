// Two goroutines run the same processor, and both write that it has started, without a lock.
// Source: https://github.com/kubernetes/client-go/issues/1143
// Kind: data race, equal writes.
// found only with -race

package other2

import (
	"sync"
	"testing"
)

type sharedProcessor struct {
	mu      sync.RWMutex
	started bool
}

func (p *sharedProcessor) run() {
	p.mu.RLock()
	defer p.mu.RUnlock()
	p.started = true
}

func (p *sharedProcessor) runFixed() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.started = true
}

func processorRun(t *testing.T, run func(*sharedProcessor)) {
	p := &sharedProcessor{}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		run(p)
	}()
	run(p)
	wg.Wait()
	if !p.started {
		t.Error("not started")
	}
}

func TestClientGoStarted(t *testing.T)      { processorRun(t, (*sharedProcessor).run) }
func TestClientGoStartedFixed(t *testing.T) { processorRun(t, (*sharedProcessor).runFixed) }
