package explore_test

import "github.com/adtinfer/adtinfer/explore"

// mutant is a wrong version of a program: edits are old text, new text, and so on; a
// text is replaced wherever it is.
type mutant struct {
	of    string // a folder, from the module's root
	name  string
	edits []string
	want  explore.Verdict
}

const (
	lazySet       = "examples/verified/lazy"
	optimisticSet = "examples/verified/optimistic"
	coupledSet    = "examples/verified/handoverhand"
	harrisSet     = "examples/verified/harris"
	treiberStack  = "examples/treiber"
	twoLockQueue  = "examples/verified/twolock"
	michaelScott  = "examples/msqueue"
)

// What is taken out of programs with two neighbours p and c.
var (
	noLockP = []string{"\t\tp.mu.Lock()\n", "", "\t\tp.mu.Unlock()\n", "", "\tdefer p.mu.Unlock()\n", "\t_ = p\n"}
	noLockC = []string{"\t\tc.mu.Lock()\n", "", "\t\tc.mu.Unlock()\n", "", "\tdefer c.mu.Unlock()\n", ""}
	noLink  = []string{"\tp.next.Store(n)\n", ""}
	noCut   = []string{"\tp.next.Store(c.next.Load())\n", ""}
)

// mutants come out as they say with two goroutines, two operations each, two values.
// Those that hold are equivalent: what is taken out is not needed.
var mutants = []mutant{
	{lazySet, "a mark of p does not matter", []string{"!p.marked.Load() && ", ""}, explore.Violated},
	{lazySet, "a mark of c does not matter", []string{" && !c.marked.Load()", ""}, explore.Holds},
	{lazySet, "p and c need not be neighbours", []string{" && p.next.Load() == c", ""}, explore.Violated},
	{lazySet, "p is not locked", noLockP, explore.Violated},
	{lazySet, "c is not locked", noLockC, explore.Violated},
	{lazySet, "nothing is marked", []string{"\tc.marked.Store(true)\n", ""}, explore.Violated},
	{lazySet, "nothing is linked", noLink, explore.Violated},
	{lazySet, "nothing is unlinked", noCut, explore.Livelocked},
	{lazySet, "contains ignores marks", []string{"gone := c.marked.Load()", "gone := false"}, explore.Holds},
	{lazySet, "contains finds any element not below", []string{"return c.val == e && !gone", "return !gone"}, explore.Violated},
	{lazySet, "add does not look", []string{"\tif c.val == e {\n\t\t//lin: add(e) = false\n\t\treturn false\n\t}\n", ""}, explore.Violated},

	{optimisticSet, "p need not be in the list", []string{"s.linked(p) && ", ""}, explore.Violated},
	{optimisticSet, "p and c need not be neighbours", []string{" && p.next.Load() == c", ""}, explore.Violated},
	{optimisticSet, "p is not locked", noLockP, explore.Violated},
	{optimisticSet, "c is not locked", noLockC, explore.Violated},
	{optimisticSet, "nothing is linked", noLink, explore.Violated},
	{optimisticSet, "nothing is unlinked", noCut, explore.Violated},

	{coupledSet, "p is unlocked too early", []string{"\tp = s.head\n\tp.mu.Lock()\n\tc = p.next\n", "\tp = s.head\n\tp.mu.Lock()\n\tc = p.next\n\tp.mu.Unlock()\n\tp.mu.Lock()\n"}, explore.Violated},
	{coupledSet, "the next element is not locked", []string{"c = c, c.next\n\t\tc.mu.Lock()\n", "c = c, c.next\n"}, explore.Faulty},
	{coupledSet, "nothing is locked", []string{"\tp.mu.Lock()\n", "", "\t\tp.mu.Unlock()\n", "", "\tdefer p.mu.Unlock()\n", "\t_ = p\n", "\tc.mu.Lock()\n", "", "\tdefer c.mu.Unlock()\n", ""}, explore.Racy},
	{coupledSet, "nothing is linked", []string{"p.next = &node{val: e, next: c}", "_ = &node{val: e, next: c}"}, explore.Violated},
	{coupledSet, "nothing is unlinked", []string{"\tp.next = c.next\n", ""}, explore.Violated},

	{harrisSet, "a mark overwrites", []string{"if c.next.CompareAndSwap(next, mark) {", "if c.next.Store(mark); true {"}, explore.Violated},
	{harrisSet, "a new element overwrites", []string{"if p.next.CompareAndSwap(c, n) {", "if p.next.Store(n); true {"}, explore.Violated},
	{harrisSet, "unlinked without a mark", []string{"if c.next.CompareAndSwap(next, mark) {", "if p.next.CompareAndSwap(c, next) {", "\t\t\tp.next.CompareAndSwap(c, next) //", "\t\t\t_ = mark //"}, explore.Violated},
	{harrisSet, "marked elements are found", []string{"if !removed {\n\t\t\t\t//lin: if c.val == e: add(e) = false\n\t\t\t\tif c.val >= e {\n\t\t\t\t\tbreak\n\t\t\t\t}\n", "//lin: if c.val == e: add(e) = false\n\t\t\tif c.val >= e {\n\t\t\t\tbreak\n\t\t\t}\n\t\t\tif !removed {\n"}, explore.Violated},
	{harrisSet, "marked elements stay", []string{"if p.next.CompareAndSwap(first, c) {", "if true {"}, explore.Livelocked},
	{harrisSet, "marks are removed, too", []string{"\t\tif removed {\n\t\t\tcontinue\n\t\t}\n", "\t\t_ = removed\n"}, explore.Holds},
	{harrisSet, "removed elements are left to others", []string{"\t\t\tp.next.CompareAndSwap(c, next) // if that fails, others do it later\n", "\t\t\t_ = p\n"}, explore.Holds},

	{treiberStack, "empty if another one was faster", []string{"\t\t\treturn int(v), true\n\t\t}\n", "\t\t\treturn int(v), true\n\t\t}\n\t\treturn 0, false\n"}, explore.Violated},
	{treiberStack, "pop overwrites", []string{"if s.head.CompareAndSwap(head, below) {", "if s.head.Store(below); true {"}, explore.Violated},
	{treiberStack, "push overwrites", []string{"if s.head.CompareAndSwap(head, n) {", "if s.head.Store(n); true {"}, explore.Violated},
	{treiberStack, "pop looks below at the last moment", []string{"CompareAndSwap(head, below)", "CompareAndSwap(head, head.below.Load())", "\t\tbelow := head.below.Load()\n", ""}, explore.Holds},
	{treiberStack, "pop looks below what is on top then", []string{"\t\tbelow := head.below.Load()\n", "\t\tbelow := s.head.Load()\n"}, explore.Violated},

	{michaelScott, "a new element overwrites", []string{"case tail.next.CompareAndSwap(nil, n):", "default:\n\t\t\ttail.next.Store(n)"}, explore.Violated},
	{michaelScott, "a value leaves without asking", []string{"case q.head.CompareAndSwap(head, next):", "default:\n\t\t\tq.head.Store(next)"}, explore.Violated},
	{michaelScott, "empty if another one was faster", []string{"case head != q.head.Load():", "case head != q.head.Load():\n\t\t\treturn 0, false"}, explore.Violated},
	{michaelScott, "empty if the tail lags behind", []string{"case head == tail: // the tail lags behind\n\t\t\tq.tail.CompareAndSwap(tail, next)", "case head == tail:\n\t\t\treturn 0, false"}, explore.Holds},
	{michaelScott, "the head may pass the tail", []string{"case head == tail: // the tail lags behind", "case tail == nil:"}, explore.Holds},
	{michaelScott, "the head need not be the head", []string{"case head != q.head.Load():", "case false:"}, explore.Holds},
	{michaelScott, "the tail is left to others", []string{"\t\t\tq.wait()\n\t\t\tq.tail.CompareAndSwap(tail, n)\n", ""}, explore.Holds},
	{michaelScott, "nobody moves the tail", []string{"\t\t\tq.tail.CompareAndSwap(tail, n)\n", "", "\t\t\tq.tail.CompareAndSwap(tail, next)\n", ""}, explore.Livelocked},
	{michaelScott, "the value of the wrong element", []string{"return next.value, true", "return head.value, true"}, explore.Violated},

	{twoLockQueue, "the front is not locked", []string{"\tq.front.Lock()\n\tdefer q.front.Unlock()\n", ""}, explore.Racy},
	{twoLockQueue, "the back is not locked", []string{"\tq.back.Lock()\n\tdefer q.back.Unlock()\n", ""}, explore.Racy},
	{twoLockQueue, "a link without synchronization", []string{"atomic.Pointer[node]", "*node", "next.Store(n)", "next = n", "next.Load()", "next", "\t\"sync/atomic\"\n", ""}, explore.Racy},
	{twoLockQueue, "the tail moves before it is linked", []string{"\tq.tail.next.Store(n)\n\t//lin: enqueue(v)\n\tq.tail = n\n", "\tq.tail = n\n\tq.tail.next.Store(n)\n"}, explore.Violated},
	{twoLockQueue, "the head stays", []string{"\tq.head = next\n", ""}, explore.Violated},
	{twoLockQueue, "two locks in one order", []string{"\tq.front.Lock()\n", "\tq.back.Lock()\n\tdefer q.back.Unlock()\n\tq.front.Lock()\n"}, explore.Holds},
}
