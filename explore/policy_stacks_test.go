package explore_test

import "github.com/adtinfer/adtinfer/explore"

// oneBelow makes a stack that has an element: a push and a pop can meet beside it once a third
// operation has been faster than both.
const oneBelow = "func() *Stack { s := New(); s.Push(9); return s }()"

func init() {
	policies = append(policies,
		&policed{of: treiberStack, states: [2]int64{292, 123}, more: []explore.Bounds{bounds(2, 3, 2), bounds(3, 2, 1)}, mutants: treiberPolicyMutants},
		&policed{of: treiberStack, new: "NewTagged(nil)", states: [2]int64{2_503, 921}, more: []explore.Bounds{bounds(2, 3, 1)}, mutants: taggedPolicyMutants},
		&policed{of: eliminationStack, states: [2]int64{1_022, 956}, more: []explore.Bounds{bounds(3, 2, 1)}},
		&policed{of: eliminationStack, new: oneBelow, reference: treiberStack, referenceNew: oneBelow, fresh: []string{"push"}, states: [2]int64{1_194, 2_047}, mutants: eliminationPolicyMutants},
	)
}

// The directives of the stacks.
const (
	stackPushes = "\t\t\t//lin: push(v)\n"
	stackPops   = "\t\t\t//lin: pop() = int(head.value.Load()), true\n"
	taggedPops  = "\t\t\t//lin: pop() = int(n.value.Load()), true\n"
	stackEmpty  = "\t\t\t//lin: pop() = 0, false\n"
)

var treiberPolicyMutants = []policyMutant{
	{"a push is not announced", []string{stackPushes, ""}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"pushed when the head is read", []string{stackPushes, "", "\t\tn.below.Store(head)\n", "\t\tn.below.Store(head)\n" + stackPushes}, explore.WrongPolicy, bounds(2, 1, 1), ""},
	{"a pop is not announced", []string{stackPops, ""}, explore.WrongPolicy, bounds(1, 2, 1), ""},
	{"popped when the head is read", []string{stackPops, "", "\t\tbelow := head", stackPops + "\t\tbelow := head"}, explore.WrongPolicy, bounds(2, 2, 1), ""},
	{"popped when the value is read", []string{stackPops, "", "\t\t\tv := head.value.Load()\n", "\t\t\tv := head.value.Load()\n\t\t\t//lin: pop() = int(v), true\n"}, explore.Holds, bounds(3, 1, 2), "a value does not change: to read it is local"},
	{"popped is a constant", []string{"= int(head.value.Load())", "= 0"}, explore.WrongPolicy, bounds(1, 2, 1), ""},
	{"empty is not announced", []string{stackEmpty, ""}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"empty without looking", []string{stackEmpty, "", "\t\tif head == nil {\n", stackEmpty + "\t\tif head == nil {\n"}, explore.WrongPolicy, bounds(1, 2, 1), ""},
	{"empty is announced as a value", []string{"pop() = 0, false", "pop() = 0, true"}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"pop overwrites", []string{"if s.head.CompareAndSwap(head, below) {", "if s.head.Store(below); true {"}, explore.Violated, bounds(2, 2, 1), ""},
	{"push overwrites", []string{"if s.head.CompareAndSwap(head, n) {", "if s.head.Store(n); true {"}, explore.Violated, bounds(2, 2, 1), ""},
	{"empty if another one was faster", []string{"\t\t\treturn int(v), true\n\t\t}\n", "\t\t\treturn int(v), true\n\t\t}\n\t\treturn 0, false\n"}, explore.Violated, bounds(2, 2, 1), ""},
	{"pop looks below what is on top then", []string{"\t\tbelow := head.below.Load()\n", "\t\tbelow := s.head.Load()\n"}, explore.Violated, bounds(2, 2, 1), ""},
	{"nodes are used again", []string{"New() *Stack { return &Stack{} }", "New() *Stack { return NewReusing() }"}, explore.Violated, bounds(2, 4, 1), ""},
	{"pop looks below at the last moment", []string{"CompareAndSwap(head, below)", "CompareAndSwap(head, head.below.Load())", "\t\tbelow := head.below.Load()\n", ""}, explore.Holds, bounds(3, 1, 2), "what lies below a node in the stack does not change"},
}

