package history

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func op(method string, outcome Outcome, target int) Op {
	return Op{Kind: Kind{method, outcome}, Target: target}
}

func TestWeightAndFrequency(t *testing.T) {
	readOnly := func(o Op) Op { o.ReadOnly = true; return o }
	tests := []struct {
		name    string
		h       *History
		weight  int
		matches int
	}{
		{"empty", Sequence(), 0, 0},
		{"one unmatched", Sequence(op("remove", Some, Unmatched)), 1, 0},
		{"two unmatched of a kind", Sequence(op("remove", Some, Unmatched), op("remove", Some, Unmatched)), 2, 0},
		{"two unmatched of two kinds", Sequence(op("remove", Some, Unmatched), op("remove", Nil, Unmatched)), 1, 0},
		{"flags tell apart", Sequence(op("remove", Some, Unmatched), readOnly(op("remove", Some, Unmatched))), 1, 0},
		{"duplicates", Sequence(op("add", None, 0), op("remove", Some, 0), op("remove", Some, 0)), 2, 1},
		{"two matches", Sequence(op("add", None, 0), op("remove", Nil, 1)), 2, 2},
		{"pending", Sequence(op("add", None, 0), op("remove", Pending, Unmatched)), 1, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := tt.h.Validate(); err != nil {
				t.Fatal(err)
			}
			if got := tt.h.Weight(); got != tt.weight {
				t.Errorf("Weight() = %d, want %d", got, tt.weight)
			}
			if got := tt.h.matches(); got != tt.matches {
				t.Errorf("Matches() = %d, want %d", got, tt.matches)
			}
		})
	}
}

// TestWeightTwin compares Weight with its definition.
func TestWeightTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 5000 {
		h := randomHistory(rng, rng.IntN(9), 1+rng.IntN(3))
		want := h.matches()
		for i := range h.Ops {
			want = max(want, h.frequency(i))
		}
		if got := h.Weight(); got != want {
			t.Fatalf("%+v: Weight() = %d, want %d", h, got, want)
		}
	}
}

// TestWidthTwin compares Width with the largest antichain, found by trying all
// subsets.
func TestWidthTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for range 5000 {
		h := randomHistory(rng, rng.IntN(8), 1+rng.IntN(4))
		if err := h.Validate(); err != nil {
			t.Fatal(err)
		}
		want := 0
		for set := range 1 << len(h.Ops) {
			want = max(want, antichain(h, set))
		}
		if got := h.width(); got != want {
			t.Fatalf("%+v: Width() = %d, want %d", h, got, want)
		}
		if got := h.Sequential(); got != (want <= 1) {
			t.Fatalf("%+v: Sequential() = %t at width %d", h, got, want)
		}
	}
}

// antichain is the size of the set of ops if they are mutually unordered, else 0.
func antichain(h *History, set int) int {
	n := 0
	for i := range h.Ops {
		if set>>i&1 == 0 {
			continue
		}
		n++
		for j := range h.Ops {
			if set>>j&1 == 1 && h.Before(i, j) {
				return 0
			}
		}
	}
	return n
}

// TestColumns checks that the columns show the same order, and that no
// representation could do with fewer: each column has an op that starts in it.
func TestColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for range 5000 {
		h := randomHistory(rng, rng.IntN(10), 1+rng.IntN(4))
		cols, n := h.columns(nil)
		started := make([]bool, n)
		for i := range cols {
			started[cols[i].start] = true
			for j := range cols {
				if got, want := cols[i].end < cols[j].start, h.Before(i, j); got != want {
					t.Fatalf("%+v: ops %d, %d: columns say before = %t", h, i, j, got)
				}
			}
		}
		for c, ok := range started {
			if !ok {
				t.Fatalf("%+v: no op starts in column %d", h, c)
			}
		}
	}
}

func TestValidate(t *testing.T) {
	pending := Op{Kind: Kind{Method: "read"}, Target: Unmatched, End: Never}
	with := func(o Op, edit func(*Op)) *History {
		edit(&o)
		return &History{Ops: []Op{o}}
	}
	add := Op{Kind: Kind{"add", None}, Completed: true}
	tests := []struct {
		name string
		h    *History
		err  string
	}{
		{"good", with(add, func(*Op) {}), ""},
		{"good pending", with(pending, func(*Op) {}), ""},
		{"target too large", with(add, func(o *Op) { o.Target = 1 }), "op 1 (add): its target is op 2 of 1"},
		{"target too small", with(add, func(o *Op) { o.Target = -2 }), "its target is op -1 of 1"},
		{"target elsewhere", Sequence(op("a", None, 1), op("b", None, 0)), "does not map to itself"},
		{"target unmatched", Sequence(op("a", None, 1), op("b", None, Unmatched)), "does not map to itself"},
		{"pending outcome", with(add, func(o *Op) { o.Outcome = Pending }), `completed is true and the outcome ""`},
		{"outcome while pending", with(pending, func(o *Op) { o.Outcome = Nil }), `completed is false and the outcome "nil"`},
		{"pending ends", with(pending, func(o *Op) { o.End = 3 }), "completed is false and the interval ends at 3"},
		{"completed never ends", with(add, func(o *Op) { o.End = Never }), "completed is true and the interval"},
		{"pending matches", with(pending, func(o *Op) { o.Target = 0 }), "it is pending and matches op 1"},
		{"backwards", with(add, func(o *Op) { o.Start = 2 }), "it ends at 0, before it starts at 2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.h.Validate()
			switch {
			case tt.err == "" && err != nil:
				t.Errorf("Validate() = %v", err)
			case tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)):
				t.Errorf("Validate() = %v, want %q", err, tt.err)
			}
		})
	}
}
