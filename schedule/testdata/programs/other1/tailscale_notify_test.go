// State is changed under a lock, listeners are told after it was given back: they may hear of two changes in the wrong order and
// keep the older one.
// Source: https://github.com/tailscale/tailscale/issues/7551
// Kind: order of notifications.

package other1

import (
	"sync"
	"testing"
)

type notifyBackend struct {
	mu    sync.Mutex
	state int
	bus   chan int
}

func (b *notifyBackend) add(n int) {
	b.mu.Lock()
	b.state += n
	state := b.state
	b.mu.Unlock()
	b.bus <- state
}

func (b *notifyBackend) addFixed(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.state += n
	b.bus <- b.state
}

func notifyRun(t *testing.T, add func(*notifyBackend, int)) {
	b := &notifyBackend{bus: make(chan int, 4)}
	var wg sync.WaitGroup
	for _, n := range []int{1, 10} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			add(b, n)
		}()
	}
	wg.Wait()
	close(b.bus)
	last := 0
	for last = range b.bus {
	}
	if last != b.state {
		t.Errorf("the last notification says %d, the state is %d", last, b.state)
	}
}

func TestTailscaleNotifyOrder(t *testing.T)      { notifyRun(t, (*notifyBackend).add) }
func TestTailscaleNotifyOrderFixed(t *testing.T) { notifyRun(t, (*notifyBackend).addFixed) }
