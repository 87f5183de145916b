//go:build !adtinfer_norecord

package refine_test

import (
	"context"
	"fmt"
	"sync"

	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/record"
	"github.com/adtinfer/adtinfer/record/refine"
	"github.com/adtinfer/adtinfer/reference"
)

// counter is a counter behind a lock, recorded.
type counter struct {
	mu   sync.Mutex
	n    int
	next record.Method
}

func (c *counter) Next(h *record.Handle) int {
	h.Call(c.next)
	c.mu.Lock()
	c.n++
	n := c.n
	h.Commit()
	c.mu.Unlock()
	h.Return(record.Some, record.Int(n))
	return n
}

// counts is what a counter should do.
type counts struct{}

func (counts) New() int64 { return 0 }

func (counts) Step(n int64, op *refine.Op) (int64, bool) {
	return n + 1, !op.Returned || op.Rets[0].Int() == n+1
}

func ExampleCheck() {
	rec := record.New(record.Options{Object: "counter"})
	c := &counter{next: rec.Method("next")}
	var wg sync.WaitGroup
	for i := range 4 {
		h := rec.Handle(fmt.Sprint("worker ", i))
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 100 {
				c.Next(h)
			}
		}()
	}
	wg.Wait()

	l, err := rec.Log()
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := refine.Check(context.Background(), l, counts{}, refine.Options{})
	fmt.Println(r.Verdict, r.Commits, err)
	// Output: linearizable 400 <nil>
}

// A watcher follows the recording.
func ExampleWatch() {
	rec := record.New(record.Options{})
	w, err := refine.Watch(rec, counts{}, refine.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	c := &counter{next: rec.Method("next")}
	h := rec.Handle("worker")
	c.Next(h)
	c.n = 7 // somebody breaks it
	c.Next(h)
	r, err := w.Stop(context.Background())
	fmt.Println(r.Verdict, "at", r.Op, "by the", r.Blame, err)
	// Output: violation at [2] next => 8 by the implementation <nil>
}

// Without commits every order that calls and returns allow is tried.
func ExampleCheckLinearizable() {
	rec := record.New(record.Options{})
	next := rec.Method("next")
	a, b := rec.Handle("a"), rec.Handle("b")
	a.Call(next)
	b.Call(next)
	a.Return(record.Some, record.Int(2))
	b.Return(record.Some, record.Int(1))
	l, err := rec.Log()
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := refine.CheckLinearizable(context.Background(), l, counts{}, refine.Options{})
	fmt.Println(r, err)
	// Output: linearizable <nil>
}

// queueLog records a queue of which 2 is removed before 1.
func queueLog() (*record.Log, error) {
	rec := record.New(record.Options{Object: "queue"})
	h := rec.Handle("a")
	for v := range 2 {
		h.Call(rec.Method("add"), record.Int(v+1))
		h.Commit()
		h.Return(record.None)
	}
	h.Call(rec.Method("remove"))
	h.Commit()
	h.Return(record.Some, record.Int(2))
	return rec.Log()
}

// A reference implementation is a specification, too.
func ExampleNewReference() {
	l, err := queueLog()
	if err != nil {
		fmt.Println(err)
		return
	}
	spec, err := refine.NewReference(queue.Spec)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := refine.Check(context.Background(), l, spec, refine.Options{})
	fmt.Println(r, err)
	// Output: violation at [3] remove => 2, after 2 commits: the specification does not allow this result here (implementation) <nil>
}

// One in another process is asked about the whole log at once.
func ExampleCheckReference() {
	l, err := queueLog()
	if err != nil {
		fmt.Println(err)
		return
	}
	impl, err := reference.New(queue.Spec) // or reference.Load
	if err != nil {
		fmt.Println(err)
		return
	}
	defer impl.Close()
	r, err := refine.CheckReference(context.Background(), l, impl, nil, refine.Options{})
	fmt.Println(r.Verdict, "at", r.Op, err)
	// Output: violation at [3] remove => 2 <nil>
}
