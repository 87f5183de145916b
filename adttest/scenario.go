package adttest

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/live"
)

// Scenario says which goroutine calls what: one goroutine makes the calls in Before, then each
// thread makes its own at the same time as the others, then one goroutine makes
// the calls in After.
type Scenario struct {
	Before  []Call
	Threads [][]Call
	After   []Call
}

// Call is a method, by its name in Go or in the theory, with arguments of types
// that convert to the parameters'.
type Call struct {
	Method string
	Args   []any
}

// Do is a Call.
func Do(method string, args ...any) Call { return Call{method, args} }

// String is the call as Go has it: "Push(1)".
func (c Call) String() string {
	var args []string
	for _, a := range c.Args {
		if a == nil {
			args = append(args, "nil")
		} else {
			args = append(args, values.GoText(reflect.ValueOf(a)))
		}
	}
	return c.Method + "(" + strings.Join(args, ", ") + ")"
}

// String is one line for each part.
func (s Scenario) String() string {
	var b strings.Builder
	part := func(name string, calls []Call) {
		if len(calls) == 0 {
			return
		}
		var texts []string
		for _, c := range calls {
			texts = append(texts, c.String())
		}
		fmt.Fprintf(&b, "%-9s %s\n", name, strings.Join(texts, "; "))
	}
	part("before", s.Before)
	for i, calls := range s.Threads {
		part(threadName(i), calls)
	}
	part("after", s.After)
	return b.String()
}

// size is the number of calls.
func (s Scenario) size() int {
	n := len(s.Before) + len(s.After)
	for _, t := range s.Threads {
		n += len(t)
	}
	return n
}

// The names of processes in logs.
const (
	beforeName = "before"
	afterName  = "after"
)

func threadName(i int) string { return "thread " + strconv.Itoa(i+1) }

// threadNumber undoes threadName; -1 for other names.
func threadNumber(name string) int {
	const most = 1000
	n, err := strconv.Atoi(strings.TrimPrefix(name, "thread "))
	if err != nil || n < 1 || n > most {
		return -1
	}
	return n - 1
}

// scenarioOf is the scenario from which an execution with our process names was
// recorded, as far as operations were called; keep selects operations.
func (s *subject) scenarioOf(e *history.Execution, keep func(id string) bool) (Scenario, error) {
	var out Scenario
	for i := range e.Ops {
		o := &e.Ops[i]
		if !keep(o.ID) {
			continue
		}
		c, err := s.callOf(o)
		if err != nil {
			return out, err
		}
		switch o.Process {
		case beforeName:
			out.Before = append(out.Before, c)
		case afterName:
			out.After = append(out.After, c)
		default:
			t := threadNumber(o.Process)
			if t < 0 {
				return out, fmt.Errorf("adttest: %s is of process %q, which is no thread of a scenario", o.Label, o.Process)
			}
			for len(out.Threads) <= t {
				out.Threads = append(out.Threads, nil)
			}
			out.Threads[t] = append(out.Threads[t], c)
		}
	}
	out.Threads = slices.DeleteFunc(out.Threads, func(t []Call) bool { return len(t) == 0 })
	return out, nil
}

// callOf reads a logged operation as a call.
func (s *subject) callOf(o *history.Operation) (Call, error) {
	m := s.method(o.Method)
	if m == nil || len(m.params) != len(o.Args) {
		return Call{}, fmt.Errorf("adttest: the type has no method for %s", o.Label)
	}
	c := Call{Method: m.goName}
	for i, text := range o.Args {
		v, err := live.Parse(m.params[i], text)
		if err != nil {
			return Call{}, fmt.Errorf("adttest: %w", err)
		}
		c.Args = append(c.Args, v.Interface())
	}
	return c, nil
}
