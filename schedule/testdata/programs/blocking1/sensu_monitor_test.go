// A monitor sends its reset on an unbuffered channel while it holds its mutex; the loop that receives takes the same mutex in
// another case of its select.
// Source: https://github.com/sensu/sensu-go/issues/1264
// Kind: blocking, channel send under lock.

package blocking1

import (
	"sync"
	"testing"
)

type sensuMonitor struct {
	mu      sync.Mutex
	failing bool
	timeout chan struct{}
	resets  chan int
	stop    chan struct{}
}

func (m *sensuMonitor) loop() {
	for {
		select {
		case <-m.resets:
		case <-m.timeout:
			m.mu.Lock()
			m.failing = true
			m.mu.Unlock()
		case <-m.stop:
			return
		}
	}
}

func (m *sensuMonitor) update() {
	m.mu.Lock()
	m.failing = false
	m.resets <- 1
	m.mu.Unlock()
}

func (m *sensuMonitor) updateFixed() {
	m.mu.Lock()
	m.failing = false
	m.mu.Unlock()
	m.resets <- 1
}

func sensuRun(update func(*sensuMonitor)) {
	m := &sensuMonitor{timeout: make(chan struct{}), resets: make(chan int), stop: make(chan struct{})}
	var loop, callers sync.WaitGroup
	loop.Add(1)
	go func() {
		defer loop.Done()
		m.loop()
	}()
	callers.Add(2)
	go func() {
		defer callers.Done()
		update(m)
	}()
	go func() {
		defer callers.Done()
		m.timeout <- struct{}{}
	}()
	callers.Wait()
	close(m.stop)
	loop.Wait()
}

func TestSensuMonitorSendUnderLock(t *testing.T)      { sensuRun((*sensuMonitor).update) }
func TestSensuMonitorSendUnderLockFixed(t *testing.T) { sensuRun((*sensuMonitor).updateFixed) }
