package explore_test

import "github.com/adtinfer/adtinfer/explore"

// The directives of a queue whose head and tail move on by compare-and-swap.
const (
	queueAdds  = "\t\t\t//lin: enqueue(v)\n"
	queueTakes = "\t\t\t//lin: dequeue() = next.value, true\n"
	queueEmpty = "\t\t//lin: if next == nil: dequeue() = 0, false\n"
)

// linkedQueueMutants are mistakes in the policy of such a queue.
func linkedQueueMutants(readHead string) []policyMutant {
	return []policyMutant{
		{"adding is not announced", []string{queueAdds, ""}, explore.WrongPolicy, bounds(1, 1, 1), ""},
		{"added before it is linked", []string{queueAdds, "", "\t\tnext := tail.next.Load()\n", "\t\tnext := tail.next.Load()\n" + queueAdds}, explore.WrongPolicy, bounds(2, 1, 1), ""},
		{"added when the tail has moved", []string{queueAdds, "", "\t\t\treturn\n", queueAdds + "\t\t\treturn\n"}, explore.WrongPolicy, bounds(2, 1, 1), ""},
		{"taking is not announced", []string{queueTakes, ""}, explore.WrongPolicy, bounds(1, 2, 1), ""},
		{"taken when it is read", []string{queueTakes, "", queueEmpty, queueEmpty + "\t\t//lin: if next != nil: dequeue() = next.value, true\n"}, explore.WrongPolicy, bounds(2, 2, 1), ""},
		{"taken is the value of the head", []string{"= next.value, true\n\t\t\t", "= head.value, true\n\t\t\t"}, explore.WrongPolicy, bounds(1, 2, 1), ""},
		{"taken is a constant", []string{"dequeue() = next.value", "dequeue() = 0"}, explore.WrongPolicy, bounds(1, 2, 1), ""},
		{"empty is not announced", []string{queueEmpty, ""}, explore.WrongPolicy, bounds(1, 1, 1), ""},
		{"empty is announced always", []string{"if next == nil: ", ""}, explore.WrongPolicy, bounds(1, 2, 1), ""},
		{"empty when the head is compared", []string{queueEmpty, "", "case next == nil:\n", "case next == nil:\n" + queueEmpty}, explore.WrongPolicy, bounds(2, 1, 1), ""},
		{"empty when the head is read", []string{queueEmpty, "", readHead, readHead + "\t\t//lin: if head.next.Load() == nil: dequeue() = 0, false\n"}, explore.Holds, bounds(3, 1, 2), "what is next to an element does not become nil again"},
	}
}

// Where the queues hold, too: in long runs.
var largerQueues = []explore.Bounds{bounds(2, 3, 2), bounds(3, 2, 1)}

