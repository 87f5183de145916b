package batch

// Linearizer has what a linearization is made of: which operations take effect in
// which gap, and in which order.
type Linearizer struct {
	*Columns
	head []int32         // by gap: 1 + its first operation
	next []int32         // by operation: 1 + the one behind it
	at   []int32         // by position: 1 + the operation that is called there
	Took map[int32]int32 // by pending remove: the add of what it took
}

// NewLinearizer begins a linearization of the whole of an execution.
func NewLinearizer(c *Columns) *Linearizer {
	a := &Linearizer{
		Columns: c,
		head:    make([]int32, c.Events+2), next: make([]int32, len(c.Call)),
		at: make([]int32, c.Events+1), Took: map[int32]int32{},
	}
	for i, s := range c.Call {
		a.at[s] = int32(i) + 1
	}
	return a
}

// called is the operation called at a position.
func (a *Linearizer) called(at int32) int32 { return a.at[at] - 1 }

// first puts an operation before all others of a gap.
func (a *Linearizer) first(gap, op int32) {
	a.next[op], a.head[gap] = a.head[gap], op+1
}

// firstRemove is first for the remove of a value, if there is one, given the
// calls of both; it may be a pending remove that took the value.
func (a *Linearizer) firstRemove(gap, call, added int32) {
	if int(call) >= len(a.at) {
		return
	}
	op := a.called(call)
	a.first(gap, op)
	if a.Ret[op] == Never {
		a.Took[op] = a.called(added)
	}
}

// List is the operations, gap by gap.
func (a *Linearizer) List() []int32 {
	order := make([]int32, 0, len(a.next))
	for _, op := range a.head {
		for ; op != 0; op = a.next[op-1] {
			order = append(order, op-1)
		}
	}
	return order
}

// linearize puts operations into the Linearizer, given in an order that is a
// linearization of the values without the operations that find nothing:
// value*2 for an add, one more for a remove, and the complement of its number for
// an operation that saw a value. Each of the operations that
// find nothing takes a gap in no core, and what is given is cut in two there, as
// in docs/proofs/finding-nothing.md. O(n).
func (k *Container) linearize(a *Linearizer, steps []int32) {
	cuts, steps := k.cut(a, steps)
	gaps := make([]int32, len(steps))
	g, next := int32(0), 0
	for i, step := range steps {
		for side := k.Side(a.ValueOf(step)); next < len(cuts) && cuts[next].gap < side; next++ {
			g = cuts[next].gap
		}
		g = max(g, k.callOf(a, step))
		gaps[i] = g
	}
	for i := len(steps) - 1; i >= -1; i-- {
		side := int32(0)
		if i >= 0 {
			side = k.Side(a.ValueOf(steps[i]))
		}
		for ; len(cuts) > 0 && side <= cuts[len(cuts)-1].gap; cuts = cuts[:len(cuts)-1] {
			a.first(cuts[len(cuts)-1].gap, cuts[len(cuts)-1].op)
		}
		if i >= 0 {
			k.takeEffect(a, gaps[i], steps[i])
		}
	}
}

// ValueOf is the value that a step is about.
func (a *Linearizer) ValueOf(step int32) int32 {
	if step < 0 {
		return a.Value[^step]
	}
	return step / 2
}

// callOf is the first gap for a step.
func (k *Container) callOf(a *Linearizer, step int32) int32 {
	m := &k.values[a.ValueOf(step)]
	switch {
	case step < 0:
		return max(m.as, a.Call[^step])
	case step%2 == 1:
		return max(m.as, m.rs)
	}
	return m.as
}

func (k *Container) takeEffect(a *Linearizer, gap, step int32) {
	m := &k.values[a.ValueOf(step)]
	switch {
	case step < 0:
		a.first(gap, ^step)
	case step%2 == 1:
		a.firstRemove(gap, m.rs, m.as)
	default:
		a.first(gap, a.called(m.as))
	}
}

// cut is an operation that finds nothing, and the gap in which it does.
type cut struct{ gap, op int32 }

// cut finds the cuts, in order, and sorts the steps by the cuts that they lie
// between.
func (k *Container) cut(a *Linearizer, steps []int32) ([]cut, []int32) {
	if len(k.empties) == 0 {
		return nil, withRemoves(k, steps)
	}
	k.last = k.last[:k.n+1]
	count := make([]int32, k.n+3) // by gap: its cuts, then the cuts up to it
	for _, e := range k.empties {
		count[k.last[a.Ret[e]-1]+1]++
	}
	for g := range count[1:] {
		count[g+1] += count[g]
	}
	cuts := make([]cut, len(k.empties))
	place := make([]int32, k.n+3)
	copy(place, count)
	for _, e := range k.empties {
		g := k.last[a.Ret[e]-1]
		cuts[place[g]] = cut{g, e}
		place[g]++
	}
	return cuts, withRemoves(k, bySide(steps, count, func(s int32) int32 { return k.Side(a.ValueOf(s)) }))
}

// withRemoves leaves out removes that there are not: those of values that are left, which come last, and pending ones behind them, which
// take no effect then.
func withRemoves(k *Container, steps []int32) []int32 {
	kept, stay := steps[:0], false
	for _, s := range steps {
		if s >= 0 && s%2 == 1 && (stay || k.values[s/2].rs > k.n) {
			stay = true
			continue
		}
		kept = append(kept, s)
	}
	return kept
}

// bySide sorts steps by the number of cuts before their side. It is stable.
func bySide(steps, count []int32, side func(step int32) int32) []int32 {
	place := make([]int32, count[len(count)-1]+2)
	for _, s := range steps {
		place[count[side(s)]+1]++
	}
	for i := range place[1:] {
		place[i+1] += place[i]
	}
	sorted := make([]int32, len(steps))
	for _, s := range steps {
		at := &place[count[side(s)]]
		sorted[*at] = s
		*at++
	}
	return sorted
}

// Side says on which side of a cut a value goes: left of those at this gap or
// later.
func (k *Container) Side(v int32) int32 {
	from, _ := k.core(v)
	return min(from, k.values[v].re)
}

// Side is that of a value that nothing saw.
func (m *match) Side() int32 { return min(m.ae, m.re) }
