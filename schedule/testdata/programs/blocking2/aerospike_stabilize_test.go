// A caller that waits with a time limit leaves when it is over; the worker then sends its result on an unbuffered channel to
// nobody.
// Source: https://github.com/aerospike/aerospike-client-go/pull/126
// Kind: blocking, unbuffered result channel after a timeout.

package blocking2

import (
	"sync"
	"testing"
	"time"
)

func stabilize(nodes <-chan int, buffer int, workers *sync.WaitGroup) bool {
	done := make(chan bool, buffer)
	workers.Add(1)
	go func() {
		defer workers.Done()
		count := 0
		for n := range nodes {
			count += n
		}
		done <- count == 3
	}()
	select {
	case ok := <-done:
		return ok
	case <-time.After(time.Millisecond):
		return false
	}
}

func stabilizeRun(buffer int) {
	nodes := make(chan int)
	var workers, tend sync.WaitGroup
	tend.Add(1)
	go func() {
		defer tend.Done()
		for range 3 {
			nodes <- 1
		}
		close(nodes)
	}()
	stabilize(nodes, buffer, &workers)
	tend.Wait()
	workers.Wait()
}

func TestAerospikeStabilizeTimeout(t *testing.T)      { stabilizeRun(0) }
func TestAerospikeStabilizeTimeoutFixed(t *testing.T) { stabilizeRun(1) }
