package verify_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/evidence/verify"
	"github.com/adtinfer/adtinfer/examples/lock"
	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/examples/register"
	"github.com/adtinfer/adtinfer/examples/set"
	"github.com/adtinfer/adtinfer/examples/stack"
	"github.com/adtinfer/adtinfer/examples/worksteal"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

func implementation(t testing.TB, spec reference.Spec) reference.Implementation {
	t.Helper()
	impl, err := reference.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { impl.Close() })
	return impl
}

// TestCompare: a theory agrees with its reference.
func TestCompare(t *testing.T) {
	testsize.NeedsLong(t)
	for name, spec := range map[string]reference.Spec{"lock": lock.Spec, "queue": queue.Spec, "register": register.Spec,
		"set": set.Spec, "stack": stack.Spec, "worksteal": worksteal.Spec} {
		if err := verify.Compare(t.Context(), historytest.Example(t, name), implementation(t, spec)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCompareOrdered: so does one that compares values, and its opposite does not.
func TestCompareOrdered(t *testing.T) {
	th := historytest.Theory(t, "theories/priorityqueue.theory.yaml")
	largestFirst := implementation(t, reference.Spec{New: func() *largest { return &largest{} }})
	smallestFirst := implementation(t, reference.Spec{New: func() *smallest { return &smallest{} }})
	if err := verify.Compare(t.Context(), th, largestFirst); err != nil {
		t.Error(err)
	}
	if err := verify.Compare(t.Context(), th, smallestFirst); !errors.As(err, new(*verify.Difference)) {
		t.Errorf("got %v", err)
	}
}

// largest and smallest are priority queues, deep a queue that is a stack from its
// tenth value on.
type largest struct{ values []int }
type smallest struct{ largest }
type deep struct{ values []int }
type quiet struct{ deep }
type strange struct{ values []int }

func (q *largest) Add(v int)            { q.values = append(q.values, v) }
func (q *largest) Remove() (int, bool)  { return q.take(func(a, b int) bool { return a > b }) }
func (q *smallest) Remove() (int, bool) { return q.take(func(a, b int) bool { return a < b }) }
func (q *largest) Peek() (int, bool)    { return q.peek(func(a, b int) bool { return a > b }) }
func (q *smallest) Peek() (int, bool)   { return q.peek(func(a, b int) bool { return a < b }) }
func (q *largest) peek(better func(a, b int) bool) (int, bool) {
	v, ok := q.take(better)
	if ok {
		q.Add(v)
	}
	return v, ok
}

func (s *strange) Add(v int) bool { s.values = append(s.values, v); return true }
func (s *strange) Remove() error  { return nil }
func (q *quiet) Remove() int      { v, _ := q.deep.Remove(); return v }
func (q *deep) Add(v int)         { q.values = append(q.values, v) }
func (q *largest) take(better func(a, b int) bool) (int, bool) {
	if len(q.values) == 0 {
		return 0, false
	}
	best := 0
	for i, v := range q.values {
		if better(v, q.values[best]) {
			best = i
		}
	}
	v := q.values[best]
	q.values = append(q.values[:best:best], q.values[best+1:]...)
	return v, true
}

func (q *deep) Remove() (int, bool) {
	n := len(q.values)
	if n == 0 {
		return 0, false
	}
	v := q.values[0]
	if q.values = q.values[1:]; n > 4 {
		v, q.values = append(q.values, v)[n-2], append([]int{v}, q.values[:n-2]...)
	}
	return v, true
}

// TestCompareWrong: another theory is told from the reference's, by a short
// sequence.
func TestCompareWrong(t *testing.T) {
	for _, tt := range []struct {
		name, theory string
		spec         reference.Spec
		want         string
	}{
		{"a stack for a queue", "queue", stack.Spec, "the theory admits add(24); add(29); remove => 24 and the reference does not"},
		{"a queue for a stack", "stack", queue.Spec, "add"},
		{"the order of values", "queue", reference.Spec{New: func() *largest { return &largest{} }}, "the theory admits"},
		{"the other order", "queue", reference.Spec{New: func() *smallest { return &smallest{} }}, "the reference admits"},
		{"far away", "queue", reference.Spec{New: func() *deep { return &deep{} }}, "the theory admits"},
		{"another method", "queue", set.Spec, `set has no method "add" with 1 arguments`},
		{"no answer", "queue", reference.Spec{Name: "strange", New: func() *strange { return &strange{} }}, "strange never answers as theory queue says"},
		{"another answer", "queue", reference.Spec{New: func() *quiet { return &quiet{} }}, "the theory admits"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := verify.Compare(t.Context(), historytest.Example(t, tt.theory), implementation(t, tt.spec))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
			var d *verify.Difference
			if errors.As(err, &d) && len(d.Sequence) > 12 {
				t.Error("a long difference")
			}
		})
	}
}
