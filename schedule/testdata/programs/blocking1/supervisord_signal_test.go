// The callback of a started process signals a condition without its lock, perhaps before the starter waits: the signal is lost.
// Source: https://github.com/ochinchina/supervisord/issues/223
// Kind: blocking, missed signal.

package blocking1

import (
	"sync"
	"testing"
)

func supervisordRun(callback func(*sync.Cond)) {
	cond := sync.NewCond(&sync.Mutex{})
	var wg sync.WaitGroup
	for range 2 {
		cond.L.Lock()
		wg.Add(1)
		go func() {
			defer wg.Done()
			work() // the process starts
			callback(cond)
		}()
		cond.Wait()
		cond.L.Unlock()
	}
	wg.Wait()
}

func TestSupervisordSignalBeforeWait(t *testing.T) {
	supervisordRun((*sync.Cond).Signal)
}

func TestSupervisordSignalBeforeWaitFixed(t *testing.T) {
	supervisordRun(func(c *sync.Cond) {
		c.L.Lock()
		c.Signal()
		c.L.Unlock()
	})
}
