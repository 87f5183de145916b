//go:build z3

package solver_test

import (
	"bytes"
	"context"
	"os"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/internal/solver"
)

func newZ3(t *testing.T) solver.Solver {
	t.Helper()
	backend, err := backends.ByName("z3")
	if err != nil {
		t.Fatal(err)
	}
	return backend()
}

// TestZ3CancelWhenever cancels queries at odd moments. The answer may come
// first; it is right then.
func TestZ3CancelWhenever(t *testing.T) {
	s := pigeons(newZ3(t), 8)
	for n := range 60 {
		ctx, cancel := context.WithCancel(t.Context())
		timer := time.AfterFunc(time.Duration(n)*500*time.Microsecond, cancel)
		start := time.Now()
		if r, err := s.Solve(ctx, 1); (r != solver.Unsat || err != nil) && (r != solver.Unknown || err != context.Canceled) {
			t.Errorf("Solve = %v, %v", r, err)
		}
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("back after %v", d)
		}
		timer.Stop()
		cancel()
	}
	if r, err := s.Solve(t.Context()); r != solver.Unsat || err != nil {
		t.Errorf("at last Solve = %v, %v", r, err)
	}
}

// TestZ3MemoryIsFreed makes many solvers, freed by Close or by the garbage
// collector. Those of one round hold some 20 MB each if they are kept.
func TestZ3MemoryIsFreed(t *testing.T) {
	for _, closed := range []bool{true, false} {
		round := func() {
			for range 20 {
				s := pigeons(newZ3(t), 25)
				if r, err := s.Solve(t.Context(), -1, 1); r != solver.Unsat || err != nil {
					t.Fatal(r, err)
				}
				if closed {
					solver.Close(s)
				}
				runtime.GC()
			}
		}
		round() // the heap finds its size
		before := residentMB(t)
		round()
		if grown := residentMB(t) - before; grown > 100 {
			t.Errorf("closed %v: grew by %d MB", closed, grown)
		}
	}
}

func residentMB(t *testing.T) int {
	t.Helper()
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip(err)
	}
	fields := bytes.Fields(statm)
	pages, err := strconv.Atoi(string(fields[1]))
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize() >> 20
}

func TestZ3UsableAfterClose(t *testing.T) {
	s := newZ3(t)
	a := s.NewVar()
	s.Add(-a)
	for range 2 {
		if r, err := s.Solve(t.Context(), a); r != solver.Unsat || err != nil || !slices.Equal(s.Core(), []int{a}) {
			t.Errorf("Solve = %v, %v, core %v", r, err, s.Core())
		}
		solver.Close(s)
		solver.Close(s)
	}
}
