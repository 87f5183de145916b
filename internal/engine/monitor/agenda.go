package monitor

// agenda is which operations take effect in which gap, and in which order.
type agenda struct {
	*columns
	head []int32         // by gap: 1 + its first operation
	next []int32         // by operation: 1 + the one behind it
	at   []int32         // by position: 1 + the operation that is called there
	took map[int32]int32 // by pending remove: the add of what it took
}

func newAgenda(c *columns) *agenda {
	a := &agenda{
		columns: c,
		head:    make([]int32, c.events+2), next: make([]int32, len(c.call)),
		at: make([]int32, c.events+1), took: map[int32]int32{},
	}
	for i, s := range c.call {
		a.at[s] = int32(i) + 1
	}
	return a
}

// called is the operation called at a position.
func (a *agenda) called(at int32) int32 { return a.at[at] - 1 }

// first puts an operation before all others of a gap.
func (a *agenda) first(gap, op int32) {
	a.next[op], a.head[gap] = a.head[gap], op+1
}

// firstRemove is first for the remove of a value, if there is one, given the
// calls of both; it may be a pending remove that took the value.
func (a *agenda) firstRemove(gap, call, added int32) {
	if int(call) >= len(a.at) {
		return
	}
	op := a.called(call)
	a.first(gap, op)
	if a.ret[op] == never {
		a.took[op] = a.called(added)
	}
}

// list is the operations, gap by gap.
func (a *agenda) list() []int32 {
	order := make([]int32, 0, len(a.next))
	for _, op := range a.head {
		for ; op != 0; op = a.next[op-1] {
			order = append(order, op-1)
		}
	}
	return order
}
