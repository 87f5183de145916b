package patterns_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

type request struct {
	Path string
	Size int
	Next *request
}

// fifo is a queue of any type, store a map.
type fifo[T any] struct{ all []T }

func (q *fifo[T]) Add(v T) { q.all = append(q.all, v) }
func (q *fifo[T]) Remove() (v T, ok bool) {
	if len(q.all) > 0 {
		v, q.all, ok = q.all[0], q.all[1:], true
	}
	return v, ok
}

// TestOpaque holds that queues of values of all types have the patterns of one of
// integers.
func TestOpaque(t *testing.T) {
	testsize.NeedsLong(t)
	want := theoryOf(t, func() *fifo[int] { return new(fifo[int]) })
	for name, constructor := range map[string]any{
		"structs":  func() *fifo[request] { return new(fifo[request]) },
		"pointers": func() *fifo[*request] { return new(fifo[*request]) },
		"bytes":    func() *fifo[[]byte] { return new(fifo[[]byte]) },
		"floats":   func() *fifo[float64] { return new(fifo[float64]) },
		"slices":   func() *fifo[[]string] { return new(fifo[[]string]) },
		"maps":     func() *fifo[map[string]int] { return new(fifo[map[string]int]) },
		"errors":   func() *fifo[error] { return new(fifo[error]) },
		"any":      func() *fifo[any] { return new(fifo[any]) },
	} {
		if got := theoryOf(t, constructor); got != want {
			t.Errorf("queue of %s:\n%s\nwant, as of integers:\n%s", name, got, want)
		}
	}
}

func theoryOf(t *testing.T, constructor any) string {
	t.Helper()
	impl, err := reference.Of(constructor)
	if err != nil {
		t.Fatal(err)
	}
	defer impl.Close()
	th, err := patterns.Infer(context.Background(), impl, reference.Info{Name: "fifo"}, patterns.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := theory.Write(&b, th); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
