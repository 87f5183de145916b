package explore_test

import "github.com/adtinfer/adtinfer/explore"

func init() {
	p := &policed{of: eliminationQueue, states: [2]int64{4_275, 9_838}, more: []explore.Bounds{bounds(3, 2, 1)}, mutants: eliminationQueuePolicyMutants}
	for _, m := range eliminationQueueMutants {
		p.mutants = append(p.mutants, policyMutant{m.name, m.edits, m.want, m.at, map[string]string{
			"nothing is old enough":      "without a partner there is the queue",
			"the tail is left to others": "whoever needs the tail moves it on",
		}[m.name]})
	}
	policies = append(policies, p)
}

// An enqueue that overtakes a second node takes three goroutines with two operations.
var eliminationQueuePolicyMutants = []policyMutant{
	{"no dequeue that is handed a value is announced", []string{"dequeue() = other.value, true; ", ""}, explore.WrongPolicy, bounds(3, 1, 1), ""},
	{"nothing is known of a meeting", []string{"; broadcast met(other, q.head.Load().number-other.after); broadcast given(other)", ""}, explore.WrongPolicy, bounds(3, 1, 1), ""},
	{"guesses never turn out at a meeting", []string{"//lin:receive before met(o *offer, left int) if owns(o): assume first == (left == 0); assume second == (left == 1)\n", ""}, explore.WrongPolicy, bounds(3, 1, 1), ""},
	{"guesses turn out after a meeting", []string{"receive before met", "receive after met"}, explore.Holds, bounds(3, 2, 1), "what is refused counts once the guesses have turned out, and that is still in the step"},
	{"a value is given only in front of others", []string{"//lin:receive before given(o *offer) in one if owns(o): enqueue(v); goto done\n", ""}, explore.WrongPolicy, bounds(3, 2, 1), ""},
	{"a value is given after it is taken", []string{"receive before given", "receive after given"}, explore.WrongPolicy, bounds(3, 2, 1), ""},
	{"an offer is not owned", []string{"\t//lin: own mine\n", ""}, explore.WrongPolicy, bounds(3, 1, 1), ""},
	{"nobody overtakes the next node", []string{"//lin:receive before overtaken() in one if first: enqueue(v); goto done\n", ""}, explore.WrongPolicy, bounds(3, 1, 1), ""},
	{"the next node is overtaken after it is there", []string{"receive before overtaken() in one", "receive after overtaken() in one"}, explore.WrongPolicy, bounds(3, 1, 1), ""},
	{"whoever waits overtakes", []string{"in one if first: enqueue", "in one: enqueue"}, explore.WrongPolicy, bounds(2, 1, 1), ""},
	{"nobody overtakes the second node", []string{"//lin:receive before overtaken() in two if second: enqueue(v); goto done\n", ""}, explore.WrongPolicy, bounds(3, 2, 1), ""},
	{"nobody waits", []string{"\t//lin: goto waiting\n", ""}, explore.WrongPolicy, bounds(3, 1, 1), ""},
	{"who overtakes does so again", []string{"in one if first: enqueue(v); goto done", "in one if first: enqueue(v)"}, explore.WrongPolicy, bounds(3, 1, 1), ""},
	{"guesses never turn out at an append", []string{"\t\t\t//lin: assume !first; assume !second\n", ""}, explore.WrongPolicy, bounds(2, 1, 1), ""},
	{"an append is not announced", []string{"\t\t\t//lin: enqueue(v); broadcast appended(); broadcast overtaken(); goto done\n", "\t\t\t//lin: broadcast appended(); broadcast overtaken(); goto done\n"}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"an append is announced after the tail has moved", []string{"\t\t\t//lin: enqueue(v); broadcast appended(); broadcast overtaken(); goto done\n", "", "\t\t\tq.tail.CompareAndSwap(tail, n) // if that fails, others have done it\n", "\t\t\tq.tail.CompareAndSwap(tail, n) // if that fails, others have done it\n\t\t\t//lin: enqueue(v); broadcast appended(); broadcast overtaken(); goto done\n"}, explore.WrongPolicy, bounds(2, 1, 1), ""},
	{"an append is announced before", []string{"\t\t\t//lin: enqueue(v); broadcast appended(); broadcast overtaken(); goto done\n", "", "\t\tn.number = tail.number + 1\n", "\t\tn.number = tail.number + 1\n\t\t//lin: enqueue(v); broadcast appended(); broadcast overtaken(); goto done\n"}, explore.WrongPolicy, bounds(2, 1, 1), ""},
	{"who is appended can be overtaken by itself", []string{"broadcast overtaken(); goto done\n", "broadcast overtaken()\n"}, explore.WrongPolicy, bounds(2, 1, 1), ""},
	{"an append is no news", []string{"; broadcast appended(); broadcast overtaken()", ""}, explore.WrongPolicy, bounds(3, 1, 1), ""},
	{"an empty queue is not announced", []string{"\t\t\t//lin: dequeue() = 0, false\n", ""}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"an empty queue is announced before it is one", []string{"\t\t\t//lin: dequeue() = 0, false\n", "", "\t\tswitch {\n", "\t\t//lin: dequeue() = 0, false\n\t\tswitch {\n"}, explore.WrongPolicy, bounds(2, 1, 1), ""},
	{"a value that leaves is not announced", []string{"\t\t\t//lin: dequeue() = next.value, true\n", ""}, explore.WrongPolicy, bounds(2, 1, 1), ""},
	{"a value is announced before it leaves", []string{"\t\t\t//lin: dequeue() = next.value, true\n", "", "\t\tswitch {\n", "\t\t//lin: if next != nil: dequeue() = next.value, true\n\t\tswitch {\n"}, explore.WrongPolicy, bounds(2, 2, 1), ""},
	{"a dequeue announces the value before", []string{"dequeue() = next.value, true", "dequeue() = head.value, true"}, explore.WrongPolicy, bounds(2, 1, 1), ""},
}
