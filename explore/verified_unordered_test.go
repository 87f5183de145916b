package explore_test

import (
	"fmt"
	"testing"

	"github.com/adtinfer/adtinfer/explore"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

const unorderedSet = "examples/verified/unordered"

func init() { theories[unorderedSet] = "verified/set/set" }

// unorderedMutants come with the least bounds at which they come out as they say. Those that
// hold are equivalent.
var unorderedMutants = []comparedMutant{
	{mutant{unorderedSet, "a request overwrites", []string{"if s.head.CompareAndSwap(first, n) {", "if s.head.Store(n); true {"}, explore.Violated}, bounds(2, 1, 1)},
	{mutant{unorderedSet, "an Add does not see that it was removed", []string{"if !n.state.CompareAndSwap(insertion, state) {", "if n.state.Store(state); false {"}, explore.Violated}, bounds(2, 2, 1)},
	{mutant{unorderedSet, "a removal left to an Add is not done", []string{"\t\tn.takeOut()\n", ""}, explore.Violated}, bounds(2, 2, 1)},
	{mutant{unorderedSet, "a Remove overwrites the state of an Add", []string{"if c.state.CompareAndSwap(insertion, removal) {", "if c.state.Store(removal); true {"}, explore.Violated}, bounds(2, 3, 2)},
	{mutant{unorderedSet, "a Remove makes an Add invalid", []string{"c.state.CompareAndSwap(insertion, removal)", "c.state.CompareAndSwap(insertion, invalid)"}, explore.Violated}, bounds(2, 2, 1)},
	{mutant{unorderedSet, "an insertion does not count for Add", []string{"return state == removal || state == invalid", "return state != data"}, explore.Violated}, bounds(2, 1, 1)},
	{mutant{unorderedSet, "a removal does not count for Add", []string{"return state == removal || state == invalid", "return state == invalid"}, explore.Violated}, bounds(2, 1, 1)},
	{mutant{unorderedSet, "an insertion does not count for Contains", []string{"return state != removal", "return state == data"}, explore.Violated}, bounds(2, 2, 1)},
	{mutant{unorderedSet, "Contains looks behind removals", []string{"state != invalid {\n\t\t\treturn state != removal", "state != invalid && state != removal {\n\t\t\treturn true"}, explore.Violated}, bounds(2, 2, 1)},
	{mutant{unorderedSet, "an Add in vain becomes an element, too", []string{"\tif added {\n\t\tstate = data\n\t}\n", "\tstate = data\n"}, explore.Violated}, bounds(2, 2, 1)},
	{mutant{unorderedSet, "an element stays", []string{"\t\t\tc.state.Store(invalid) // nobody else gets here while n is a removal\n", ""}, explore.Violated}, bounds(2, 2, 1)},
	{mutant{unorderedSet, "an Add is an element at once", []string{"n := s.enlist(e, insertion)", "n := s.enlist(e, data)"}, explore.Violated}, bounds(2, 1, 1)},
	{mutant{unorderedSet, "nothing is unlinked", []string{"\t\t\tp.next.Store(c.next.Load())\n", ""}, explore.Livelocked}, bounds(2, 1, 1)},
	{mutant{unorderedSet, "always added", []string{"return added", "return true"}, explore.Violated}, bounds(2, 1, 1)},
	// Removals that stay hide nothing that is in the set, and take memory only.
	{mutant{unorderedSet, "a removal stays", []string{"\tn.state.Store(invalid)\n\treturn removed", "\treturn removed"}, explore.Holds}, bounds(2, 2, 2)},
	// Invalid nodes are passed as well as unlinked.
	{mutant{unorderedSet, "invalid nodes are passed", []string{"\t\t\tp.next.Store(c.next.Load())\n", "\t\t\tp = c\n"}, explore.Holds}, bounds(2, 2, 2)},
}

// TestUnordered holds the figures, too: states may be a fifth more.
func TestUnordered(t *testing.T) {
	t.Parallel()
	for at, states := range map[explore.Bounds]int64{bounds(2, 1, 2): 481, bounds(2, 2, 2): 64_172, bounds(3, 1, 2): 16_734} {
		if tooMany(states) {
			continue
		}
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			t.Parallel()
			r := run(t, explore.Options{Dir: folder(unorderedSet), Theory: theoryOf(t, unorderedSet), Bounds: at, Workers: 1}, explore.Holds, "")
			t.Logf("%d states, %d expected", r.States, states)
			if r.States > states*6/5 {
				t.Errorf("%d states, %d expected", r.States, states)
			}
		})
	}
}

func TestUnorderedMutants(t *testing.T) {
	t.Parallel()
	for _, m := range testsize.Some(unorderedMutants, 16) {
		o := explore.Options{Dir: m.write(t), Theory: theoryOf(t, m.of), Bounds: m.at, Workers: 1}
		if m.at.Operations > 2 { // other ways would take gigabytes
			if testsize.Long() {
				t.Run(m.of+" "+m.name, func(t *testing.T) {
					t.Parallel()
					run(t, o, m.want, "")
				})
			}
			continue
		}
		inAllWays(t, m.of+" "+m.name, o, m.want, "")
	}
}
