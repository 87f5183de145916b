package explore_test

import (
	"fmt"
	"testing"

	"github.com/adtinfer/adtinfer/explore"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

const (
	flaggedCell    = "examples/verified/ccas"
	controlledCell = "examples/verified/rdcss"
)

// compared are algorithms that are held against references: how their objects are made, and how
// many states there are at (2,2,2) and (3,1,2). States may be a fifth more. Plain runs look
// at those below 10,000.
var compared = []struct {
	of, new, reference, referenceNew string
	states                           [2]int64
}{
	{flaggedCell, "New(1)", "examples/verified/cas", "NewFlagged(1)", [2]int64{4_522, 3_814}},
	{controlledCell, "New(1, 1)", "examples/verified/cas", "NewControlled(1, 1)", [2]int64{27_102, 20_918}},
}

func TestCompared(t *testing.T) {
	t.Parallel()
	for _, c := range compared {
		for i, at := range []explore.Bounds{bounds(2, 2, 2), bounds(3, 1, 2)} {
			if tooMany(c.states[i]) {
				continue
			}
			t.Run(fmt.Sprintf("%s %v", c.of, at), func(t *testing.T) {
				t.Parallel()
				o := explore.Options{Dir: folder(c.of), New: c.new, Bounds: at, Reference: folder(c.reference), ReferenceNew: c.referenceNew, Workers: 1}
				r := run(t, o, explore.Holds, "")
				t.Logf("%d states, %d expected", r.States, c.states[i])
				if r.States > c.states[i]*6/5 {
					t.Errorf("%d states, %d expected", r.States, c.states[i])
				}
			})
		}
	}
}

// comparedMutant is a mutant with the least bounds at which it comes out as it says. Those
// that hold are equivalent.
type comparedMutant struct {
	mutant
	at explore.Bounds
}

var comparedMutants = []comparedMutant{
	{mutant{flaggedCell, "the flag does not matter", []string{"set := c.flag.Load()", "set := true"}, explore.Violated}, bounds(2, 2, 2)},
	{mutant{flaggedCell, "the flag as it was before the descriptor", []string{
		"d := &content{value: old, pending: true, new: new}\n", "d := &content{value: old, pending: true, new: new}\n\tif !c.flag.Load() {\n\t\td.new = old\n\t}\n",
		"set := c.flag.Load()", "set := true"}, explore.Violated}, bounds(2, 2, 2)},
	{mutant{flaggedCell, "no descriptor", []string{
		"c.content.CompareAndSwap(now, d)", "!c.flag.Load() || c.content.CompareAndSwap(now, &content{value: new})", "\t\t\tc.complete(d)\n", "\t\t\t_ = d\n"}, explore.Violated}, bounds(2, 2, 2)},
	{mutant{flaggedCell, "a descriptor overwrites", []string{"if c.content.CompareAndSwap(now, d) {", "if c.content.Store(d); true {"}, explore.Violated}, bounds(2, 1, 2)},
	{mutant{flaggedCell, "late helpers overwrite", []string{"if !c.content.CompareAndSwap(d, outcome) {", "if c.content.Store(outcome); false {"}, explore.Violated}, bounds(2, 2, 2)},
	{mutant{flaggedCell, "descriptors are left to others", []string{"\t\t\tc.complete(d)\n", ""}, explore.Violated}, bounds(2, 2, 2)},
	{mutant{flaggedCell, "a read takes the old value", []string{"if !now.pending {", "if true {"}, explore.Violated}, bounds(2, 2, 2)},
	{mutant{flaggedCell, "a read takes the new value", []string{"\t\tif !now.pending {", "\t\tif now.pending {\n\t\t\treturn now.new\n\t\t}\n\t\tif !now.pending {"}, explore.Violated}, bounds(2, 2, 2)},
	{mutant{flaggedCell, "a descriptor counts as its old value", []string{"if now.pending {", "if now.pending && now.value == old {"}, explore.Violated}, bounds(2, 2, 2)},
	{mutant{flaggedCell, "a descriptor is replaced by another one", []string{"if now.pending {", "if false {"}, explore.Violated}, bounds(2, 1, 2)},
	{mutant{flaggedCell, "the old value does not matter", []string{"if now.value != old {", "if false {"}, explore.Violated}, bounds(1, 1, 2)},
	{mutant{flaggedCell, "the flag stays", []string{"\tc.flag.Store(set)\n", ""}, explore.Violated}, bounds(2, 2, 2)},
	{mutant{flaggedCell, "descriptors stay", []string{"if !c.content.CompareAndSwap(d, outcome) {", "if outcome.pending {"}, explore.Livelocked}, bounds(2, 1, 1)},
	{mutant{flaggedCell, "answers what was wanted", []string{"return now.value\n\t\t}\n\t\tif c", "return old\n\t\t}\n\t\tif c"}, explore.Violated}, bounds(1, 1, 2)},
	// Others wait for who made the descriptor, which is slower only.
	{mutant{flaggedCell, "nobody helps", []string{"\t\t\tc.complete(now)\n", "", "\t\tc.complete(now)\n", ""}, explore.Holds}, bounds(2, 2, 2)},

	{mutant{controlledCell, "the control does not matter", []string{"equal := c.control.Load() == op.control", "equal := true"}, explore.Violated}, bounds(2, 1, 2)},
	{mutant{controlledCell, "the control as it was before the operation", []string{
		"\t\tif c.data.CompareAndSwap(was, w) {", "\t\tif c.control.Load() != int64(control) {\n\t\t\tw.undecided.new = was\n\t\t}\n\t\tif c.data.CompareAndSwap(was, w) {",
		"equal := c.control.Load() == op.control", "equal := true"}, explore.Violated}, bounds(2, 2, 2)},
	{mutant{controlledCell, "the control, then the data", []string{
		"if c.data.CompareAndSwap(was, w) {", "if c.control.Load() != int64(control) || c.data.CompareAndSwap(was, w.undecided.new) {", "\t\t\tc.decide(w)\n\t\t\treturn old\n", "\t\t\treturn old\n"}, explore.Violated}, bounds(2, 2, 2)},
	{mutant{controlledCell, "an operation overwrites", []string{"if c.data.CompareAndSwap(was, w) {", "if c.data.Store(w); true {"}, explore.Violated}, bounds(2, 1, 2)},
	{mutant{controlledCell, "late helpers overwrite", []string{"if !c.data.CompareAndSwap(w, outcome) {", "if c.data.Store(outcome); false {"}, explore.Violated}, bounds(2, 2, 2)},
	{mutant{controlledCell, "operations are left to others", []string{"\t\t\tc.decide(w)\n\t\t\treturn old\n", "\t\t\treturn old\n"}, explore.Violated}, bounds(2, 2, 2)},
	{mutant{controlledCell, "a read takes the old value", []string{"w := c.settled()", "w := c.data.Load()\n\tif w.undecided != nil {\n\t\tw = w.undecided.old\n\t}"}, explore.Violated}, bounds(2, 2, 2)},
	{mutant{controlledCell, "a read takes the new value", []string{"w := c.settled()", "w := c.data.Load()\n\tif w.undecided != nil {\n\t\tw = w.undecided.new\n\t}"}, explore.Violated}, bounds(2, 1, 2)},
	{mutant{controlledCell, "the old value does not matter", []string{"if was.value != old {", "if false {"}, explore.Violated}, bounds(1, 1, 2)},
	{mutant{controlledCell, "what others decide is not undone", []string{"if !c.data.CompareAndSwap(w, outcome) {", "if c.data.Load() == w {\n\t\tc.data.Store(outcome)\n\t} else {"}, explore.Violated}, bounds(2, 2, 2)},
	{mutant{controlledCell, "the control stays", []string{"\tc.control.Store(int64(control))\n\t//lin", "\t//lin"}, explore.Violated}, bounds(2, 2, 2)},
	{mutant{controlledCell, "operations stay", []string{"if !c.data.CompareAndSwap(w, outcome) {", "if outcome == nil {"}, explore.Livelocked}, bounds(2, 1, 1)},
	{mutant{controlledCell, "answers what was expected", []string{"return was.value", "return old"}, explore.Violated}, bounds(1, 1, 2)},
	// The control had the value at either time, and the operation was under way.
	{mutant{controlledCell, "the control is looked at again", []string{"equal := c.control.Load() == op.control", "equal := c.control.Load() == op.control || c.control.Load() == op.control"}, explore.Holds}, bounds(2, 2, 2)},
	{mutant{controlledCell, "nobody helps", []string{"\t\tc.decide(w)\n\t}\n}", "\t}\n}"}, explore.Holds}, bounds(2, 2, 2)},
}

func TestComparedMutants(t *testing.T) {
	t.Parallel()
	for _, m := range testsize.Some(comparedMutants, 16) {
		for _, c := range compared {
			if c.of == m.of {
				o := explore.Options{Dir: m.write(t), New: c.new, Bounds: m.at, Reference: folder(c.reference), ReferenceNew: c.referenceNew, Workers: 1}
				inAllWays(t, m.of+" "+m.name, o, m.want, "")
			}
		}
	}
}
