package explore_test

import "github.com/adtinfer/adtinfer/explore"

const hindsightSet = "examples/verified/hindsight"

// The figures are those of this explorer.
func init() {
	theories[hindsightSet] = "verified/set/set"
	figures = append(figures, struct {
		of     string
		states [4]int64
	}{hindsightSet, [4]int64{4_062, 1_833, 6_561, 17_802}})
	mutants = append(mutants, []mutant{
		{hindsightSet, "a mark of p does not matter", []string{"!p.marked && ", ""}, explore.Violated},
		{hindsightSet, "p and c need not be neighbours", []string{" && p.next.Load() == c", ""}, explore.Violated},
		{hindsightSet, "p is not locked", []string{"\t\tp.mu.Lock()\n", "", "\t\tp.mu.Unlock()\n", "", "\tdefer p.mu.Unlock()\n", ""}, explore.Violated},
		{hindsightSet, "c is not locked", []string{"\tc.mu.Lock()\n\tdefer c.mu.Unlock()\n", ""}, explore.Racy},
		{hindsightSet, "c is not locked, marks are atomic", []string{"\tc.mu.Lock()\n\tdefer c.mu.Unlock()\n", "", "marked bool", "marked atomic.Bool", "c.marked = true", "c.marked.Store(true)", "!p.marked", "!p.marked.Load()"}, explore.Violated},
		{hindsightSet, "nothing is marked", []string{"\tc.marked = true\n", ""}, explore.Violated},
		// Marks are read under the lock of who has one.
		{hindsightSet, "marked after it is unlinked", []string{"\tc.marked = true\n\tp.next.Store(c.next.Load())\n", "\tp.next.Store(c.next.Load())\n\tc.marked = true\n"}, explore.Holds},
		{hindsightSet, "nothing is linked", []string{"\tp.next.Store(n)\n", ""}, explore.Violated},
		{hindsightSet, "nothing is unlinked", []string{"\tp.next.Store(c.next.Load())\n", ""}, explore.Violated},
		{hindsightSet, "removed elements lead to another end", []string{"\tp.next.Store(c.next.Load())\n", "\tp.next.Store(c.next.Load())\n\tc.next.Store(&node{val: math.MaxInt})\n"}, explore.Violated},
		{hindsightSet, "contains finds any element not below", []string{"return c.val == e", "return c.val >= e"}, explore.Violated},
		{hindsightSet, "contains asks for marks without a lock", []string{"return c.val == e", "return c.val == e && !c.marked"}, explore.Racy},
		{hindsightSet, "add does not look", []string{"\tif c.val == e {\n\t\t//lin: add(e) = false\n\t\treturn false\n\t}\n", ""}, explore.Violated},
		// What fails may look without a lock, as contains does.
		{hindsightSet, "operations that fail do as contains", []string{
			"\tp, c := s.lock(e)\n\tdefer p.mu.Unlock()\n\tif c.val == e {", "\tif s.Contains(e) {\n\t\treturn false\n\t}\n\tp, c := s.lock(e)\n\tdefer p.mu.Unlock()\n\tif c.val == e {",
			"\tp, c := s.lock(e)\n\tdefer p.mu.Unlock()\n\tif c.val != e {", "\tif !s.Contains(e) {\n\t\treturn false\n\t}\n\tp, c := s.lock(e)\n\tdefer p.mu.Unlock()\n\tif c.val != e {",
		}, explore.Holds},
	}...)
}
