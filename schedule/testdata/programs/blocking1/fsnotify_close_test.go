// Close waits for the reading goroutine, which sends an event that nobody receives any more: the send has no case for closing.
// Source: https://github.com/fsnotify/fsnotify/issues/187
// Kind: blocking, send without a case for the end.

package blocking1

import (
	"sync"
	"testing"
)

type kqueueWatcher struct {
	events, quit, done chan struct{}
}

func (w *kqueueWatcher) read(fixed bool) {
	defer close(w.done)
	for range 3 {
		select {
		case <-w.quit:
			return
		default:
		}
		if !fixed {
			w.events <- struct{}{}
			continue
		}
		select {
		case w.events <- struct{}{}:
		case <-w.quit:
			return
		}
	}
	<-w.quit
}

func (w *kqueueWatcher) close() {
	close(w.quit)
	<-w.done
}

func kqueueRun(fixed bool) {
	w := &kqueueWatcher{make(chan struct{}), make(chan struct{}), make(chan struct{})}
	stop := make(chan struct{})
	var listener sync.WaitGroup
	listener.Add(1)
	go w.read(fixed)
	go func() {
		defer listener.Done()
		for {
			select {
			case <-w.events:
			case <-stop:
				return
			}
		}
	}()
	close(stop)
	listener.Wait()
	w.close()
}

func TestFsnotifyCloseWhileSending(t *testing.T)      { kqueueRun(false) }
func TestFsnotifyCloseWhileSendingFixed(t *testing.T) { kqueueRun(true) }
