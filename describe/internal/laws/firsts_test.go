package laws

import (
	"slices"
	"testing"

	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
)

// allowance hides what was used where that exceeds the limit, and the limit where it does not.
type allowance struct{ limit, used int }

func (a *allowance) Limit(n int) { a.limit = n }
func (a *allowance) Use(n int) bool {
	if n < 1 || n > a.Left() {
		return false
	}
	a.used += n
	return true
}
func (a *allowance) Left() int { return max(a.limit-a.used, 0) }
func (a *allowance) Reset()    { a.used = 0 }

// TestSplit: an observer splits classes of states just if two states are alike to all
// observers before it, and not to it; and those that are offered are the ones that do.
func TestSplit(t *testing.T) {
	l, _ := begunOf(t, "allowance", func() *allowance { return &allowance{limit: 5} })
	w := l.w
	u := l.universe()
	states, err := l.reached(u)
	if err != nil {
		t.Fatal(err)
	}
	if states = states[:min(len(states), 150)]; len(states) < 30 {
		t.Fatalf("%d states", len(states))
	}
	args := func(o *observer) [][]eq.Value { return l.product(u, o) }
	c := &classes{w: w, args: args, all: [][]int32{states}}
	var taken []*observer
	differ := func(a, b int32, o *observer) (some bool) {
		if err := w.fill(func() {
			some = false
			for _, as := range args(o) {
				x, _ := w.see(a, o, as)
				y, _ := w.see(b, o, as)
				some = some || x != y
			}
		}); err != nil {
			t.Fatal(err)
		}
		return some
	}
	alike := map[[2]int32]bool{}
	for i, a := range states {
		for _, b := range states[:i] {
			alike[[2]int32{a, b}] = true
		}
	}
	yes, no := 0, 0
	for _, o := range append(l.unnamed(answers), l.candidates()...) {
		got, err := c.refine(o)
		if err != nil {
			t.Fatal(err)
		}
		want := false
		for pair := range alike {
			if differ(pair[0], pair[1], o) {
				delete(alike, pair)
				want = true
			}
		}
		if got != want {
			t.Errorf("%s splits: %v, want %v", o.name, got, want)
		}
		switch {
		case o.first == nil:
		case want:
			yes++
			taken = append(taken, o)
		default:
			no++
		}
	}
	if err := l.split(); err != nil {
		t.Fatal(err)
	}
	if yes == 0 || no == 0 || !slices.Equal(taken, l.listed) {
		t.Errorf("%d split, and %d do not; offered are %d", yes, no, len(l.listed))
	}
}
