package explore_test

import "github.com/adtinfer/adtinfer/explore"

func init() {
	policies = append(policies, policedOptimistic, policedCoupled, policedHindsight, policedVechevDCAS, policedVechevCAS, policedLazy)
}

// How locate of package optimistic ends its search, before it locks anything.
const searched = "\t\tp.mu.Lock()\n\t\tc.mu.Lock()\n"

var policedOptimistic = &policed{
	of: optimisticSet, states: [2]int64{10_608, 6_241}, more: []explore.Bounds{bounds(3, 2, 1), bounds(2, 3, 2)},
	mutants: []policyMutant{
		{name: "add is not announced", edits: []string{"\t//lin: add(e) = true\n", ""}, want: explore.WrongPolicy, at: bounds(1, 1, 1)},
		{name: "add is not announced if it fails", edits: []string{"\t\t//lin: add(e) = false\n", ""}, want: explore.WrongPolicy, at: bounds(1, 2, 1)},
		{name: "remove is not announced", edits: []string{"\t//lin: remove(e) = true\n", ""}, want: explore.WrongPolicy, at: bounds(1, 2, 1)},
		{name: "remove is not announced if it fails", edits: []string{"\t\t//lin: remove(e) = false\n", ""}, want: explore.WrongPolicy, at: bounds(1, 1, 1)},
		{name: "contains is not announced", edits: []string{"\t//lin: contains(e) = c.val == e\n", ""}, want: explore.WrongPolicy, at: bounds(1, 1, 1)},
		{name: "contains is always true", edits: []string{"contains(e) = c.val == e", "contains(e) = true"}, want: explore.WrongPolicy, at: bounds(1, 1, 1)},
		{name: "contains is always false", edits: []string{"contains(e) = c.val == e", "contains(e) = false"}, want: explore.WrongPolicy, at: bounds(1, 2, 1)},
		{name: "new elements come to the head", edits: []string{"\tn.next.Store(c)\n\tp.next.Store(n)\n", "\tn.next.Store(s.head.next.Load())\n\ts.head.next.Store(n)\n"}, want: explore.WrongPolicy, at: bounds(1, 2, 2)},
		{name: "add is announced before it looks", edits: []string{"Add(e int) bool {\n", "Add(e int) bool {\n\t//lin: add(e) = true\n", "\tp.next.Store(n)\n\t//lin: add(e) = true\n", "\tp.next.Store(n)\n"}, want: explore.WrongPolicy, at: bounds(1, 2, 1)},
		{name: "add is announced before it links", edits: []string{"\tp.next.Store(n)\n\t//lin: add(e) = true\n", "\t//lin: add(e) = true\n\tp.next.Store(n)\n"},
			want: explore.Holds, at: bounds(2, 3, 2), why: "both locks are there, and who asks for e needs them"},
		{name: "remove is announced before it unlinks", edits: []string{"\tp.next.Store(c.next.Load())\n\t//lin: remove(e) = true\n", "\t//lin: remove(e) = true\n\tp.next.Store(c.next.Load())\n"},
			want: explore.Holds, at: bounds(2, 3, 2), why: "both locks are there, and who asks for e needs them"},
		{name: "add is announced after it unlocks", edits: []string{
			"\tdefer c.mu.Unlock()\n\tdefer p.mu.Unlock()\n\tif c.val == e {\n\t\t//lin: add(e) = false\n", "\tif c.val == e {\n\t\t//lin: add(e) = false\n\t\tp.mu.Unlock()\n\t\tc.mu.Unlock()\n",
			"\t//lin: add(e) = true\n", "\tp.mu.Unlock()\n\tc.mu.Unlock()\n\t//lin: add(e) = true\n"}, want: explore.WrongPolicy, at: bounds(2, 1, 1)},
		{name: "contains is announced where it finds e without locks", edits: []string{"\t//lin: contains(e) = c.val == e\n", "", searched, "\t\t//lin: contains(e) = c.val == e\n" + searched}, want: explore.WrongPolicy, at: bounds(2, 2, 2)},
		{name: "contains is announced before the last look", edits: []string{"\t//lin: contains(e) = c.val == e\n", "", "\t\tif s.linked(p) ", "\t\t//lin: contains(e) = c.val == e\n\t\tif s.linked(p) "}, want: explore.WrongPolicy, at: bounds(2, 1, 1)},

		{name: "p need not be in the list", edits: []string{"s.linked(p) && ", ""}, want: explore.Violated, at: bounds(2, 2, 2)},
		{name: "p and c need not be neighbours", edits: []string{" && p.next.Load() == c", ""}, want: explore.Violated, at: bounds(2, 1, 1)},
		{name: "p is not locked", edits: noLockP, want: explore.Violated, at: bounds(2, 2, 2)},
		{name: "c is not locked", edits: noLockC, want: explore.Violated, at: bounds(2, 2, 2)},
		{name: "nothing is linked", edits: noLink, want: explore.Violated, at: bounds(1, 2, 1)},
		{name: "nothing is unlinked", edits: noCut, want: explore.Violated, at: bounds(1, 3, 1)},
		{name: "add does not look", edits: []string{"\tif c.val == e {\n\t\t//lin: add(e) = false\n\t\treturn false\n\t}\n", ""}, want: explore.Violated, at: bounds(1, 2, 1)},
	},
}

