// Client and server of a watch talk over two bounded channels. In a storm of cancels the client sends and does not receive, and
// the server answers and does not receive: both channels fill.
// Source: https://github.com/etcd-io/etcd/issues/20716
// Kind: blocking, cycle of bounded channels.

package blocking2

import (
	"sync"
	"testing"
)

type chanStream struct {
	requests, answers chan int
}

func (s *chanStream) server() {
	for r := range s.requests {
		s.answers <- r
	}
	close(s.answers)
}

func (s *chanStream) client(cancels <-chan int, fixed bool) int {
	answered := 0
	for cancels != nil {
		select {
		case c, ok := <-cancels:
			switch {
			case !ok:
				cancels = nil
				close(s.requests)
			case fixed:
				answered += s.send(c)
			default:
				s.requests <- c
			}
		case <-s.answers:
			answered++
		}
	}
	for range s.answers {
		answered++
	}
	return answered
}

func (s *chanStream) send(c int) int {
	answered := 0
	for {
		select {
		case s.requests <- c:
			return answered
		case <-s.answers:
			answered++
		}
	}
}

func streamRun(t *testing.T, fixed bool) {
	s := &chanStream{make(chan int, 1), make(chan int, 1)}
	cancels := make(chan int)
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		s.server()
	}()
	go func() {
		defer wg.Done()
		for i := range 5 {
			work()
			cancels <- i
		}
		close(cancels)
	}()
	if n := s.client(cancels, fixed); n != 5 {
		t.Errorf("%d of 5 cancels answered", n)
	}
	wg.Wait()
}

func TestEtcdCancelStorm(t *testing.T)      { streamRun(t, false) }
func TestEtcdCancelStormFixed(t *testing.T) { streamRun(t, true) }
