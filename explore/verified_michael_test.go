package explore_test

import "github.com/adtinfer/adtinfer/explore"

const michaelSet = "examples/verified/michael"

// The figures are those of this explorer.
func init() {
	theories[michaelSet] = "verified/set/set"
	figures = append(figures, struct {
		of     string
		states [4]int64
	}{michaelSet, [4]int64{8_008, 2_816, 53_541, 54_317}})
	mutants = append(mutants, michaelMutants...)
}

// Those that hold are equivalent.
var michaelMutants = []mutant{
	{michaelSet, "a mark overwrites", []string{"if !c.next.CompareAndSwap(after, &link{to: after.to, marked: true}) {", "if c.next.Store(&link{to: after.to, marked: true}); false {"}, explore.Violated},
	{michaelSet, "a new element overwrites", []string{"if p.next.CompareAndSwap(before, &link{to: n}) {", "if _ = before; true {\n\t\t\tp.next.Store(&link{to: n})"}, explore.Violated},
	{michaelSet, "whoever comes along overwrites", []string{"if !p.next.CompareAndSwap(before, unlinked) {", "if p.next.Store(unlinked); false {"}, explore.Violated},
	{michaelSet, "remove overwrites the link before", []string{"if !p.next.CompareAndSwap(before, &link{to: after.to}) {", "if p.next.Store(&link{to: after.to}); before == nil {"}, explore.Violated},
	{michaelSet, "unlinked without a mark", []string{"if !c.next.CompareAndSwap(after, &link{to: after.to, marked: true}) {\n\t\t\tcontinue\n\t\t}\n", ""}, explore.Violated},
	{michaelSet, "nothing is marked", []string{", marked: true", ""}, explore.Violated},
	{michaelSet, "marked elements are found", []string{"case after.marked:", "case after.marked && false:"}, explore.Violated},
	{michaelSet, "marked elements stay", []string{"if !p.next.CompareAndSwap(before, unlinked) {\n\t\t\t\t\tcontinue again\n\t\t\t\t}\n\t\t\t\tbefore = unlinked", "_ = unlinked\n\t\t\t\tp, before = c, after"}, explore.Violated},
	{michaelSet, "not there if another one was faster", []string{"marked: true}) {\n\t\t\tcontinue", "marked: true}) {\n\t\t\treturn false"}, explore.Violated},
	{michaelSet, "there if another one was faster", []string{"marked: true}) {\n\t\t\tcontinue", "marked: true}) {\n\t\t\treturn true"}, explore.Violated},
	{michaelSet, "contains finds any element not below", []string{"_, _, c, _ := s.find(e)\n\treturn c.val == e", "_, _, c, _ := s.find(e)\n\treturn c.val >= e"}, explore.Violated},
	{michaelSet, "add does not look", []string{"if c.val == e {", "if false {"}, explore.Violated},

	// When the link from p was read, p was not marked, and so p and c were neighbours
	// in the list. If c is above e, e was not in the set then. If c is e and not marked
	// later, it is in the set. Links are never used again, so that the comparisons see
	// whatever happened since.
	{michaelSet, "p and c need not be neighbours any more", []string{"case p.next.Load() != before:", "case false:"}, explore.Holds},
	// The next step is to see whether p has the link it should have.
	{michaelSet, "unlinking that failed counts", []string{"if !p.next.CompareAndSwap(before, unlinked) {\n\t\t\t\t\tcontinue again\n\t\t\t\t}\n", "p.next.CompareAndSwap(before, unlinked)\n"}, explore.Holds},
	// Others unlink it when they come along.
	{michaelSet, "removed elements are left to others", []string{"\t\tif !p.next.CompareAndSwap(before, &link{to: after.to}) {\n\t\t\ts.find(e) // unlinks it, unless others did\n\t\t}\n", "\t\t_, _ = p, before\n"}, explore.Holds},
}
