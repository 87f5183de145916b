package check_test

import (
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/reference"
)

type cell struct{ n int }

func (c *cell) Store(n int) { c.n = n }
func (c *cell) Load() int   { return c.n }

// TestUndone: where the right answer is that of a new object, the explanation has the last operation that made the wrong
// one right, and whether no other operation has a value is said only of values that nobody has.
func TestUndone(t *testing.T) {
	impl, err := reference.New(reference.Spec{Name: "cell", New: func() *cell { return &cell{} }})
	if err != nil {
		t.Fatal(err)
	}
	c, err := check.New(nil, check.Options{Reference: impl})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, log string
		undone    string
		nowhere   bool
	}{
		{"undone", "[1] call store(4)\n[1] return\n[2] call store(5)\n[2] return\n[3] call store(4)\n[3] return\n[4] call store(0)\n[4] return\n[5] call load\n[5] return 4\n", "3", false},
		{"shown", "[1] call store(4)\n[1] return\n[2] call store(5)\n[2] return\n[3] call load\n[3] return 4\n", "", false},
		{"from nowhere", "[1] call store(5)\n[1] return\n[2] call load\n[2] return 7\n", "", true},
		{"from nowhere, new", "[1] call load\n[1] return 7\n", "", false},
	} {
		e, err := c.ReadLog(strings.NewReader(tt.log), "run.log")
		if err != nil {
			t.Fatal(err)
		}
		r, err := c.Check(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		x, err := c.Explain(t.Context(), e, r)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if x.Undone != nil {
			got = x.Undone.ID
		}
		if got != tt.undone || x.Nowhere != tt.nowhere {
			t.Errorf("%s: undone %q, nowhere %v; want %q, %v", tt.name, got, x.Nowhere, tt.undone, tt.nowhere)
		}
	}
}
