package explore_test

import (
	"fmt"
	"testing"

	"github.com/adtinfer/adtinfer/explore"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

const eliminationStack = "examples/verified/hsy"

func init() { theories[eliminationStack] = "stack/stack" }

func TestEliminationStack(t *testing.T) {
	t.Parallel()
	holdsWith(t, eliminationStack, []atMost{{bounds(2, 2, 2), 1_338}, {bounds(3, 1, 2), 1_081}, {bounds(3, 2, 1), 1_344_021}})
}

// mutantAt is a mutant with the least bounds at which it comes out like that, or with
// bounds at which it holds.
type mutantAt struct {
	mutant
	at explore.Bounds
}

// A push and a pop meet only if others have been faster than both: that takes three
// goroutines, of which one has two operations.
var eliminationStackMutants = []mutantAt{
	{mutant{eliminationStack, "push overwrites", []string{"if s.top.CompareAndSwap(n.below, n) {", "if s.top.Swap(n) == n.below || true {"}, explore.Violated}, bounds(2, 2, 1)},
	{mutant{eliminationStack, "pop overwrites", []string{"if s.top.CompareAndSwap(top, top.below) {", "if s.top.Store(top.below); true {"}, explore.Violated}, bounds(2, 2, 1)},
	{mutant{eliminationStack, "empty if another one was faster", []string{"return push.node.value, true\n\t\t}\n", "return push.node.value, true\n\t\t}\n\t\treturn 0, false\n"}, explore.Violated}, bounds(2, 2, 1)},
	{mutant{eliminationStack, "always empty", []string{"if top == nil {", "if top == nil || true {"}, explore.Violated}, bounds(2, 1, 1)},
	{mutant{eliminationStack, "pushes meet each other", []string{"(other.node == nil) != (mine.node == nil) && ", "(other.node != nil || mine.node != nil) && "}, explore.Violated}, bounds(3, 2, 1)},
	{mutant{eliminationStack, "two may meet the same one", []string{"other.partner.CompareAndSwap(nil, mine) {", "other.partner.Swap(mine) != other {"}, explore.Violated}, bounds(3, 2, 1)},
	{mutant{eliminationStack, "withdrawn without asking", []string{"if mine.partner.CompareAndSwap(nil, withdrawn) {", "if mine.partner.Store(withdrawn); true {"}, explore.Violated}, bounds(3, 2, 1)},
	{mutant{eliminationStack, "who waits is not told", []string{"return mine.partner.Load()", "return nil"}, explore.Violated}, bounds(3, 2, 1)},
	{mutant{eliminationStack, "who comes does not believe it", []string{"already\n\t\t\treturn other", "already\n\t\t\treturn nil"}, explore.Violated}, bounds(3, 2, 1)},
	// A slot only helps to find a partner: whether they meet, the partner's field decides,
	// and who is not found withdraws.
	{mutant{eliminationStack, "an offer overwrites", []string{"if !slot.CompareAndSwap(other, mine) {", "if slot.Store(mine); false {"}, explore.Holds}, bounds(3, 2, 1)},
	{mutant{eliminationStack, "a slot is emptied without asking", []string{"slot.CompareAndSwap(mine, nil)", "slot.Store(nil)"}, explore.Holds}, bounds(3, 2, 1)},
	// Without a partner there is the stack.
	{mutant{eliminationStack, "nobody waits", []string{"if !slot.CompareAndSwap(other, mine) {", "if true {"}, explore.Holds}, bounds(3, 2, 1)},
}

func TestEliminationStackMutants(t *testing.T) {
	t.Parallel()
	decided(t, testsize.Some(eliminationStackMutants, 8))
}

// decided sees to it that mutants come out as they say. Plain tests leave out those of
// many interleavings.
func decided(t *testing.T, all []mutantAt) {
	for _, m := range all {
		if m.at == bounds(3, 2, 1) && !testsize.Nightly() {
			continue
		}
		t.Run(fmt.Sprint(m.name, " ", m.at), func(t *testing.T) {
			t.Parallel()
			r := run(t, explore.Options{Dir: m.write(t), Theory: theoryOf(t, m.of), Bounds: m.at, Workers: 1}, m.want, "")
			t.Logf("%d states", r.States)
		})
	}
}
