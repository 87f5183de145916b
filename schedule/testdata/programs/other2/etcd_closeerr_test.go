// A watch stream's loop writes its error when it ends; a substream that ends by its context reads it without waiting for the loop.
// Source: https://github.com/etcd-io/etcd/issues/5800
// Kind: data race.
// found only with -race

package other2

import (
	"context"
	"errors"
	"sync"
	"testing"
)

var errStreamClosed = errors.New("stream closed")

type watchStream struct {
	closeErr error
	done     chan struct{}
}

func (s *watchStream) run(ctx context.Context) {
	defer close(s.done)
	<-ctx.Done()
	s.closeErr = errStreamClosed
}

func (s *watchStream) serve(ctx context.Context, fixed bool) error {
	select {
	case <-ctx.Done():
	case <-s.done:
	}
	if fixed {
		<-s.done
	}
	return s.closeErr
}

func watchRun(t *testing.T, fixed bool) {
	s := &watchStream{done: make(chan struct{})}
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		s.run(ctx)
	}()
	go func() {
		defer wg.Done()
		if err := s.serve(ctx, fixed); err != nil && err != errStreamClosed {
			t.Error(err)
		}
	}()
	cancel()
	wg.Wait()
}

func TestEtcdCloseErr(t *testing.T)      { watchRun(t, false) }
func TestEtcdCloseErrFixed(t *testing.T) { watchRun(t, true) }
