package explore_test

import "github.com/adtinfer/adtinfer/explore"

const vechevCASSet = "examples/verified/vechevcas"

func init() {
	theories[vechevCASSet] = "verified/set/set"
	figures = append(figures, struct {
		of     string
		states [4]int64
	}{vechevCASSet, [4]int64{1_317, 413, 2_450, 7_344}})
	mutants = append(mutants, vechevCASMutants...)
}

// The one that holds is equivalent: a link with the same mark in place of another one.
var vechevCASMutants = []mutant{
	{vechevCASSet, "nothing is marked", []string{"\t\tif !was.marked && !c.link.CompareAndSwap(was, &link{next: was.next, marked: true}) {\n\t\t\tcontinue\n\t\t}\n", ""}, explore.Violated},
	{vechevCASSet, "a mark overwrites", []string{"\t\tif !was.marked && !c.link.CompareAndSwap(was, &link{next: was.next, marked: true}) {\n\t\t\tcontinue\n\t\t}\n", "\t\tc.link.Store(&link{next: was.next, marked: true})\n"}, explore.Violated},
	{vechevCASSet, "it goes on where marking failed", []string{"!c.link.CompareAndSwap(was, &link{next: was.next, marked: true}) {\n\t\t\tcontinue\n\t\t}", "c.link.CompareAndSwap(was, &link{next: was.next, marked: true}) {\n\t\t}"}, explore.Violated},
	{vechevCASSet, "a marked element is marked again", []string{"if !was.marked && ", "if "}, explore.Holds},
	{vechevCASSet, "a marked element is left to others", []string{"if !was.marked && ", "if was.marked || "}, explore.Livelocked},
	{vechevCASSet, "a change overwrites", []string{"return was.next == c && !was.marked && n.link.CompareAndSwap(was, &link{next: next})", "if was.next != c || was.marked {\n\t\treturn false\n\t}\n\tn.link.Store(&link{next: next})\n\treturn true"}, explore.Violated},
	{vechevCASSet, "c need not come after n", []string{"was.next == c && ", ""}, explore.Violated},
	{vechevCASSet, "n may have a mark", []string{"!was.marked && n", "n"}, explore.Violated},
	{vechevCASSet, "somebody else may have unlinked", []string{"if p.change(c, was.next) {", "if p.change(c, was.next) || true {"}, explore.Violated},
	{vechevCASSet, "not there if unlinking failed", []string{"\t\t\treturn true\n\t\t}\n\t}\n}\n\n// Contains", "\t\t\treturn true\n\t\t}\n\t\treturn false\n\t}\n}\n\n// Contains"}, explore.Violated},
	{vechevCASSet, "nothing is linked", []string{"if p.change(c, n) {", "if p != nil {"}, explore.Violated},
	{vechevCASSet, "add does not look", []string{"\t\tif c.val == e {\n\t\t\t//lin: if s.has(e): add(e) = false\n\t\t\treturn false\n\t\t}\n", ""}, explore.Violated},
	{vechevCASSet, "contains does not find marked elements", []string{"return c.val == e\n", "return c.val == e && !c.link.Load().marked\n"}, explore.Violated},
	{vechevCASSet, "contains finds any element not below", []string{"return c.val == e\n", "return c.val >= e\n"}, explore.Violated},
}