var policedCoupled = &policed{
	of: coupledSet, states: [2]int64{1_460, 584}, more: []explore.Bounds{bounds(3, 2, 1), bounds(2, 3, 2)},
	mutants: []policyMutant{
		{name: "add is not announced", edits: []string{"\t//lin: add(e) = true\n", ""}, want: explore.WrongPolicy, at: bounds(1, 1, 1)},
		{name: "add is not announced if it fails", edits: []string{"\t\t//lin: add(e) = false\n", ""}, want: explore.WrongPolicy, at: bounds(1, 2, 1)},
		{name: "remove is not announced", edits: []string{"\t//lin: remove(e) = true\n", ""}, want: explore.WrongPolicy, at: bounds(1, 2, 1)},
		{name: "remove is not announced if it fails", edits: []string{"\t\t//lin: remove(e) = false\n", ""}, want: explore.WrongPolicy, at: bounds(1, 1, 1)},
		{name: "contains is not announced", edits: []string{"\t//lin: contains(e) = c.val == e\n", ""}, want: explore.WrongPolicy, at: bounds(1, 1, 1)},
		{name: "contains is always false", edits: []string{"contains(e) = c.val == e", "contains(e) = false"}, want: explore.WrongPolicy, at: bounds(1, 2, 1)},
		{name: "contains is always true", edits: []string{"contains(e) = c.val == e", "contains(e) = true"}, want: explore.WrongPolicy, at: bounds(1, 1, 1)},
		{name: "the list stays empty", edits: []string{"invariant s.sorted()", "invariant s.head.next.next == nil"}, want: explore.WrongPolicy, at: bounds(1, 1, 1)},
		{name: "a failing remove is announced before it looks", edits: []string{"\t\t//lin: remove(e) = false\n", "", "Remove(e int) bool {\n", "Remove(e int) bool {\n\t//lin: remove(e) = false\n"}, want: explore.WrongPolicy, at: bounds(1, 2, 1)},
		{name: "add is announced before it links", edits: []string{"\tp.next = &node{val: e, next: c}\n\t//lin: add(e) = true\n", "\t//lin: add(e) = true\n\tp.next = &node{val: e, next: c}\n"},
			want: explore.Holds, at: bounds(2, 3, 2), why: "both locks are there, and who asks for e needs them"},
		{name: "remove is announced after it unlocks", edits: []string{
			"\tdefer c.mu.Unlock()\n\tdefer p.mu.Unlock()\n\tif c.val != e {\n\t\t//lin: remove(e) = false\n", "\tif c.val != e {\n\t\t//lin: remove(e) = false\n\t\tp.mu.Unlock()\n\t\tc.mu.Unlock()\n",
			"\t//lin: remove(e) = true\n", "\tp.mu.Unlock()\n\tc.mu.Unlock()\n\t//lin: remove(e) = true\n"}, want: explore.WrongPolicy, at: bounds(2, 2, 1)},
		{name: "contains is announced at the first element", edits: []string{"\t//lin: contains(e) = c.val == e\n", "", "\tfor c.val < e {\n", "\t//lin: contains(e) = c.val == e\n\tfor c.val < e {\n"}, want: explore.WrongPolicy, at: bounds(2, 2, 2)},
		{name: "contains is announced before the last lock", edits: []string{"\t//lin: contains(e) = c.val == e\n", "", "\tc = p.next\n", "\tc = p.next\n\t//lin: if c.val >= e: contains(e) = c.val == e\n", "\t\tp, c = c, c.next\n", "\t\tp, c = c, c.next\n\t\t//lin: if c.val >= e: contains(e) = c.val == e\n"},
			want: explore.Holds, at: bounds(2, 3, 2), why: "who would remove the last element needs the lock of the one before"},

		{name: "p is unlocked too early", edits: []string{"\tp = s.head\n\tp.mu.Lock()\n\tc = p.next\n", "\tp = s.head\n\tp.mu.Lock()\n\tc = p.next\n\tp.mu.Unlock()\n\tp.mu.Lock()\n"}, want: explore.Violated, at: bounds(2, 1, 1)},
		{name: "the next element is not locked", edits: []string{"c = c, c.next\n\t\tc.mu.Lock()\n", "c = c, c.next\n"}, want: explore.Faulty, at: bounds(1, 2, 2)},
		{name: "nothing is locked", edits: []string{"\tp.mu.Lock()\n", "", "\t\tp.mu.Unlock()\n", "", "\tdefer p.mu.Unlock()\n", "\t_ = p\n", "\tc.mu.Lock()\n", "", "\tdefer c.mu.Unlock()\n", ""}, want: explore.Racy, at: bounds(2, 1, 1)},
		{name: "nothing is linked", edits: []string{"p.next = &node{val: e, next: c}", "_ = &node{val: e, next: c}"}, want: explore.Violated, at: bounds(1, 2, 1)},
		{name: "nothing is unlinked", edits: []string{"\tp.next = c.next\n", ""}, want: explore.Violated, at: bounds(1, 3, 1)},
		{name: "add does not look", edits: []string{"\tif c.val == e {\n\t\t//lin: add(e) = false\n\t\treturn false\n\t}\n", ""}, want: explore.Violated, at: bounds(1, 2, 1)},
	},
}

