package adttest_test

import (
	"container/list"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/adttest"
	"github.com/adtinfer/adtinfer/examples/msqueue"
	"github.com/adtinfer/adtinfer/examples/treiber"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestNightly runs types that are right for ten minutes each, all at the same
// time:
//
//	ADTINFER_NIGHTLY=1 go test -timeout 20m -parallel 8 -run Nightly -v ./adttest
//
// ADTTEST_BUDGET makes it another time.
func TestNightly(t *testing.T) {
	const night = 10 * time.Minute
	testsize.NeedsNightly(t, "takes many minutes")
	const stack, queue = "../examples/stack/stack.theory.yaml", "../examples/queue/queue.theory.yaml"
	for name, c := range map[string]adttest.Config{
		"treiber":       {Theory: stack, New: treiber.New},
		"treiberPaused": {Theory: stack, New: func() *treiber.Stack { return treiber.Paused(treiber.New(), adttest.Yield) }},
		"tagged":        {Theory: stack, New: func() *treiber.Tagged { return treiber.NewTagged(nil) }},
		"taggedPaused":  {Theory: stack, New: func() *treiber.Tagged { return treiber.NewTagged(adttest.Yield) }},
		"msqueue":       {Theory: queue, New: msqueue.New},
		"msqueuePaused": {Theory: queue, New: func() *msqueue.Queue { return msqueue.Paused(msqueue.New(), adttest.Yield) }},
		"list":          {Theory: queue, New: func() *listed { return &listed{} }},
		"channel":       {Theory: queue, New: func() channel { return make(channel, 100) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.Budget, c.Dir = night, t.TempDir()
			start := time.Now()
			adttest.Run(t, c)
			if ran := time.Since(start); ran < night && os.Getenv("ADTTEST_BUDGET") == "" {
				t.Errorf("it ran for %v only; give go test -parallel 8 and a longer -timeout", ran)
			}
		})
	}
}

// listed is a queue: a list behind a mutex.
type listed struct {
	mu sync.Mutex
	l  list.List
}

func (q *listed) Add(v int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.l.PushBack(v)
}

func (q *listed) Remove() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.l.Len() == 0 {
		return 0, false
	}
	return q.l.Remove(q.l.Front()).(int), true
}

// channel is a queue from which nobody waits for values.
type channel chan int

func (c channel) Add(v int) { c <- v }

func (c channel) Remove() (int, bool) {
	select {
	case v := <-c:
		return v, true
	default:
		return 0, false
	}
}
