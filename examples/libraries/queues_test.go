package libraries

import (
	"container/list"
	"sync"
	"testing"

	"github.com/bytedance/gopkg/collection/lscq"
	"github.com/enriquebris/goconcurrentqueue"
	"github.com/puzpuzpuz/xsync/v4"

	"github.com/adtinfer/adtinfer/adttest"
)

// waiting is a queue of goconcurrentqueue whose Remove waits for an element.
func waiting(q goconcurrentqueue.Queue) queue {
	return queue{
		add:    func(v int) { enqueue(q, v) },
		remove: func() (int, bool) { return dequeued(q.DequeueOrWaitForNextElement()) },
	}
}

func enqueue(q goconcurrentqueue.Queue, v int) {
	if err := q.Enqueue(v); err != nil {
		panic(err)
	}
}

func dequeued(v any, err error) (int, bool) {
	if err != nil {
		return 0, false
	}
	return v.(int), true
}

// pipe is one producer and one consumer.
var pipe = adttest.Scenario{Threads: [][]adttest.Call{times(4, with("Add")), times(4, bare("Remove"))}}

// TestFIFO: the consumer gets an element, and later one that was added before.
// Who adds an element hands it to a consumer that waits, if there is one, even
// if the one before has just been put into the queue.
func TestFIFO(t *testing.T) {
	finds(t, only(adttest.Config{Theory: aQueue, New: func() queue { return waiting(goconcurrentqueue.NewFIFO()) }}, pipe))
}

func TestFixedFIFO(t *testing.T) {
	t.Parallel()
	adttest.Run(t, only(adttest.Config{Theory: aQueue, New: func() queue { return waiting(goconcurrentqueue.NewFixedFIFO(10)) }}, pipe))
}

// TestFIFODequeue does not wait.
func TestFIFODequeue(t *testing.T) {
	t.Parallel()
	adttest.Run(t, adttest.Config{Theory: aQueue, New: func() queue {
		q := goconcurrentqueue.NewFIFO()
		return queue{func(v int) { enqueue(q, v) }, func() (int, bool) { return dequeued(q.Dequeue()) }}
	}})
}

// TestLSCQ: its objects are large, so that there are fewer rounds.
func TestLSCQ(t *testing.T) {
	t.Parallel()
	adttest.Run(t, adttest.Config{Theory: aQueue, New: func() queue {
		q := lscq.NewUint64()
		return queue{
			add:    func(v int) { q.Enqueue(uint64(v)) },
			remove: func() (int, bool) { v, ok := q.Dequeue(); return int(v), ok },
		}
	}})
}

func TestSPSCQueue(t *testing.T) {
	t.Parallel()
	adttest.Run(t, only(adttest.Config{Theory: aQueue, New: func() queue {
		q := xsync.NewSPSCQueue[int](8)
		return queue{
			add: func(v int) {
				if !q.TryEnqueue(v) {
					panic("full")
				}
			},
			remove: q.TryDequeue,
		}
	}}, pipe))
}

func TestChannel(t *testing.T) {
	t.Parallel()
	adttest.Run(t, adttest.Config{Theory: aQueue, New: func() queue {
		c := make(chan int, 100)
		return queue{
			add: func(v int) { c <- v },
			remove: func() (int, bool) {
				select {
				case v := <-c:
					return v, true
				default:
					return 0, false
				}
			},
		}
	}})
}

// TestChannelUnbuffered: sender and receiver wait for each other.
func TestChannelUnbuffered(t *testing.T) {
	t.Parallel()
	adttest.Run(t, only(adttest.Config{Theory: aQueue, New: func() queue {
		c := make(chan int)
		return queue{func(v int) { c <- v }, func() (int, bool) { v, ok := <-c; return v, ok }}
	}}, pipe))
}

func TestList(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		theory string
		end    func(*list.List) *list.Element
	}{
		"queue": {aQueue, (*list.List).Front},
		"stack": {aStack, (*list.List).Back},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			adttest.Run(t, adttest.Config{Theory: c.theory, New: func() queue { return listed(c.end) }})
		})
	}
}

// listed is a list behind a mutex, from which elements leave at one end.
func listed(end func(*list.List) *list.Element) queue {
	var mu sync.Mutex
	var l list.List
	return queue{
		add: func(v int) {
			mu.Lock()
			defer mu.Unlock()
			l.PushBack(v)
		},
		remove: func() (int, bool) {
			mu.Lock()
			defer mu.Unlock()
			e := end(&l)
			if e == nil {
				return 0, false
			}
			return l.Remove(e).(int), true
		},
	}
}