func init() {
	policies = append(policies,
		&policed{of: michaelScott, states: [2]int64{1_912, 1_808}, more: largerQueues, mutants: append(linkedQueueMutants("\t\thead, tail := q.head.Load(), q.tail.Load()\n"), []policyMutant{
			{"a new element overwrites", []string{"case tail.next.CompareAndSwap(nil, n):", "default:\n\t\t\ttail.next.Store(n)"}, explore.Violated, bounds(2, 2, 1), ""},
			{"a value leaves without asking", []string{"case q.head.CompareAndSwap(head, next):", "default:\n\t\t\tq.head.Store(next)"}, explore.Violated, bounds(2, 2, 1), ""},
			{"empty if another one was faster", []string{"case head != q.head.Load():", "case head != q.head.Load():\n\t\t\treturn 0, false"}, explore.Violated, bounds(2, 2, 1), ""},
			{"the value of the wrong element", []string{"return next.value, true", "return head.value, true"}, explore.Violated, bounds(1, 2, 1), ""},
			{"nobody moves the tail", []string{"\t\t\tq.tail.CompareAndSwap(tail, n)\n", "", "\t\t\tq.tail.CompareAndSwap(tail, next)\n", ""}, explore.Livelocked, bounds(1, 2, 1), ""},
			{"empty if the tail lags behind", []string{"case head == tail: // the tail lags behind\n\t\t\tq.tail.CompareAndSwap(tail, next)", "case head == tail:\n\t\t\treturn 0, false"}, explore.WrongPolicy, bounds(2, 1, 1), ""},
			{"the head may pass the tail", []string{"case head == tail: // the tail lags behind", "case tail == nil:"}, explore.Holds, bounds(2, 2, 2), "who adds finds the last element from any one"},
			{"the head need not be the head", []string{"case head != q.head.Load():", "case false:"}, explore.Holds, bounds(2, 2, 2), "of an old head the compare-and-swap fails, and its next is not nil"},
			{"the tail need not be the tail", []string{"case tail != q.tail.Load():", "case false:"}, explore.Holds, bounds(2, 2, 2), "of an old tail the compare-and-swaps fail"},
			{"who adds moves the tail without asking", []string{"\t\t\tq.tail.CompareAndSwap(tail, n)\n", "\t\t\tq.tail.Store(n)\n"}, explore.Holds, bounds(2, 2, 2), "from an old tail the last element is reached all the same"},
			{"who helps moves the tail without asking", []string{"q.tail.CompareAndSwap(tail, next)", "q.tail.Store(next)"}, explore.Holds, bounds(2, 2, 2), "from an old tail the last element is reached all the same"},
			{"the tail is left to others", []string{"\t\t\tq.wait()\n\t\t\tq.tail.CompareAndSwap(tail, n)\n", ""}, explore.Holds, bounds(2, 2, 2), "others move it before they go on"},
		}...)},
		&policed{of: laggingQueue, states: [2]int64{1_727, 1_564}, more: largerQueues, mutants: append(linkedQueueMutants("\t\thead := q.head.Load()\n"), []policyMutant{
			{"a new element overwrites", []string{"case tail.next.CompareAndSwap(nil, n):", "default:\n\t\t\ttail.next.Store(n)"}, explore.Violated, bounds(2, 2, 1), ""},
			{"a value leaves without asking", []string{"case q.head.CompareAndSwap(head, next):", "default:\n\t\t\tq.head.Store(next)"}, explore.Violated, bounds(2, 2, 1), ""},
			{"empty if another one was faster", []string{"case head != q.head.Load(): //", "case head != q.head.Load():\n\t\t\treturn 0, false //"}, explore.Violated, bounds(2, 2, 1), ""},
			{"the value of the wrong element", []string{"return next.value, true", "return head.value, true"}, explore.Violated, bounds(1, 2, 1), ""},
			{"nobody moves the tail", []string{"\t\t\tq.tail.CompareAndSwap(tail, n) //", "\t\t\t//", "\t\t\tq.tail.CompareAndSwap(tail, next)\n", ""}, explore.Livelocked, bounds(1, 2, 1), ""},
			{"the head need not be the head", []string{"case head != q.head.Load():", "case false:"}, explore.Holds, bounds(2, 2, 2), "of an old head the compare-and-swap fails, and its next is not nil"},
			{"the tail need not be the tail", []string{"case tail != q.tail.Load():", "case false:"}, explore.Holds, bounds(2, 2, 2), "of an old tail the compare-and-swaps fail"},
			{"the tail is moved back", []string{"\t\t\tq.tail.CompareAndSwap(tail, n) //", "\t\t\tq.tail.Store(n) //"}, explore.Holds, bounds(2, 2, 2), "from an old tail the last element is reached all the same"},
			{"who helps moves the tail without asking", []string{"q.tail.CompareAndSwap(tail, next)", "q.tail.Store(next)"}, explore.Holds, bounds(2, 2, 2), "from an old tail the last element is reached all the same"},
			{"the head may pass the tail", []string{"tail == head {", "false {"}, explore.Holds, bounds(2, 2, 2), "from an old tail the last element is reached all the same"},
			{"who adds does not help", []string{"case next != nil: // the tail lags behind\n\t\t\tq.tail.CompareAndSwap(tail, next)\n", "case next != nil:\n"}, explore.Holds, bounds(2, 2, 2), "who has linked an element moves the tail"},
		}...)},
		&policed{of: twoLockQueue, states: [2]int64{165, 66}, more: largerQueues, mutants: twoLockPolicyMutants},
	)
}

