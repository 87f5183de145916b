// The timeout of a monitor looks whether it is closed and then sends on its failure channel, which a concurrent close has closed.
// Source: https://github.com/sensu/sensu-go/issues/970
// Kind: send on closed channel.

package other2

import (
	"sync"
	"testing"
)

type timeoutMonitor struct {
	mu       sync.Mutex
	closed   bool
	failures chan int
}

func (m *timeoutMonitor) isClosed() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.closed
}

func (m *timeoutMonitor) timeout() {
	if !m.isClosed() {
		m.failures <- 1
	}
}

func (m *timeoutMonitor) timeoutFixed() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.closed {
		m.failures <- 1
	}
}

func (m *timeoutMonitor) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	close(m.failures)
}

func timeoutRun(timeout func(*timeoutMonitor)) {
	m := &timeoutMonitor{failures: make(chan int, 2)}
	var handler, timers sync.WaitGroup
	handler.Add(1)
	go func() {
		defer handler.Done()
		for range m.failures {
			work()
		}
	}()
	for range 2 {
		timers.Add(1)
		go func() {
			defer timers.Done()
			timeout(m)
		}()
	}
	m.close()
	timers.Wait()
	handler.Wait()
}

func TestSensuTimeoutAfterClose(t *testing.T)      { timeoutRun((*timeoutMonitor).timeout) }
func TestSensuTimeoutAfterCloseFixed(t *testing.T) { timeoutRun((*timeoutMonitor).timeoutFixed) }