var policedHindsight = &policed{
	of: hindsightSet, states: [2]int64{3_254, 1_493}, more: []explore.Bounds{bounds(3, 2, 1), bounds(2, 3, 2)},
	mutants: []policyMutant{
		{name: "add is not announced", edits: []string{"\t//lin: add(e) = true; broadcast added(e)\n", ""}, want: explore.WrongPolicy, at: bounds(1, 1, 1)},
		{name: "add is not announced if it fails", edits: []string{"\t\t//lin: add(e) = false\n", ""}, want: explore.WrongPolicy, at: bounds(1, 2, 1)},
		{name: "add tells nobody", edits: []string{"; broadcast added(e)", ""}, want: explore.WrongPolicy, at: bounds(2, 2, 2)},
		{name: "add tells everybody", edits: []string{"added(v int) in start if v == e", "added(v int) in start"}, want: explore.WrongPolicy, at: bounds(2, 3, 2)},
		{name: "remove is not announced if it fails", edits: []string{"\t\t//lin: remove(e) = false\n", ""}, want: explore.WrongPolicy, at: bounds(1, 1, 1)},
		{name: "remove tells nobody", edits: []string{"; broadcast removed(e)", ""}, want: explore.WrongPolicy, at: bounds(2, 3, 2)},
		{name: "remove tells everybody", edits: []string{"removed(v int) in start if v == e", "removed(v int) in start"}, want: explore.WrongPolicy, at: bounds(2, 2, 2)},
		{name: "contains does not hear of adds", edits: []string{"//lin:receive before added(v int) in start if v == e: contains(e) = false\n", ""}, want: explore.WrongPolicy, at: bounds(2, 2, 2)},
		{name: "contains does not hear of removes", edits: []string{"//lin:receive before removed(v int) in start if v == e: contains(e) = true\n", ""}, want: explore.WrongPolicy, at: bounds(2, 3, 2)},
		{name: "contains is false after an add", edits: []string{"before added", "after added"}, want: explore.WrongPolicy, at: bounds(2, 2, 2)},
		{name: "contains is true after a remove", edits: []string{"before removed", "after removed"}, want: explore.WrongPolicy, at: bounds(2, 2, 2)},
		{name: "contains is true after an add", edits: []string{"before added(v int) in start if v == e: contains(e) = false", "after added(v int) in start if v == e: contains(e) = true"}, want: explore.WrongPolicy, at: bounds(2, 2, 2)},
		{name: "contains is false after a remove", edits: []string{"before removed(v int) in start if v == e: contains(e) = true", "after removed(v int) in start if v == e: contains(e) = false"}, want: explore.WrongPolicy, at: bounds(2, 3, 2)},
		{name: "contains takes effect only as others say", edits: []string{"\t//lin: if found == s.has(e): contains(e) = found\n", ""}, want: explore.WrongPolicy, at: bounds(1, 1, 1)},
		{name: "the list stays empty", edits: []string{"invariant s.sorted()", "invariant s.head.next.Load().next.Load() == nil"}, want: explore.WrongPolicy, at: bounds(1, 1, 1)},
		{name: "the head has a mark", edits: []string{"invariant s.sorted()", "invariant s.head.marked"}, want: explore.WrongPolicy, at: bounds(1, 1, 1)},
		{name: "contains takes effect at its last read", edits: []string{"if found == s.has(e): contains", "contains"}, want: explore.WrongPolicy, at: bounds(2, 2, 2)},
		{name: "contains takes effect at its last read if that finds e", edits: []string{"if found == s.has(e): contains", "if found || !s.has(e): contains"}, want: explore.WrongPolicy, at: bounds(2, 3, 2)},
		{name: "contains takes effect at its last read if that does not find e", edits: []string{"if found == s.has(e): contains", "if !found || s.has(e): contains"}, want: explore.WrongPolicy, at: bounds(2, 2, 2)},
		{name: "contains takes effect at its first read", edits: []string{"\t//lin: if found == s.has(e): contains(e) = found\n", "", "\tfound := s", "\t//lin: contains(e) = s.has(e)\n\tfound := s"}, want: explore.WrongPolicy, at: bounds(2, 2, 2)},
		{name: "a failing add is announced before it locks", edits: []string{"\t\t//lin: add(e) = false\n", "", "\t\tp.mu.Lock()\n", "\t\t//lin: if c.val == e: add(e) = false\n\t\tp.mu.Lock()\n"}, want: explore.WrongPolicy, at: bounds(2, 3, 2)},
		{name: "add is announced before it links", edits: []string{"\tp.next.Store(n)\n\t//lin: add(e) = true; broadcast added(e)\n", "\t//lin: add(e) = true; broadcast added(e)\n\tp.next.Store(n)\n"}, want: explore.WrongPolicy, at: bounds(2, 1, 1)},
		{name: "remove is announced where it marks", edits: []string{"\tp.next.Store(c.next.Load())\n\t//lin: remove(e) = true; broadcast removed(e)\n", "\t//lin: remove(e) = true; broadcast removed(e)\n\tp.next.Store(c.next.Load())\n"}, want: explore.WrongPolicy, at: bounds(2, 2, 1)},
		{name: "remove is announced after it unlocks c", edits: []string{"\tdefer c.mu.Unlock()\n", "", "\t//lin: remove(e) = true", "\tc.mu.Unlock()\n\t//lin: remove(e) = true"}, want: explore.WrongPolicy, at: bounds(2, 2, 1)},

		{name: "a mark of p does not matter", edits: []string{"!p.marked && ", ""}, want: explore.Violated, at: bounds(2, 2, 2)},
		{name: "p and c need not be neighbours", edits: []string{" && p.next.Load() == c", ""}, want: explore.Violated, at: bounds(2, 1, 1)},
		{name: "p is not locked", edits: []string{"\t\tp.mu.Lock()\n", "", "\t\tp.mu.Unlock()\n", "", "\tdefer p.mu.Unlock()\n", ""}, want: explore.Violated, at: bounds(2, 1, 1)},
		{name: "c is not locked", edits: []string{"\tc.mu.Lock()\n\tdefer c.mu.Unlock()\n", ""}, want: explore.Racy, at: bounds(2, 2, 2)},
		{name: "nothing is marked", edits: []string{"\tc.marked = true\n", ""}, want: explore.Violated, at: bounds(2, 2, 2)},
		{name: "marked after it is unlinked", edits: []string{"\tc.marked = true\n", "", "; broadcast removed(e)\n", "; broadcast removed(e)\n\tc.marked = true\n"},
			want: explore.Holds, at: bounds(2, 3, 2), why: "marks are read under the lock of who has one"},
		{name: "nothing is linked", edits: noLink, want: explore.Violated, at: bounds(1, 2, 1)},
		{name: "nothing is unlinked", edits: noCut, want: explore.Violated, at: bounds(1, 3, 1)},
	},
}

