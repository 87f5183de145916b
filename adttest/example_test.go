package adttest_test

import (
	"context"
	"fmt"
	"os"

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
