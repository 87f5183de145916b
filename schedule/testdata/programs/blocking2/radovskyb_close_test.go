// The goroutine that receives a watcher's events is the one that closes it, by an unbuffered message to the watcher's loop, which
// may just be sending an event to that goroutine.
// Source: https://github.com/radovskyb/watcher/issues/72
// Kind: blocking, two goroutines send to each other.

package blocking2

import (
	"context"
	"sync"
	"testing"
)

type pollWatcher struct {
	changes chan int
	events  chan int
	closing chan struct{}
}

func (w *pollWatcher) loop(giveUp <-chan struct{}) {
	for {
		select {
		case <-w.closing:
			return
		case c := <-w.changes:
			select {
			case w.events <- c:
			case <-giveUp:
			}
		}
	}
}

func (w *pollWatcher) consume(ctx context.Context) {
	for {
		select {
		case <-w.events:
		case <-ctx.Done():
			w.closing <- struct{}{}
			return
		}
	}
}

func pollRun(fixed bool) {
	w := &pollWatcher{make(chan int, 2), make(chan int), make(chan struct{})}
	ctx, cancel := context.WithCancel(context.Background())
	var giveUp <-chan struct{}
	if fixed {
		giveUp = ctx.Done()
	}
	w.changes <- 1
	w.changes <- 2
	var wg sync.WaitGroup
	wg.Add(3)
	go func() {
		defer wg.Done()
		w.loop(giveUp)
	}()
	go func() {
		defer wg.Done()
		cancel()
	}()
	go func() {
		defer wg.Done()
		w.consume(ctx)
	}()
	wg.Wait()
}

func TestRadovskybCloseByConsumer(t *testing.T)      { pollRun(false) }
func TestRadovskybCloseByConsumerFixed(t *testing.T) { pollRun(true) }