// Held against a reference, as some mutants panic, of which the theory does not speak.
var policedVechevDCAS = &policed{
	of: vechevDCASSet, reference: "examples/verified/set", states: [2]int64{2_935, 1_163}, more: []explore.Bounds{bounds(3, 2, 1), bounds(2, 3, 2)},
	mutants: []policyMutant{
		{name: "add is not announced", edits: []string{"\t\t\t//lin: add(e) = true\n", ""}, want: explore.WrongPolicy, at: bounds(1, 1, 1)},
		{name: "add is not announced if it fails", edits: []string{"\t\t\t//lin: add(e) = false\n", ""}, want: explore.WrongPolicy, at: bounds(1, 2, 1)},
		{name: "remove is not announced", edits: []string{"\t\t\t//lin: remove(e) = true\n", ""}, want: explore.WrongPolicy, at: bounds(1, 2, 1)},
		{name: "remove is not announced if it fails", edits: []string{"\t\t\t//lin: remove(e) = false\n", ""}, want: explore.WrongPolicy, at: bounds(1, 1, 1)},
		{name: "contains is not announced", edits: []string{"\t//lin: contains(e) = c.val == e\n", ""}, want: explore.WrongPolicy, at: bounds(1, 1, 1)},
		{name: "contains is always false", edits: []string{"contains(e) = c.val == e", "contains(e) = false"}, want: explore.WrongPolicy, at: bounds(1, 2, 1)},
		{name: "contains is announced at each element", edits: []string{"\t//lin: contains(e) = c.val == e\n", "", "\tfor c.val < e {\n", "\tfor c.val < e {\n\t\t//lin: contains(e) = false\n", "\treturn p, c\n", "\t//lin: contains(e) = c.val == e\n\treturn p, c\n"}, want: explore.WrongPolicy, at: bounds(2, 2, 2)},
		{name: "contains is announced after another read", edits: []string{"\t//lin: contains(e) = c.val == e\n", "\ts.head.next.Load()\n\t//lin: contains(e) = c.val == e\n"}, want: explore.WrongPolicy, at: bounds(2, 1, 1)},
		{name: "a failing add is announced after another read", edits: []string{"\t\t\t//lin: add(e) = false\n", "\t\t\ts.head.next.Load()\n\t\t\t//lin: add(e) = false\n"}, want: explore.WrongPolicy, at: bounds(2, 2, 1)},
		{name: "add is announced before it swaps", edits: []string{"\t\t\t//lin: add(e) = true\n", "", "\t\tn.next.Store(c)\n", "\t\tn.next.Store(c)\n\t\t//lin: add(e) = true\n"}, want: explore.WrongPolicy, at: bounds(2, 1, 1)},
		{name: "remove is announced before it swaps", edits: []string{"\t\t\t//lin: remove(e) = true\n", "", "\t\tif dcas", "\t\t//lin: remove(e) = true\n\t\tif dcas"}, want: explore.WrongPolicy, at: bounds(2, 2, 1)},
		{name: "remove is announced after another read", edits: []string{"\t\t\t//lin: remove(e) = true\n", "\t\t\ts.head.next.Load()\n\t\t\t//lin: remove(e) = true\n"}, want: explore.WrongPolicy, at: bounds(2, 2, 1)},

		{name: "a new element overwrites", edits: []string{"if p.next.CompareAndSwap(c, n) {", "if p.next.Store(n); true {"}, want: explore.Violated, at: bounds(2, 1, 1)},
		{name: "nothing is linked", edits: []string{"if p.next.CompareAndSwap(c, n) {", "if p != nil {"}, want: explore.Violated, at: bounds(1, 2, 1)},
		{name: "add does not look", edits: []string{"\t\tif c.val == e {\n\t\t\t//lin: add(e) = false\n\t\t\treturn false\n\t\t}\n", ""}, want: explore.Violated, at: bounds(1, 2, 1)},
		{name: "removed elements are not cut off", edits: []string{"Value: nil", "Value: next"}, want: explore.Violated, at: bounds(2, 2, 2)},
		{name: "removed elements stay", edits: []string{"Value: next}", "Value: c}"}, want: explore.Violated, at: bounds(1, 3, 1)},
		{name: "not there if unlinking failed", edits: []string{"\t\t\treturn true\n\t\t}\n\t}\n}\n\n// Contains", "\t\t\treturn true\n\t\t}\n\t\treturn false\n\t}\n}\n\n// Contains"}, want: explore.WrongPolicy, at: bounds(2, 2, 1)},
		{name: "the first word is not compared", edits: []string{"a.Word.value != a.Expected || ", ""}, want: explore.Violated, at: bounds(2, 2, 1)},
		{name: "the second word is not compared", edits: []string{" || b.Word.value != b.Expected", ""}, want: explore.Violated, at: bounds(2, 2, 2)},
		{name: "one word is not compared", edits: []string{"\tif w.value != expected {\n\t\treturn false\n\t}\n", ""}, want: explore.Violated, at: bounds(2, 1, 1)},
		{name: "it is unlocked between two words", edits: []string{"a.Word.value, b.Word.value = a.Value, b.Value", "a.Word.value = a.Value\n\tmu.Unlock()\n\tmu.Lock()\n\tb.Word.value = b.Value"}, want: explore.WrongPolicy, at: bounds(2, 2, 1)},
		{name: "nothing is locked", edits: []string{"\tmu.Lock()\n\tdefer mu.Unlock()\n", "", "var mu sync.Mutex", "var _ sync.Mutex"}, want: explore.Racy, at: bounds(2, 1, 1)},
		{name: "it goes on at the end of a removed element", edits: []string{"if c == nil {", "if false {"}, want: explore.Violated, at: bounds(2, 2, 2)},
		{name: "the list ends at a removed element", edits: []string{"if c == nil {\n\t\t\tp, c = s.head, s.head.next.Load()\n", "if c == nil {\n\t\t\treturn p, &node{val: math.MaxInt}\n"}, want: explore.Violated, at: bounds(2, 2, 2)},
	},
}

