// Leadership flaps: the monitor waits for the leader's loop, the loop for a barrier, and the consensus goroutine, which would
// answer it, for room in the notification channel that the monitor no longer reads.
// Source: https://github.com/hashicorp/consul/issues/6852
// Kind: blocking, WaitGroup and two channels.

package blocking1

import (
	"sync"
	"testing"
)

type flapServer struct {
	notify   chan bool
	barriers chan chan struct{}
}

// consensus tells four changes of leadership; between them it answers barriers.
func (s *flapServer) consensus(quit <-chan struct{}) {
	for _, leader := range []bool{true, false, true, false} {
		for range 2 {
			select {
			case b := <-s.barriers:
				close(b)
			default:
			}
		}
		s.notify <- leader
	}
	close(s.notify)
	for {
		select {
		case b := <-s.barriers:
			close(b)
		case <-quit:
			return
		}
	}
}

// lead runs until stop; a nil giveUp means that barriers are waited for in any case.
func (s *flapServer) lead(stop, giveUp <-chan struct{}) {
	select {
	case <-stop:
		return
	default:
	}
	done := make(chan struct{})
	select {
	case s.barriers <- done:
	case <-giveUp:
		return
	}
	select {
	case <-done:
	case <-giveUp:
	}
	<-stop
}

func flapRun(fixed bool) {
	s := &flapServer{notify: make(chan bool, 1), barriers: make(chan chan struct{})}
	quit := make(chan struct{})
	var raft, loop sync.WaitGroup
	raft.Add(1)
	go func() {
		defer raft.Done()
		s.consensus(quit)
	}()
	var stop chan struct{}
	for leader := range s.notify {
		if !leader {
			close(stop)
			loop.Wait()
			continue
		}
		stop = make(chan struct{})
		var giveUp chan struct{}
		if fixed {
			giveUp = stop
		}
		loop.Add(1)
		go func() {
			defer loop.Done()
			s.lead(stop, giveUp)
		}()
	}
	close(quit)
	raft.Wait()
}

func TestConsulLeaderFlap(t *testing.T)      { flapRun(false) }
func TestConsulLeaderFlapFixed(t *testing.T) { flapRun(true) }
