// A worker's stop channel is closed if a receive shows that it is open; two who stop at once both find it open.
// Source: https://github.com/temporalio/sdk-go/issues/855
// Kind: double close after a check.

package other2

import (
	"sync"
	"testing"
)

type temporalWorker struct {
	once sync.Once
	stop chan struct{}
	loop sync.WaitGroup
}

func (w *temporalWorker) run() {
	defer w.loop.Done()
	<-w.stop
}

func (w *temporalWorker) close() {
	select {
	case <-w.stop:
	default:
		close(w.stop)
	}
}

func (w *temporalWorker) closeFixed() { w.once.Do(func() { close(w.stop) }) }

func temporalRun(closeWorker func(*temporalWorker)) {
	w := &temporalWorker{stop: make(chan struct{})}
	w.loop.Add(1)
	go w.run()
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		closeWorker(w)
	}()
	closeWorker(w)
	wg.Wait()
	w.loop.Wait()
}

func TestTemporalDoubleStop(t *testing.T)      { temporalRun((*temporalWorker).close) }
func TestTemporalDoubleStopFixed(t *testing.T) { temporalRun((*temporalWorker).closeFixed) }
