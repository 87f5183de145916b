// A resync distributes to listeners before they were started: it holds the lock and blocks on a listener's channel, while the
// starter waits for the lock.
// Source: https://github.com/kubernetes/kubernetes/pull/136509
// Kind: blocking, channel send under lock before the receiver starts.

package blocking2

import (
	"sync"
	"testing"
)

type kubeProcessor struct {
	lock      sync.RWMutex
	listeners []chan int
	started   chan struct{}
	running   sync.WaitGroup
	seen      [2]int
}

func (p *kubeProcessor) run() {
	p.lock.RLock()
	defer p.lock.RUnlock()
	for i, l := range p.listeners {
		p.running.Add(1)
		go func() {
			defer p.running.Done()
			for v := range l {
				p.seen[i] += v
			}
		}()
	}
	close(p.started)
}

func (p *kubeProcessor) distribute(v int) {
	p.lock.Lock()
	defer p.lock.Unlock()
	for _, l := range p.listeners {
		l <- v
	}
}

func kubeRun(t *testing.T, distribute func(*kubeProcessor, int)) {
	p := &kubeProcessor{listeners: []chan int{make(chan int), make(chan int)}, started: make(chan struct{})}
	var resync sync.WaitGroup
	resync.Add(1)
	go func() {
		defer resync.Done()
		distribute(p, 7)
	}()
	p.run()
	resync.Wait()
	for _, l := range p.listeners {
		close(l)
	}
	p.running.Wait()
	if p.seen != [2]int{7, 7} {
		t.Errorf("listeners saw %v", p.seen)
	}
}

func TestKubeInformerEarlyResync(t *testing.T) { kubeRun(t, (*kubeProcessor).distribute) }

func TestKubeInformerEarlyResyncFixed(t *testing.T) {
	kubeRun(t, func(p *kubeProcessor, v int) {
		<-p.started
		p.distribute(v)
	})
}