var taggedPolicyMutants = []policyMutant{
	{"a tag stays", []string{"(head>>32+1)<<32", "head>>32<<32"}, explore.Violated, bounds(2, 4, 1), ""},
	{"push overwrites", []string{"if s.head.CompareAndSwap(head, next(head, k)) {", "if s.head.Store(next(head, k)); true {"}, explore.Violated, bounds(2, 2, 1), ""},
	{"pop overwrites", []string{"if s.head.CompareAndSwap(head, next(head, below)) {", "if s.head.Store(next(head, below)); true {"}, explore.Violated, bounds(2, 2, 1), ""},
	{"pushed when the head is read", []string{stackPushes, "", "\t\tn.below.Store(uint32(head))\n", "\t\tn.below.Store(uint32(head))\n" + stackPushes}, explore.WrongPolicy, bounds(2, 1, 1), ""},
	{"popped when the head is read", []string{taggedPops, "", "\t\tbelow := n.below.Load()\n", taggedPops + "\t\tbelow := n.below.Load()\n"}, explore.WrongPolicy, bounds(2, 2, 1), ""},
	{"popped when the value is read", []string{taggedPops, "", "\t\t\ts.give(k)\n", taggedPops + "\t\t\ts.give(k)\n"}, explore.WrongPolicy, bounds(2, 2, 1), ""},
	{"popped is a constant", []string{"= int(n.value.Load())", "= 0"}, explore.WrongPolicy, bounds(1, 2, 1), ""},
	{"empty without looking", []string{stackEmpty, "", "\t\tif k == 0 {\n", stackEmpty + "\t\tif k == 0 {\n"}, explore.WrongPolicy, bounds(1, 2, 1), ""},
}

// The directives of the stack beside which operations meet.
const (
	stackPopsTop = "\t\t\t//lin: pop() = top.value, true\n"
	pushMeetsPop = "\t\t\t//lin: push(mine.node.value); pop() = mine.node.value, true for other\n"
	popMeetsPush = "\t\t\t//lin: push(other.node.value) for other; pop() = other.node.value, true\n"
)

