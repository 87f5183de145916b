// Shutdown and refresh both stop a device: each finds the channel not nil, closes it and sets it to nil, without a lock.
// Source: https://github.com/cnrancher/octopus/issues/133
// Kind: double close after a check, data race.

package other1

import (
	"sync"
	"testing"
)

type octopusDevice struct {
	mu   sync.Mutex
	stop chan struct{}
}

func (d *octopusDevice) stopMock() {
	if d.stop != nil {
		close(d.stop)
		d.stop = nil
	}
}

func (d *octopusDevice) stopMockFixed() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stopMock()
}

func octopusRun(stopMock func(*octopusDevice)) {
	d := &octopusDevice{stop: make(chan struct{})}
	stop := d.stop
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { // the mock
		defer wg.Done()
		<-stop
	}()
	go func() { // refresh
		defer wg.Done()
		stopMock(d)
	}()
	stopMock(d) // shutdown
	wg.Wait()
}

func TestOctopusDoubleStop(t *testing.T)      { octopusRun((*octopusDevice).stopMock) }
func TestOctopusDoubleStopFixed(t *testing.T) { octopusRun((*octopusDevice).stopMockFixed) }
