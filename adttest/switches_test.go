package adttest

import (
	"testing"

	"github.com/adtinfer/adtinfer/schedule"
)

// TestLuby compares the sequence with its first elements.
func TestLuby(t *testing.T) {
	for i, want := range []int{1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, 1} {
		if got := luby(i + 1); got != want {
			t.Errorf("element %d is %d, want %d", i+1, got, want)
		}
	}
}

// TestNamed sees calls in the lanes of their threads, the first of which makes those after the others, too.
func TestNamed(t *testing.T) {
	sc := Scenario{Before: []Call{Do("Set", 1)}, Threads: [][]Call{{Do("Add", 2)}, {Do("Len"), Do("Add", 3)}}, After: []Call{Do("Get")}}
	gate := schedule.Step{Func: betweenName, File: "worker.go", Line: 1, What: "atomic"}
	at := func(goroutine int) schedule.Step { s := gate; s.Goroutine = goroutine; return s }
	own := schedule.Step{Goroutine: 3, File: "own.go", Line: 7, What: "go", Started: 4}
	steps := sc.named([]schedule.Step{{Goroutine: 1, What: "waits"}, at(3), at(2), own, at(3), at(2), at(2), {Goroutine: 4, What: "ends"}})
	var got string
	for _, s := range steps {
		got += s.What + " "
	}
	if want := "calls Len() calls Add(2) go calls Add(3) calls Get() begins a call ends "; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if s := steps[2]; s.Goroutine != 2 || s.Started != 3 || s.Line != 7 {
		t.Error(s)
	}
}

// TestBounds sees that explore's bounds have room for the scenario.
func TestBounds(t *testing.T) {
	for _, tt := range []struct {
		sc      Scenario
		n, k, d int
	}{
		{Scenario{Threads: [][]Call{{Do("Inc")}, {Do("Inc")}}}, 2, 1, 1},
		{Scenario{Threads: [][]Call{{Do("Add", 7)}, {Do("Add", 7)}}}, 2, 1, 1},
		{Scenario{Threads: [][]Call{{Do("Add", 7)}, {Do("Add", 8)}}}, 2, 1, 3},
		{Scenario{Threads: [][]Call{{Do("Add", 7)}, {Do("Add", 0)}}}, 2, 1, 2},
		{Scenario{Before: []Call{Do("Add", "x"), Do("Add", "x")}, Threads: [][]Call{{Do("Pop")}, {Do("Pop")}}, After: []Call{Do("Len")}}, 2, 3, 1},
		{Scenario{After: []Call{Do("Len")}}, 1, 1, 1},
	} {
		if n, k, d := tt.sc.bounds(); n != tt.n || k != tt.k || d != tt.d {
			t.Errorf("%s: %d goroutines, %d calls, %d values; want %d, %d, %d", tt.sc, n, k, d, tt.n, tt.k, tt.d)
		}
	}
}