var eliminationPolicyMutants = []policyMutant{
	{"a push on top is not announced", []string{stackPushes, ""}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"pushed when the top is read", []string{stackPushes, "", "n.below = s.top.Load()\n", "n.below = s.top.Load()\n" + stackPushes}, explore.WrongPolicy, bounds(2, 1, 1), ""},
	{"a pop from the top is not announced", []string{stackPopsTop, ""}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"popped when the top is read", []string{stackPopsTop, "", "\t\tif s.top.CompareAndSwap(top, top.below) {\n", stackPopsTop + "\t\tif s.top.CompareAndSwap(top, top.below) {\n"}, explore.WrongPolicy, bounds(2, 1, 1), ""},
	{"popped is a constant", []string{"pop() = top.value", "pop() = 0"}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"empty is not announced", []string{stackEmpty, ""}, explore.WrongPolicy, bounds(1, 2, 1), ""},
	{"empty without looking", []string{stackEmpty, "", "\t\tif top == nil {\n", stackEmpty + "\t\tif top == nil {\n"}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"a push meets a pop: not announced", []string{pushMeetsPop, ""}, explore.WrongPolicy, bounds(3, 1, 1), ""},
	{"a pop meets a push: not announced", []string{popMeetsPush, ""}, explore.WrongPolicy, bounds(3, 1, 1), ""},
	{"a push does not announce for the pop", []string{"; pop() = mine.node.value, true for other", ""}, explore.WrongPolicy, bounds(3, 1, 1), ""},
	{"a pop does not announce for the push", []string{"push(other.node.value) for other; ", ""}, explore.WrongPolicy, bounds(3, 1, 1), ""},
	{"a push meets a pop: the pop comes first", []string{pushMeetsPop, "\t\t\t//lin: pop() = mine.node.value, true for other; push(mine.node.value)\n"}, explore.WrongPolicy, bounds(3, 1, 1), ""},
	{"a pop meets a push: the pop comes first", []string{popMeetsPush, "\t\t\t//lin: pop() = other.node.value, true; push(other.node.value) for other\n"}, explore.WrongPolicy, bounds(3, 1, 1), ""},
	{"a push meets a pop: a constant", []string{"pop() = mine.node.value", "pop() = 0"}, explore.WrongPolicy, bounds(3, 1, 1), ""},
	{"a pop meets a push: a constant", []string{"pop() = other.node.value", "pop() = 0"}, explore.WrongPolicy, bounds(3, 1, 1), ""},
	{"a push announces the pop of nobody", []string{"true for other\n", "true for mine\n"}, explore.WrongPolicy, bounds(3, 1, 1), ""},
	{"nobody owns an offer", []string{"\t//lin: own mine\n", ""}, explore.WrongPolicy, bounds(3, 1, 1), ""},
	{"an offer is owned when it is made known", []string{"\t//lin: own mine\n", "", "\truntime.Gosched()", "\t//lin: own mine\n\truntime.Gosched()"}, explore.Holds, bounds(3, 1, 1), "others find it only from then on"},
	{"a push meets a pop before the swap", []string{pushMeetsPop, "", "\tif other != nil {\n", "\t//lin: if other != nil && other.node == nil && other.partner.Load() == nil: push(mine.node.value); pop() = mine.node.value, true for other\n\tif other != nil {\n"}, explore.WrongPolicy, bounds(3, 1, 1), ""},
	{"they meet when the slot is free again", []string{pushMeetsPop + popMeetsPush, "", "\t\t\treturn other\n", pushMeetsPop + popMeetsPush + "\t\t\treturn other\n"}, explore.WrongPolicy, bounds(3, 1, 1), ""},
	{"push overwrites", []string{"if s.top.CompareAndSwap(n.below, n) {", "if s.top.Swap(n) == n.below || true {"}, explore.Violated, bounds(2, 2, 1), ""},
	{"pop overwrites", []string{"if s.top.CompareAndSwap(top, top.below) {", "if s.top.Store(top.below); true {"}, explore.Violated, bounds(2, 1, 1), ""},
	{"empty if another one was faster", []string{"return push.node.value, true\n\t\t}\n", "return push.node.value, true\n\t\t}\n\t\treturn 0, false\n"}, explore.Violated, bounds(2, 1, 1), ""},
	{"pushes meet each other", []string{"(other.node == nil) != (mine.node == nil) && ", "(other.node != nil || mine.node != nil) && "}, explore.WrongPolicy, bounds(3, 1, 1), ""},
	{"two may meet the same one", []string{"other.partner.CompareAndSwap(nil, mine) {", "other.partner.Swap(mine) != other {"}, explore.WrongPolicy, bounds(3, 1, 1), ""},
	{"withdrawn without asking", []string{"if mine.partner.CompareAndSwap(nil, withdrawn) {", "if mine.partner.Store(withdrawn); true {"}, explore.WrongPolicy, bounds(3, 1, 1), ""},
	{"who waits is not told", []string{"return mine.partner.Load()", "return nil"}, explore.WrongPolicy, bounds(3, 1, 1), ""},
	{"who comes does not believe it", []string{"already\n\t\t\treturn other", "already\n\t\t\treturn nil"}, explore.WrongPolicy, bounds(3, 1, 1), ""},
	{"an offer overwrites", []string{"if !slot.CompareAndSwap(other, mine) {", "if slot.Store(mine); false {"}, explore.Holds, bounds(3, 1, 1), "whether they meet, the partner's field decides"},
	{"a slot is never free again", []string{"\t\t\tslot.CompareAndSwap(other, nil) //", "\t\t\t//"}, explore.Holds, bounds(3, 1, 1), "who comes next replaces an offer that has met another one"},
	{"an offer of the same kind is replaced", []string{"if other.partner.Load() == nil {", "if false {"}, explore.Holds, bounds(3, 1, 1), "who is not found withdraws"},
	{"a slot is emptied without asking", []string{"slot.CompareAndSwap(mine, nil)", "slot.Store(nil)"}, explore.Holds, bounds(3, 1, 1), "whether they meet, the partner's field decides"},
}
