package patterns_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
)

// bag gives back any of its values: a nondeterministic data type.
type bag struct{ values map[any]bool }

func (b *bag) accept(c reference.Claim) bool {
	switch {
	case c.Method == "add":
		b.values[c.Args[0]] = true
		return true
	case c.Outcome == "nil":
		return len(b.values) == 0
	}
	ok := b.values[c.Rets[0]]
	delete(b.values, c.Rets[0])
	return ok
}

var bagSpec = reference.Spec{
	Name: "bag",
	New:  func() *bag { return &bag{map[any]bool{}} },
	Operations: []reference.Operation{
		{Name: "add", Func: (func(int))(nil)},
		{Name: "remove", Func: (func() (int, bool))(nil)},
	},
	Accept:   (*bag).accept,
	Language: queue.Spec.Language,
	Target:   queue.Spec.Target,
	ReadOnly: queue.Spec.ReadOnly,
}

// An acceptor's patterns: a queue's without its order.
func TestNondeterministicReference(t *testing.T) {
	th := infer(t, bagSpec, patterns.Options{})
	want := []string{
		"w1  [1:2] remove => v2; [2:2] add(v2)",
		"w1  [1:X] remove => v1",
		"w2  [1:1] add(v1); [2:1] remove => v1; [3:1] remove => v1",
		"w2  [1:1] add(v1); [2:2] remove => - (RO)",
		"w2  [1:1] add(v1); [2:2] remove => - (RO); [3:1] remove => v1",
	}
	if diff := cmp.Diff(want, lines(t, th)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if x := th.Status.CrossCheck; x.FalseAlarms+x.Missed > 0 || x.Histories < 1000 {
		t.Errorf("cross-check %+v", x)
	}
	without := bagSpec
	without.Language, without.Target, without.ReadOnly = nil, nil, ""
	if diff := cmp.Diff(want, lines(t, infer(t, without, patterns.Options{}))); diff != "" {
		t.Errorf("without annotation (-want +got):\n%s", diff)
	}
}

// blocking is a queue of one place whose methods wait where others fail.
type blocking struct{ values []int }

func (b *blocking) put(v int) {
	if len(b.values) == 1 {
		panic(reference.Blocked)
	}
	b.values = append(b.values, v)
}

func (b *blocking) take() int {
	if len(b.values) == 0 {
		panic(reference.Blocked)
	}
	v := b.values[0]
	b.values = nil
	return v
}

// Calls that would wait for ever never return: histories in which they do are
// violations.
func TestPartialOperations(t *testing.T) {
	th := infer(t, reference.Spec{
		Name: "blocking", New: func() *blocking { return &blocking{} },
		Operations: []reference.Operation{{Name: "put", Func: (*blocking).put}, {Name: "take", Func: (*blocking).take}},
	}, patterns.Options{})
	got := strings.Join(lines(t, th), "\n")
	want := strings.Join([]string{
		"w1  [1:2] take => v2; [2:2] put(v2)",
		"w1  [1:X] take => v1",
		"w2  [1:1] put(v1); [2:1] take => v1; [3:1] take => v1",
		"w2  [1:1] put(v1); [2:2] put(v2)",
		"w2  [1:1] put(v1); [2:2] put(v2); [3:1] take => v1",
		"w2  [1:1] put(v1); [2:2] put(v2); [3:1] take => v1; [4:2] take => v2",
		"w2  [1:1] put(v1); [2:2] put(v2); [3:2] take => v2",
		"w2  [1:1] put(v1); [2:2] put(v2); [3:2] take => v2; [4:1] take => v1",
	}, "\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if x := th.Status.CrossCheck; x.FalseAlarms+x.Missed > 0 {
		t.Errorf("cross-check %+v", x)
	}
}

// capacity is a blocking queue of three places.
type capacity struct{ values []int }

func (c *capacity) put(v int) {
	if len(c.values) == 3 {
		panic(reference.Blocked)
	}
	c.values = append(c.values, v)
}

func (c *capacity) take() int {
	if len(c.values) == 0 {
		panic(reference.Blocked)
	}
	v := c.values[0]
	c.values = c.values[1:]
	return v
}

// A silent weight is no proof: a blocking queue of three places has no pattern
// of weight 3 and five of weight 4. The cross-check notices and goes on.
func TestSilentWeightIsNotTheEnd(t *testing.T) {
	th := infer(t, reference.Spec{
		Name: "capacity", New: func() *capacity { return &capacity{} },
		Operations: []reference.Operation{{Name: "put", Func: (*capacity).put}, {Name: "take", Func: (*capacity).take}},
	}, patterns.Options{})
	var fresh []int
	for _, w := range th.Status.Weights {
		fresh = append(fresh, w.New)
	}
	if diff := cmp.Diff([]int{2, 3, 0, 5, 0}, fresh); diff != "" {
		t.Errorf("new patterns by weight (-want +got):\n%s", diff)
	}
	if x := th.Status.CrossCheck; x.Missed+x.FalseAlarms > 0 {
		t.Errorf("cross-check %+v", x)
	}
}
