package explore_test

import (
	"testing"

	"github.com/adtinfer/adtinfer/explore"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

const (
	vechevDCASSet = "examples/verified/vechevdcas"
	dcasWords     = "examples/verified/dcas"
)

func init() {
	theories[vechevDCASSet] = "verified/set/set"
	figures = append(figures, struct {
		of     string
		states [4]int64
	}{vechevDCASSet, [4]int64{3_138, 1_185, 4_688, 16_954}})
}

// vechevDCASMutants are wrong versions of the set, or of the words below it.
var vechevDCASMutants = []mutant{
	{vechevDCASSet, "a new element overwrites", []string{"if p.next.CompareAndSwap(c, n) {", "if p.next.Store(n); true {"}, explore.Violated},
	{vechevDCASSet, "nothing is linked", []string{"if p.next.CompareAndSwap(c, n) {", "if p != nil {"}, explore.Violated},
	{vechevDCASSet, "add does not look", []string{"\t\tif c.val == e {\n\t\t\t//lin: add(e) = false\n\t\t\treturn false\n\t\t}\n", ""}, explore.Violated},
	{vechevDCASSet, "removed elements are not cut off", []string{"Value: nil", "Value: next"}, explore.Violated},
	{vechevDCASSet, "removed elements stay", []string{"Value: next}", "Value: c}"}, explore.Violated},
	{vechevDCASSet, "one word after the other", []string{
		"if dcas.Swap(", "if swap(",
		"// Contains reports", "func swap(a, b dcas.Change[*node]) bool {\n\treturn a.Word.CompareAndSwap(a.Expected, a.Value) && b.Word.CompareAndSwap(b.Expected, b.Value)\n}\n\n// Contains reports",
	}, explore.Violated},
	{vechevDCASSet, "not there if unlinking failed", []string{"\t\t\treturn true\n\t\t}\n\t}\n}\n\n// Contains", "\t\t\treturn true\n\t\t}\n\t\treturn false\n\t}\n}\n\n// Contains"}, explore.Violated},
	{vechevDCASSet, "it goes on at the end of a removed element", []string{"if c == nil {", "if false {"}, explore.Violated},
	{vechevDCASSet, "the list ends at a removed element", []string{"if c == nil {\n\t\t\tp, c = s.head, s.head.next.Load()\n", "if c == nil {\n\t\t\treturn p, &node{val: math.MaxInt}\n"}, explore.Violated},
	{vechevDCASSet, "contains finds any element not below", []string{"return c.val == e\n", "return c.val >= e\n"}, explore.Violated},

	{vechevDCASSet, "the first word is not compared", []string{"a.Word.value != a.Expected || ", ""}, explore.Violated},
	{vechevDCASSet, "the second word is not compared", []string{" || b.Word.value != b.Expected", ""}, explore.Violated},
	{vechevDCASSet, "one word is not compared", []string{"\tif w.value != expected {\n\t\treturn false\n\t}\n", ""}, explore.Violated},
	{vechevDCASSet, "unlocked between two words", []string{"a.Word.value, b.Word.value = a.Value, b.Value", "a.Word.value = a.Value\n\tmu.Unlock()\n\tmu.Lock()\n\tb.Word.value = b.Value"}, explore.Violated},
	{vechevDCASSet, "nothing is locked", []string{"\tmu.Lock()\n\tdefer mu.Unlock()\n", "", "var mu sync.Mutex", "var _ sync.Mutex"}, explore.Racy},
	{vechevDCASSet, "load does not lock", []string{"Load() T {\n\tmu.Lock()\n\tdefer mu.Unlock()\n", "Load() T {\n"}, explore.Racy},
	{vechevDCASSet, "store does not lock", []string{"Store(value T) {\n\tmu.Lock()\n\tdefer mu.Unlock()\n", "Store(value T) {\n"}, explore.Holds},
}

// TestMutantsOfDCAS explores the mutants. The one that holds is equivalent: what is stored to
// is not in the list yet. They are held against the set, as some panic, of which the
// theory does not speak.
func TestMutantsOfDCAS(t *testing.T) {
	t.Parallel()
	for _, m := range testsize.Some(vechevDCASMutants, 15) {
		o := explore.Options{Dir: m.write(t), Reference: folder("examples/verified/set"), Bounds: bounds(2, 2, 2), Workers: 1}
		inAllWays(t, m.of+" "+m.name, o, m.want, "")
	}
}
