//go:build !adtinfer_norecord

package refine_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/record"
	"github.com/adtinfer/adtinfer/record/refine"
	"github.com/adtinfer/adtinfer/reference"
)

// overlapping records a queue used by three goroutines whose brackets overlap:
// each operation takes effect at some moment within its own, not always the
// last. With probability 1/odds a remove gets a wrong answer.
func overlapping(t *testing.T, r *rand.Rand, odds int) *record.Log {
	t.Helper()
	rec := record.New(record.Options{})
	add, remove := rec.Method("enqueue"), rec.Method("remove")
	type client struct {
		h       *record.Handle
		stage   int // called, begun, taken effect
		method  int
		value   int
		outcome record.Outcome
	}
	var clients [3]client
	for i := range clients {
		clients[i].h = rec.Handle(string(rune('a' + i)))
	}
	var q []int
	for n := range 60 {
		c := &clients[r.IntN(3)]
		switch c.stage {
		case 0:
			c.method, c.value = r.IntN(2), n+1
			if c.method == 0 {
				c.h.Call(add, record.Int(c.value))
			} else {
				c.h.Call(remove)
			}
		case 1:
			c.h.Begin()
		case 2:
			switch {
			case c.method == 0:
				q, c.outcome = append(q, c.value), record.None
			case len(q) == 0:
				c.outcome = record.Nil
			default:
				at := 0
				if r.IntN(odds) == 0 && len(q) > 1 {
					at = 1
				}
				c.value, c.outcome = q[at], record.Some
				q = append(q[:at:at], q[at+1:]...)
			}
		case 3:
			c.h.Commit()
		case 4:
			if c.outcome == record.Some {
				c.h.Return(record.Some, record.Int(c.value))
			} else {
				c.h.Return(c.outcome)
			}
		}
		c.stage = (c.stage + 1) % 5
	}
	l, err := rec.Log()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// model is a built-in model as a Spec.
type model struct{ wgl.Model }

func (m model) New() wgl.State              { return m.Init() }
func (m model) Clone(s wgl.State) wgl.State { return s }

func (m model) Step(s wgl.State, op *refine.Op) (wgl.State, bool) {
	l := op.Label()
	if next, ok := m.Model.Step(s, &l); ok {
		return next, true
	}
	return s, false
}

// TestReplay compares a reference that is replayed along the log with the same
// one asked step by step, and with the built-in model.
func TestReplay(t *testing.T) {
	impl, err := reference.New(queue.Spec)
	if err != nil {
		t.Fatal(err)
	}
	defer impl.Close()
	spec, err := refine.NewReference(queue.Spec)
	if err != nil {
		t.Fatal(err)
	}
	m, _ := wgl.Builtin("queue")
	m = wgl.Renamed(m, queue.Spec.Aliases)
	o := refine.Options{Judge: func(ctx context.Context, e *history.Execution) (check.Verdict, error) {
		r, err := wgl.Check(ctx, m, e, wgl.Options{})
		if r.Linearizable {
			return check.Linearizable, err
		}
		return check.Violation, err
	}}
	verdicts := map[check.Verdict]int{}
	ctx := context.Background()
	for seed := range testsize.Samples(600) {
		l := overlapping(t, rand.New(rand.NewPCG(seed, 1)), 2)
		want, err := refine.Check(ctx, l, spec, o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := refine.CheckReference(ctx, l, impl, queue.Spec.Aliases, o)
		if err != nil || got.String() != want.String() {
			t.Fatalf("seed %d: %v (%v), want %v", seed, got, err, want)
		}
		by, err := refine.Check(ctx, l, model{m}, o)
		if err != nil || by.String() != want.String() {
			t.Fatalf("seed %d: by model %v (%v), want %v", seed, by, err, want)
		}
		verdicts[want.Verdict]++
	}
	if verdicts[check.Violation] < 5 || verdicts[check.Linearizable] < 5 {
		t.Errorf("one-sided: %v", verdicts)
	}
}

// TestReplayObserver replays observers with values that are not numbers.
func TestReplayObserver(t *testing.T) {
	impl, err := reference.New(reference.Spec{Name: "cell", New: func() *cell { return &cell{} }})
	if err != nil {
		t.Fatal(err)
	}
	defer impl.Close()
	for _, tt := range []struct {
		sees string
		want check.Verdict
	}{{"x", check.Linearizable}, {"y", check.Linearizable}, {"z", check.Violation}} {
		rec := record.New(record.Options{})
		set, get := rec.Method("set"), rec.Method("get")
		a, b := rec.Handle("a"), rec.Handle("b")
		for i, v := range []string{"x", "y", "z"} {
			a.Call(set, a.Text(v))
			a.Commit()
			a.Return(record.None)
			if i == 0 {
				b.Call(get)
			}
			if i == 1 {
				b.Return(record.Some, b.Text(tt.sees))
			}
		}
		l, err := rec.Log()
		if err != nil {
			t.Fatal(err)
		}
		got, err := refine.CheckReference(t.Context(), l, impl, nil, refine.Options{Observers: []string{"get"}, NoTriage: true})
		if err != nil || got.Verdict != tt.want {
			t.Errorf("%s: %v, %v", tt.sees, got, err)
		}
		if _, err := refine.CheckReference(t.Context(), l, failing{impl}, nil, refine.Options{}); err == nil || !strings.Contains(err.Error(), "it fails") {
			t.Errorf("error of the reference: %v", err)
		}
	}
}

type cell struct{ v string }

func (c *cell) Set(v string) { c.v = v }
func (c *cell) Get() string  { return c.v }

// failing is a reference that cannot be replayed.
type failing struct{ reference.Implementation }

func (failing) Replay(context.Context, [][]reference.Call) ([][]reference.Answer, error) {
	return nil, errFails
}

// TestReplayMethods: a log with a method that the reference does not have.
func TestReplayMethods(t *testing.T) {
	impl, err := reference.New(queue.Spec)
	if err != nil {
		t.Fatal(err)
	}
	defer impl.Close()
	l := overlapping(t, rand.New(rand.NewPCG(1, 1)), 10)
	_, err = refine.CheckReference(t.Context(), l, impl, nil, refine.Options{})
	if want := `refine: the reference has no method "enqueue"; its methods are add, remove`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

var errFails = errors.New("it fails")

// heap gives back the smallest value first.
type heap struct{ values []int }

func (h *heap) Add(v int) { h.values = append(h.values, v) }

func (h *heap) Remove() (int, bool) {
	if len(h.values) == 0 {
		return 0, false
	}
	v := slices.Min(h.values)
	i := slices.Index(h.values, v)
	h.values = slices.Delete(h.values, i, i+1)
	return v, true
}

type fifo struct{ values []int }

func (q *fifo) Add(v int) { q.values = append(q.values, v) }

func (q *fifo) Remove() (int, bool) {
	if len(q.values) == 0 {
		return 0, false
	}
	v := q.values[0]
	q.values = q.values[1:]
	return v, true
}

// TestReplayValues: the reference gets the values of the log.
func TestReplayValues(t *testing.T) {
	newHeap, newFifo := func() *heap { return &heap{} }, func() *fifo { return &fifo{} }
	for _, tt := range []struct {
		name, adds, removes string
		construct           any
		want                string // a verdict, or part of an error
	}{
		{"in order", "3 0 2", "0 2 3", newHeap, string(check.Linearizable)},
		{"in order of appearance", "3 0 2", "3 0 2", newHeap, string(check.Violation)},
		{"negative", "-7 5", "-7 5", newHeap, string(check.Linearizable)},
		{"large", "9000000000000 4000000000000", "4000000000000", newHeap, string(check.Linearizable)},
		{"numbers otherwise", "7.0 0x10", "7 16", newFifo, string(check.Linearizable)},
		{"other numbers otherwise", "7.0 0x10", "7 15", newFifo, string(check.Violation)},
		{"names", "alice bob", "alice bob", newFifo, `the log has "alice" where add takes int`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			impl, err := reference.New(reference.Spec{New: tt.construct})
			if err != nil {
				t.Fatal(err)
			}
			defer impl.Close()
			l := sequential(t, strings.Fields(tt.adds), strings.Fields(tt.removes))
			got, err := refine.CheckReference(t.Context(), l, impl, nil, refine.Options{NoTriage: true})
			if err != nil && !strings.Contains(err.Error(), tt.want) || err == nil && string(got.Verdict) != tt.want {
				t.Errorf("got %v, %v, want %s", got, err, tt.want)
			}
		})
	}
}

// sequential records adds and then removes.
func sequential(t *testing.T, adds, removes []string) *record.Log {
	t.Helper()
	rec := record.New(record.Options{})
	add, remove, h := rec.Method("add"), rec.Method("remove"), rec.Handle("a")
	value := func(v string) record.Value {
		if n, err := strconv.Atoi(v); err == nil {
			return record.Int(n)
		}
		return h.Text(v)
	}
	for _, v := range adds {
		h.Call(add, value(v))
		h.Commit()
		h.Return(record.None)
	}
	for _, v := range removes {
		h.Call(remove)
		h.Commit()
		h.Return(record.Some, value(v))
	}
	l, err := rec.Log()
	if err != nil {
		t.Fatal(err)
	}
	return l
}
