package adttest_test

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/adttest"
	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/examples/stack"
)

// Find tells what is wrong with a stack, if a queue is asked for: here with a
// scenario of its own, in which nothing happens at the same time.
func ExampleFind() {
	dir, err := os.MkdirTemp("", "adttest")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	f, err := adttest.Find(context.Background(), adttest.Config{
		New:       stack.Spec.New,
		Reference: queue.Spec,
		Scenarios: []adttest.Scenario{{
			Before: []adttest.Call{adttest.Do("Add", 1), adttest.Do("Add", 2), adttest.Do("Remove")},
		}},
		Fixed: true,
		Dir:   dir,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(f.Scenario)
	for _, r := range f.Explanation.Reasons {
		fmt.Println(r.Reading)
	}
	// Output:
	// before    Add(1); Add(2); Remove()
	// add is called with a first value and then a second, then remove returns the second; remove never returns the first
}

// Run is what tests call.
func ExampleRun() {
	TestStack := func(t *testing.T) {
		adttest.Run(t, adttest.Config{
			New:       stack.Spec.New, // the type under test
			Reference: stack.Spec,
			Budget:    time.Minute,
		})
	}
	_ = TestStack
}

// A type under test calls a hook between two steps that other goroutines seldom get
// between; tests set it to Yield.
func ExampleYield() {
	hook := func() {}
	next := func(n *atomic.Int64) int64 {
		for {
			old := n.Load()
			hook()
			if n.CompareAndSwap(old, old+1) {
				return old
			}
		}
	}
	hook = adttest.Yield // in a test
	var n atomic.Int64
	next(&n)
	fmt.Println(next(&n))
	// Output: 1
}

// Fuzz is what fuzz tests call; go test -fuzz=FuzzStack then looks for scenarios.
func ExampleFuzz() {
	FuzzStack := func(f *testing.F) {
		adttest.Fuzz(f, adttest.Config{New: stack.Spec.New, Reference: stack.Spec})
	}
	_ = FuzzStack
}