var policedVechevCAS = &policed{
	of: vechevCASSet, states: [2]int64{1_323, 413}, more: []explore.Bounds{bounds(3, 2, 1), bounds(2, 3, 2)},
	mutants: []policyMutant{
		{name: "add is not announced if it fails", edits: []string{"\t\t\t//lin: if s.has(e): add(e) = false\n", ""}, want: explore.WrongPolicy, at: bounds(1, 2, 1)},
		{name: "a failing add is announced unasked", edits: []string{"if s.has(e): add", "add"}, want: explore.WrongPolicy, at: bounds(2, 3, 2)},
		{name: "add tells nobody", edits: []string{"; broadcast added(e)", ""}, want: explore.WrongPolicy, at: bounds(2, 2, 2)},
		{name: "add does not hear of removes", edits: []string{"//lin:receive before removed(v int) in start if v == e: add(e) = false\n", ""}, want: explore.WrongPolicy, at: bounds(2, 3, 2)},
		{name: "add fails after a remove", edits: []string{"before removed(v int) in start if v == e: add", "after removed(v int) in start if v == e: add"}, want: explore.WrongPolicy, at: bounds(2, 2, 1)},
		{name: "add is announced before it links", edits: []string{"\t\t\t//lin: add(e) = true; broadcast added(e)\n", "", "\t\tn.link.Store", "\t\t//lin: add(e) = true; broadcast added(e)\n\t\tn.link.Store"}, want: explore.WrongPolicy, at: bounds(2, 1, 1)},
		{name: "remove is not announced if it fails", edits: []string{"\t\t\t//lin: if !s.has(e): remove(e) = false\n", ""}, want: explore.WrongPolicy, at: bounds(1, 1, 1)},
		{name: "a failing remove is announced unasked", edits: []string{"if !s.has(e): remove", "remove"}, want: explore.WrongPolicy, at: bounds(2, 2, 2)},
		{name: "remove tells nobody", edits: []string{"; broadcast removed(e)", ""}, want: explore.WrongPolicy, at: bounds(2, 3, 2)},
		{name: "remove does not hear of adds", edits: []string{"//lin:receive before added(v int) in start if v == e: remove(e) = false\n", ""}, want: explore.WrongPolicy, at: bounds(2, 2, 2)},
		{name: "remove fails after an add", edits: []string{"before added(v int) in start if v == e: remove", "after added(v int) in start if v == e: remove"}, want: explore.WrongPolicy, at: bounds(2, 2, 1)},
		{name: "remove is announced where it marks", edits: []string{"\t\t\t//lin: remove(e) = true; broadcast removed(e)\n", "", "\t\tif p.change(c, was", "\t\t//lin: remove(e) = true; broadcast removed(e)\n\t\tif p.change(c, was"}, want: explore.WrongPolicy, at: bounds(2, 2, 1)},
		{name: "contains does not hear of adds", edits: []string{"//lin:receive before added(v int) in start if v == e: contains(e) = false\n", ""}, want: explore.WrongPolicy, at: bounds(2, 2, 2)},
		{name: "contains does not hear of removes", edits: []string{"//lin:receive before removed(v int) in start if v == e: contains(e) = true\n", ""}, want: explore.WrongPolicy, at: bounds(2, 3, 2)},
		{name: "contains is false after an add", edits: []string{"before added(v int) in start if v == e: contains", "after added(v int) in start if v == e: contains"}, want: explore.WrongPolicy, at: bounds(2, 2, 2)},
		{name: "contains is true after a remove", edits: []string{"before removed(v int) in start if v == e: contains", "after removed(v int) in start if v == e: contains"}, want: explore.WrongPolicy, at: bounds(2, 2, 2)},
		{name: "contains takes effect at its last read", edits: []string{"if found == s.has(e): contains", "contains"}, want: explore.WrongPolicy, at: bounds(2, 2, 2)},
		{name: "contains takes effect only as others say", edits: []string{"\t//lin: if found == s.has(e): contains(e) = found\n", ""}, want: explore.WrongPolicy, at: bounds(1, 1, 1)},
		{name: "contains takes effect at its first read", edits: []string{"\t//lin: if found == s.has(e): contains(e) = found\n", "", "\tfound := s", "\t//lin: contains(e) = s.has(e)\n\tfound := s"}, want: explore.WrongPolicy, at: bounds(2, 2, 2)},
		{name: "add is announced after another read", edits: []string{"\t\t\t//lin: add(e) = true", "\t\t\ts.head.link.Load()\n\t\t\t//lin: add(e) = true"}, want: explore.WrongPolicy, at: bounds(2, 1, 1)},
		{name: "remove is announced after another read", edits: []string{"\t\t\t//lin: remove(e) = true", "\t\t\ts.head.link.Load()\n\t\t\t//lin: remove(e) = true"}, want: explore.WrongPolicy, at: bounds(2, 2, 1)},
		{name: "add is not announced", edits: []string{"\t\t\t//lin: add(e) = true; broadcast added(e)\n", ""}, want: explore.WrongPolicy, at: bounds(1, 1, 1)},
		{name: "the list is not sorted", edits: []string{"invariant s.", "invariant !s."}, want: explore.WrongPolicy, at: bounds(1, 1, 1)},

		{name: "nothing is marked", edits: []string{"\t\tif !was.marked && !c.link.CompareAndSwap(was, &link{next: was.next, marked: true}) {\n\t\t\tcontinue\n\t\t}\n", ""}, want: explore.Violated, at: bounds(2, 2, 2)},
		{name: "a mark overwrites", edits: []string{"\t\tif !was.marked && !c.link.CompareAndSwap(was, &link{next: was.next, marked: true}) {\n\t\t\tcontinue\n\t\t}\n", "\t\tc.link.Store(&link{next: was.next, marked: true})\n"}, want: explore.Violated, at: bounds(2, 2, 2)},
		{name: "a marked element is marked again", edits: []string{"if !was.marked && ", "if "},
			want: explore.Holds, at: bounds(2, 3, 2), why: "a link with the same mark takes the place of another one"},
		{name: "a marked element is left to others", edits: []string{"if !was.marked && ", "if was.marked || "}, want: explore.Livelocked, at: bounds(2, 2, 2)},
		{name: "c need not come after n", edits: []string{"was.next == c && ", ""}, want: explore.Violated, at: bounds(2, 1, 1)},
		{name: "n may have a mark", edits: []string{"!was.marked && n", "n"}, want: explore.Violated, at: bounds(2, 2, 2)},
		{name: "a change overwrites", edits: []string{"return was.next == c && !was.marked && n.link.CompareAndSwap(was, &link{next: next})", "if was.next != c || was.marked {\n\t\treturn false\n\t}\n\tn.link.Store(&link{next: next})\n\treturn true"}, want: explore.Violated, at: bounds(2, 1, 1)},
		{name: "somebody else may have unlinked", edits: []string{"if p.change(c, was.next) {", "if p.change(c, was.next) || true {"}, want: explore.Violated, at: bounds(2, 2, 1)},
		{name: "not there if unlinking failed", edits: []string{"\t\t\treturn true\n\t\t}\n\t}\n}\n\n// Contains", "\t\t\treturn true\n\t\t}\n\t\treturn false\n\t}\n}\n\n// Contains"}, want: explore.WrongPolicy, at: bounds(2, 2, 1)},
		{name: "nothing is linked", edits: []string{"if p.change(c, n) {", "if p != nil {"}, want: explore.Violated, at: bounds(1, 2, 1)},
		{name: "contains does not find marked elements", edits: []string{"found := s.has(e)", "_, c := s.locate(e)\n\tfound := c.val == e && !c.link.Load().marked"}, want: explore.Violated, at: bounds(2, 2, 1)},
	},
}

