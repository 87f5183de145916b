package learn

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// differsSomewhere runs all short words.
func differsSomewhere(tb testing.TB, c *comparison, most int) []history.Label {
	tb.Helper()
	for n := 1; n <= most; n++ {
		var all [][]teacher.Call
		for _, w := range teacher.Short(c.methods, n) {
			all = append(all, teacher.Texts{Methods: c.methods}.Of(w))
		}
		answers, err := teacher.New(c.impl).Ask(tb.Context(), all)
		if err != nil {
			tb.Fatal(err)
		}
		for i := range all {
			if c.differs(all[i], &answers[i]) >= 0 {
				return answers[i].Labels
			}
		}
	}
	return nil
}

// TestCompare compares random automata with themselves as references, and with
// others, of which all short words say whether they differ.
func TestCompare(t *testing.T) {
	testsize.NeedsLong(t)
	closed, found := 0, 0
	for seed := range testsize.Samples(40) {
		r := rand.New(rand.NewPCG(seed, 2))
		a := randomAutomaton(r)
		checkDifference(t, seed, a, a, Comparison{Words: 20, Closed: true})
		b := changed(r, a)
		checkDifference(t, seed, a, b, Comparison{Words: 20, Closed: true})
		c := newComparison(implementation(t, a), b)
		d, err := c.closed(t.Context())
		switch {
		case err != nil:
			t.Fatalf("seed %d: %v", seed, err)
		case d != nil:
			found++
			continue
		case c.extent.States == 0:
			t.Fatalf("seed %d: not closed: %s", seed, c.extent.Why)
		}
		closed++
		if ls := differsSomewhere(t, c, 4); ls != nil {
			t.Fatalf("seed %d: no difference was found, but %s is one", seed, history.Sequential(ls...))
		}
	}
	if closed == 0 || found == 0 {
		t.Fatalf("%d closed, %d differ: want some of each", closed, found)
	}
}

// checkDifference compares the machine a with b. What it finds is one.
func checkDifference(t *testing.T, seed uint64, a, b *automata.Automaton, o Comparison) *Difference {
	t.Helper()
	extent, d, err := Compare(t.Context(), implementation(t, a), b, o)
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	if extent.States == 0 && d == nil {
		t.Fatalf("seed %d: not closed: %s", seed, extent.Why)
	}
	if d == nil {
		return nil
	}
	if a == b {
		t.Fatalf("seed %d: %s is called a difference (%+v)", seed, d, extent)
	}
	s := b.Start()
	for i := range d.Labels {
		next, ok := b.Step(s, &d.Labels[i])
		if ok != (i < d.At) {
			t.Fatalf("seed %d: %s: the automaton says %t of call %d, want the first difference at %d", seed, d, ok, i, d.At)
		}
		s = next
	}
	m := &anyMachine{a, a.Start()}
	for _, l := range d.Labels {
		var args []string
		for _, v := range l.Args {
			args = append(args, string(v))
		}
		if got := m.call(l.Method, args...); got.Outcome != l.Outcome {
			t.Fatalf("seed %d: %s: the machine answers %s with %s", seed, d, l, got.Outcome)
		}
	}
	return d
}

// TestTeacher compares one random automaton after the other with a machine, with a teacher
// that remembers the words and without.
func TestTeacher(t *testing.T) {
	for seed := range testsize.Samples(20) {
		r := rand.New(rand.NewPCG(seed, 3))
		a := randomAutomaton(r)
		impl := implementation(t, a)
		remembers := teacher.New(impl)
		for range 4 {
			b := changed(r, a)
			want, first, err := Compare(t.Context(), impl, b, Comparison{Words: 20})
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			got, second, err := Compare(t.Context(), impl, b, Comparison{Words: 20, Teacher: remembers})
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if *got != *want || fmt.Sprint(first) != fmt.Sprint(second) {
				t.Fatalf("seed %d: %+v and %s, with a teacher %+v and %s", seed, want, first, got, second)
			}
		}
	}
}
