// Double-checked initialization whose first check reads the flag without the lock.
// Source: https://github.com/jongwoo328/cloudip/issues/69
// Kind: data race.
// found only with -race

package other1

import (
	"sync"
	"sync/atomic"
	"testing"
)

type cloudProvider struct {
	mu    sync.Mutex
	ready bool
	flag  atomic.Bool
	fixed bool
	names []string
}

func (p *cloudProvider) isReady() bool {
	if p.fixed {
		return p.flag.Load()
	}
	return p.ready
}

func (p *cloudProvider) initialize() {
	if p.isReady() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.isReady() {
		return
	}
	p.names = []string{"eu", "us"}
	if p.fixed {
		p.flag.Store(true)
	} else {
		p.ready = true
	}
}

func cloudRun(t *testing.T, p *cloudProvider) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.initialize()
			if len(p.names) != 2 {
				t.Errorf("names = %v", p.names)
			}
		}()
	}
	wg.Wait()
}

func TestCloudipInitFlag(t *testing.T)      { cloudRun(t, &cloudProvider{}) }
func TestCloudipInitFlagFixed(t *testing.T) { cloudRun(t, &cloudProvider{fixed: true}) }