var policedLazy = &policed{
	of: lazySet, states: [2]int64{9_046, 5_291}, more: []explore.Bounds{bounds(3, 2, 1), bounds(2, 3, 2)},
	mutants: []policyMutant{
		{name: "add is not announced", edits: []string{"\t//lin: add(e) = true; broadcast added(e)\n", ""}, want: explore.WrongPolicy, at: bounds(1, 1, 1)},
		{name: "add is not announced if it fails", edits: []string{"\t\t//lin: add(e) = false\n", ""}, want: explore.WrongPolicy, at: bounds(1, 2, 1)},
		{name: "remove is not announced", edits: []string{"\t//lin: remove(e) = true\n", ""}, want: explore.WrongPolicy, at: bounds(1, 2, 1)},
		{name: "remove is not announced if it fails", edits: []string{"\t\t//lin: remove(e) = false\n", ""}, want: explore.WrongPolicy, at: bounds(1, 1, 1)},
		{name: "add tells nobody", edits: []string{"; broadcast added(e)", ""}, want: explore.WrongPolicy, at: bounds(2, 1, 1)},
		{name: "add tells everybody", edits: []string{"added(v int) in start if v == e", "added(v int) in start"}, want: explore.WrongPolicy, at: bounds(2, 2, 2)},
		{name: "contains does not hear of adds", edits: []string{"//lin:receive before added(v int) in start if v == e: contains(e) = false; goto helped\n", "", "in start if", "if"}, want: explore.WrongPolicy, at: bounds(2, 1, 1)},
		{name: "contains is false after an add", edits: []string{"receive before", "receive after"}, want: explore.WrongPolicy, at: bounds(2, 1, 1)},
		{name: "contains forgets what it heard", edits: []string{"in start if c", "if c"}, want: explore.WrongPolicy, at: bounds(2, 1, 1)},
		{name: "contains stays as it was", edits: []string{"; goto helped", ""}, want: explore.WrongPolicy, at: bounds(2, 1, 1)},
		{name: "contains is not announced if it finds e", edits: []string{"\t//lin: if c.val == e && !gone: contains(e) = true\n", ""}, want: explore.WrongPolicy, at: bounds(1, 2, 1)},
		{name: "contains is not announced if it does not find e", edits: []string{"\t//lin: in start if c.val != e || gone: contains(e) = false\n", ""}, want: explore.WrongPolicy, at: bounds(1, 1, 1)},
		{name: "contains is announced before it looks for a mark", edits: []string{
			"\tgone := c.marked.Load()\n\t//lin: if c.val == e && !gone: contains(e) = true\n", "\t//lin: if c.val == e && !c.marked.Load(): contains(e) = true\n\tgone := c.marked.Load()\n"}, want: explore.WrongPolicy, at: bounds(2, 2, 2)},
		{name: "add is announced before it links", edits: []string{"\tp.next.Store(n)\n\t//lin: add(e) = true; broadcast added(e)\n", "\t//lin: add(e) = true; broadcast added(e)\n\tp.next.Store(n)\n"}, want: explore.WrongPolicy, at: bounds(2, 1, 1)},
		{name: "add is announced after it unlocks p", edits: []string{
			"\tdefer p.mu.Unlock()\n\tif c.val == e {\n\t\t//lin: add(e) = false\n", "\tif c.val == e {\n\t\tp.mu.Unlock()\n\t\t//lin: add(e) = false\n",
			"\t//lin: add(e) = true", "\tp.mu.Unlock()\n\t//lin: add(e) = true"}, want: explore.WrongPolicy, at: bounds(2, 1, 1)},
		{name: "remove is announced before it marks", edits: []string{"\tc.marked.Store(true)\n\t//lin: remove(e) = true\n", "\t//lin: remove(e) = true\n\tc.marked.Store(true)\n"}, want: explore.WrongPolicy, at: bounds(2, 2, 1)},
		{name: "remove is announced where it unlinks", edits: []string{"\t//lin: remove(e) = true\n\tp.next.Store(c.next.Load())\n", "\tp.next.Store(c.next.Load())\n\t//lin: remove(e) = true\n"}, want: explore.WrongPolicy, at: bounds(2, 2, 1)},

		{name: "a mark of p does not matter", edits: []string{"!p.marked.Load() && ", ""}, want: explore.Violated, at: bounds(2, 2, 2)},
		{name: "a mark of c does not matter", edits: []string{" && !c.marked.Load()", ""}, want: explore.Holds, at: bounds(2, 3, 2), why: "what comes after an unmarked element has no mark while that is locked"},
		{name: "p and c need not be neighbours", edits: []string{" && p.next.Load() == c", ""}, want: explore.Violated, at: bounds(2, 1, 1)},
		{name: "p is not locked", edits: noLockP, want: explore.Violated, at: bounds(2, 2, 2)},
		{name: "c is not locked", edits: noLockC, want: explore.Violated, at: bounds(2, 2, 2)},
		{name: "nothing is marked", edits: []string{"\tc.marked.Store(true)\n", ""}, want: explore.WrongPolicy, at: bounds(2, 2, 1)},
		{name: "nothing is linked", edits: noLink, want: explore.Violated, at: bounds(1, 2, 1)},
		{name: "nothing is unlinked", edits: noCut, want: explore.Livelocked, at: bounds(1, 3, 1)},
		{name: "add does not look", edits: []string{"\tif c.val == e {\n\t\t//lin: add(e) = false\n\t\treturn false\n\t}\n", ""}, want: explore.Violated, at: bounds(1, 2, 1)},
		{name: "contains ignores marks", edits: []string{"gone := c.marked.Load()", "gone := false"}, want: explore.WrongPolicy, at: bounds(2, 2, 1)},
	},
}
