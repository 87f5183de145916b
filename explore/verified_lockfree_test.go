package explore_test

import "github.com/adtinfer/adtinfer/explore"

const lockfreeSet = "examples/verified/lockfree"

func init() {
	theories[lockfreeSet] = "verified/set/set"
	figures = append(figures, struct {
		of     string
		states [4]int64
	}{lockfreeSet, [4]int64{3_303, 801, 16_732, 25_139}})
	mutants = append(mutants, lockfreeMutants...)
}

// Those that hold are equivalent. Who goes on where unlinking failed stays at an element
// that is removed, or that others changed, and the change that follows there fails, too. A
// removed element that nobody unlinks at once is unlinked by whoever comes along.
var lockfreeMutants = []mutant{
	{lockfreeSet, "a change overwrites", []string{"return was.next == c && !was.marked && n.link.CompareAndSwap(was, to)", "if was.next != c || was.marked {\n\t\treturn false\n\t}\n\tn.link.Store(to)\n\treturn true"}, explore.Violated},
	{lockfreeSet, "c need not come after n", []string{"was.next == c && ", ""}, explore.Violated},
	{lockfreeSet, "n may be removed", []string{"!was.marked && ", ""}, explore.Violated},
	{lockfreeSet, "nothing is marked", []string{"if c.change(next, &link{next: next, marked: true}) {", "if p.change(c, &link{next: next}) {", "\t\t\tp.change(c, &link{next: next}) // if that fails, others do it later\n", ""}, explore.Violated},
	{lockfreeSet, "somebody else may have marked", []string{"if c.change(next, &link{next: next, marked: true}) {", "if c.change(next, &link{next: next, marked: true}) || true {"}, explore.Violated},
	{lockfreeSet, "nothing is linked", []string{"if p.change(c, &link{next: n}) {", "if p != nil {"}, explore.Violated},
	{lockfreeSet, "add does not look", []string{"\t\tif c.val == e {\n\t\t\treturn false\n\t\t}\n", ""}, explore.Violated},
	{lockfreeSet, "marked elements are found", []string{"case after.marked:", "case false:"}, explore.Violated},
	{lockfreeSet, "marked elements stay", []string{"if !p.change(c, &link{next: after.next}) {", "if false {"}, explore.Livelocked},
	{lockfreeSet, "it goes on where unlinking failed", []string{"if !p.change(c, &link{next: after.next}) {\n\t\t\t\t\tcontinue again\n\t\t\t\t}\n", "p.change(c, &link{next: after.next})\n", "again:\n", ""}, explore.Holds},
	{lockfreeSet, "removed elements are left to others", []string{"\t\t\tp.change(c, &link{next: next}) // if that fails, others do it later\n", "\t\t\t_ = p\n"}, explore.Holds},
	{lockfreeSet, "contains ignores marks", []string{" && !c.link.Load().marked", ""}, explore.Violated},
	{lockfreeSet, "contains finds any element not below", []string{"if c.val == e && ", "if "}, explore.Violated},
	{lockfreeSet, "contains is always true", []string{"\treturn false\n}\n\n// locate", "\treturn true\n}\n\n// locate"}, explore.Violated},
}
