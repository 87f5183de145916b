// Closing closes a done channel and the queue; a notifier that looked at done before sends on the closed queue.
// Source: https://github.com/gnacho/netpulse/issues/202
// Kind: send on closed channel.

package other1

import (
	"sync"
	"testing"
)

type pulseWorker struct {
	done  chan struct{}
	queue chan int
	loop  sync.WaitGroup
}

func (w *pulseWorker) notify(v int) {
	select {
	case <-w.done:
		return
	default:
	}
	select {
	case w.queue <- v:
	default: // full: dropped
	}
}

func (w *pulseWorker) run() {
	defer w.loop.Done()
	for {
		select {
		case <-w.done:
			return
		case <-w.queue:
			work()
		}
	}
}

func pulseRun(fixed bool) {
	w := &pulseWorker{done: make(chan struct{}), queue: make(chan int, 1)}
	w.loop.Add(1)
	go w.run()
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		w.notify(1)
		w.notify(2)
	}()
	close(w.done)
	if !fixed {
		close(w.queue)
	}
	w.loop.Wait()
	wg.Wait()
}

func TestNetpulseSendAfterClose(t *testing.T)      { pulseRun(false) }
func TestNetpulseSendAfterCloseFixed(t *testing.T) { pulseRun(true) }
