//go:build go1.25

package adttest

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/adtinfer/adtinfer/examples/queue"
)

// served is a queue that a goroutine of its own serves, and that takes its time.
type served struct {
	tasks chan func(*queue.Queue)
	wrong bool
	late  sync.WaitGroup
}

func newServed(wrong bool) func() *served {
	return func() *served {
		s := &served{tasks: make(chan func(*queue.Queue)), wrong: wrong}
		go func() {
			var q queue.Queue
			for task := range s.tasks {
				task(&q)
			}
		}()
		return s
	}
}

func (s *served) Add(n int) {
	time.Sleep(time.Duration(n%3) * time.Microsecond)
	done := make(chan struct{})
	if s.wrong { // it answers before it is done
		s.late.Add(1)
		go func() {
			defer s.late.Done()
			time.Sleep(time.Millisecond)
			s.tasks <- func(q *queue.Queue) { q.Add(n); close(done) }
		}()
		return
	}
	s.tasks <- func(q *queue.Queue) { q.Add(n); close(done) }
	<-done
}

func (s *served) Remove() (n int, ok bool) {
	done := make(chan struct{})
	s.tasks <- func(q *queue.Queue) { n, ok = q.Remove(); close(done) }
	<-done
	return n, ok
}

// stop lets the goroutines end, those of Adds to come first.
func (s *served) stop() { s.late.Wait(); close(s.tasks) }

// jammed takes a mutex that it gives back to Close alone.
type jammed struct {
	queue.Queue
	mu sync.Mutex
}

func (j *jammed) Add(n int) { j.mu.Lock() }

// In a bubble right types hold and wrong ones fail: with channels, timers and
// goroutines of the bubble, and with inference and judges that are none of its.
func TestBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := withDir(t, Config{New: newServed(false), Reference: queue.Spec, Rounds: 60, Repeat: 20, Budget: patience, Close: (*served).stop})
		Run(t, c)
		for _, reference := range []any{queue.Spec, nil} {
			c := withDir(t, Config{New: newServed(true), Theory: queueTheory, Reference: reference, Budget: patience, Shrink: time.Millisecond, Close: (*served).stop})
			f, err := Find(t.Context(), c)
			if err != nil || f == nil || f.Kind != Violation {
				t.Fatalf("a wrong one: %v, %v", f, err)
			}
		}
	})
}

// What waits is known at once, long before nothing happened for Stall: for a channel,
// and not for a mutex.
func TestBubbleWaits(t *testing.T) {
	waiting := Config{New: newWaits, Theory: queueTheory, Fixed: true, Rounds: 1, Stall: time.Hour,
		Scenarios: []Scenario{{Threads: [][]Call{{Do("Remove")}, {Do("Remove"), Do("Add", 1)}}}},
		Close:     func(q *waits) { close(q.closed) }}
	synctest.Test(t, func(t *testing.T) {
		if f, err := Find(t.Context(), withDir(t, waiting)); f != nil || err != nil {
			t.Fatal(f, err)
		}
		c := withDir(t, waiting)
		c.MustReturn = true
		f, err := Find(t.Context(), c)
		if err != nil || f == nil || f.Kind != Hang || !strings.Contains(f.String(), "thread 1: Remove()") {
			t.Fatalf("MustReturn: %v, %v", f, err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		c := withDir(t, Config{New: func() *jammed { return &jammed{} }, Theory: queueTheory, Fixed: true, Rounds: 1, MustReturn: true, Stall: 50 * time.Millisecond,
			Scenarios: []Scenario{{Threads: [][]Call{{Do("Add", 1)}, {Do("Add", 2)}}}}, Close: func(j *jammed) { j.mu.Unlock() }})
		f, err := Find(t.Context(), c)
		if err != nil || f == nil || f.Kind != Hang {
			t.Fatalf("a mutex: %v, %v", f, err)
		}
	})
}

// A context of the bubble ends a run that is outside.
func TestBubbleContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		c := withDir(t, Config{New: newPlain, Theory: queueTheory, Budget: time.Hour, Scenarios: []Scenario{{Before: []Call{Do("Add", 1)}}}})
		calls := 0
		c.New = func() *plain {
			if calls++; calls == 3 {
				cancel()
			}
			return newPlain()
		}
		_, _ = Find(ctx, c)
	})
}
