package libraries

import (
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/adttest"
)

// The data types, as theory files.
const (
	aRegister  = "../register/register.theory.yaml"
	aSet       = "../set/set.theory.yaml"
	aQueue     = "../queue/queue.theory.yaml"
	aStack     = "../stack/stack.theory.yaml"
	aSemaphore = "../../theories/semaphore.theory.yaml"
)

// finds searches for the defect of a library, for a minute at most. The test
// passes if adttest reports a violation, with few operations to read.
func finds(t *testing.T, c adttest.Config) {
	t.Helper()
	c.Budget, c.Shrink, c.Dir = time.Minute, time.Second, t.TempDir()
	start := time.Now()
	f, err := adttest.Find(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if f == nil || f.Kind != adttest.Violation || f.Explanation == nil {
		t.Fatalf("the defect was not found; got %v", f)
	}
	t.Logf("found and made smaller in %v: %v", time.Since(start).Round(time.Millisecond), f)
	if n := len(f.Explanation.Execution.Ops); n > 12 {
		t.Errorf("the history has %d operations, more than a person reads", n)
	}
}

// call is the call of a method for the n-th time.
type call func(n int) adttest.Call

// with calls a method with n.
func with(method string) call {
	return func(n int) adttest.Call { return adttest.Do(method, n) }
}

// plus calls a method with n and something added.
func plus(method string, more int) call {
	return func(n int) adttest.Call { return adttest.Do(method, n+more) }
}

// bare calls a method without arguments.
func bare(method string) call {
	return func(int) adttest.Call { return adttest.Do(method) }
}

// times makes some calls n times.
func times(n int, calls ...call) []adttest.Call {
	var all []adttest.Call
	for i := 1; i <= n; i++ {
		for _, c := range calls {
			all = append(all, c(i))
		}
	}
	return all
}

// only makes a Config run one scenario.
func only(c adttest.Config, s adttest.Scenario) adttest.Config {
	c.Scenarios, c.Fixed = []adttest.Scenario{s}, true
	return c
}

// set is a library's map or set, seen as a set.
type set struct {
	insert   func(v int) (present bool)
	remove   func(v int) (present bool)
	contains func(v int) bool
}

func (s set) Insert(v int) (int, bool)   { return ifTrue(v, s.insert(v)) }
func (s set) Remove(v int) (int, bool)   { return ifTrue(v, s.remove(v)) }
func (s set) Contains(v int) (int, bool) { return ifTrue(v, s.contains(v)) }

func ifTrue(v int, ok bool) (int, bool) {
	if !ok {
		return 0, false
	}
	return v, true
}

// register is one entry of a library's map.
type register struct {
	write func(v int)
	read  func() (int, bool)
}

func (r register) Write(v int)       { r.write(v) }
func (r register) Read() (int, bool) { return r.read() }

// queue is a library's queue, or stack.
type queue struct {
	add    func(v int)
	remove func() (int, bool)
}

func (q queue) Add(v int)           { q.add(v) }
func (q queue) Remove() (int, bool) { return q.remove() }