var twoLockPolicyMutants = []policyMutant{
	{"adding is not announced", []string{"\t//lin: enqueue(v)\n", ""}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"added before it is linked", []string{"\tq.tail.next.Store(n)\n\t//lin: enqueue(v)\n", "\t//lin: enqueue(v)\n\tq.tail.next.Store(n)\n"}, explore.WrongPolicy, bounds(2, 1, 1), ""},
	{"added when the tail has moved", []string{"\t//lin: enqueue(v)\n\tq.tail = n\n", "\tq.tail = n\n\t//lin: enqueue(v)\n"}, explore.WrongPolicy, bounds(2, 1, 1), ""},
	{"taking is not announced", []string{"\t//lin: dequeue() = next.value, true\n", ""}, explore.WrongPolicy, bounds(1, 2, 1), ""},
	{"taken is a constant", []string{"dequeue() = next.value", "dequeue() = 0"}, explore.WrongPolicy, bounds(1, 2, 1), ""},
	{"taken before the head moves", []string{"\tq.head = next\n\t//lin: dequeue() = next.value, true\n", "\t//lin: dequeue() = next.value, true\n\tq.head = next\n"}, explore.Holds, bounds(3, 1, 2), "while the front is locked nobody else moves the head"},
	{"taken when the front is locked", []string{"\t//lin: dequeue() = next.value, true\n", "", "\tnext := q", "\t//lin: if q.head.next.Load() != nil: dequeue() = q.head.next.Load().value, true\n\tnext := q"}, explore.WrongPolicy, bounds(2, 1, 1), ""},
	{"empty is not announced", []string{"\t\t//lin: dequeue() = 0, false\n", ""}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"empty without looking", []string{"\t\t//lin: dequeue() = 0, false\n", "", "\tnext := q", "\t//lin: dequeue() = 0, false\n\tnext := q"}, explore.WrongPolicy, bounds(1, 2, 1), ""},
	{"empty when the front is locked", []string{"\t\t//lin: dequeue() = 0, false\n", "", "\tnext := q", "\t//lin: if q.head.next.Load() == nil: dequeue() = 0, false\n\tnext := q"}, explore.Holds, bounds(3, 1, 2), "what is next to an element does not become nil again"},
	{"the front is not locked", []string{"\tq.front.Lock()\n\tdefer q.front.Unlock()\n", ""}, explore.Racy, bounds(2, 2, 1), ""},
	{"the back is not locked", []string{"\tq.back.Lock()\n\tdefer q.back.Unlock()\n", ""}, explore.Racy, bounds(2, 1, 1), ""},
	{"a link without synchronization", []string{"atomic.Pointer[node]", "*node", "next.Store(n)", "next = n", "next.Load()", "next", "\t\"sync/atomic\"\n", ""}, explore.Racy, bounds(2, 1, 1), ""},
	{"the tail moves before it is linked", []string{"\tq.tail.next.Store(n)\n\t//lin: enqueue(v)\n\tq.tail = n\n", "\tq.tail = n\n\tq.tail.next.Store(n)\n\t//lin: enqueue(v)\n"}, explore.Violated, bounds(1, 2, 1), ""},
	{"the head stays", []string{"\tq.head = next\n", ""}, explore.Violated, bounds(2, 2, 1), ""},
	{"two locks in one order", []string{"\tq.front.Lock()\n", "\tq.back.Lock()\n\tdefer q.back.Unlock()\n\tq.front.Lock()\n"}, explore.Holds, bounds(3, 1, 2), "it only queueTakes longer"},
}
