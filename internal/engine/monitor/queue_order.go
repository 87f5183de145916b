package monitor

// order makes a linearization: the values in an order in which they can have
// come as well as gone, see turns, and each operation as early as the ones
// before it allow.
func (q *queue) order(a *agenda) bool {
	if q.looks.any {
		return q.frontOrder(a)
	}
	values := q.turns()
	steps := make([]int32, 0, 2*len(values))
	added, removed := int32(0), int32(0) // gaps
	next := 0
	for _, v := range values {
		m := &q.values[v]
		removed = max(removed, m.rs, m.as)
		for ; next < len(values) && max(added, q.values[values[next]].as) <= removed; next++ {
			added = max(added, q.values[values[next]].as)
			steps = append(steps, values[next]*2)
		}
		steps = append(steps, v*2+1)
	}
	q.arrange(a, steps)
	return true
}

// turns orders the values such that none was surely added or removed before one
// that comes earlier. A value can be next if no other that is left was added
// before its add was called, or removed before its remove was called; where a
// value is removed before its add returned, that counts as both, and where its
// remove is called before its add, that begins with the add. If there were no
// such value, two would have overtaken each other. O(n).
func (q *queue) turns() []int32 {
	in := newSweep(q.n)
	out := newSweep(q.n)
	count := 0
	for v := range q.values {
		m := &q.values[v]
		if m.as == 0 {
			continue
		}
		count++
		in.place(int32(v), m.as, min(m.ae, m.re))
		out.place(int32(v), max(m.rs, m.as), m.re)
	}
	order := make([]int32, 0, count)
	free := make([]uint8, len(q.values)) // how many of the sweeps went past the begin
	taken := make([]bool, len(q.values))
	pass := func(v int32) {
		if free[v]++; free[v] == 2 {
			taken[v] = true
			order = append(order, v)
		}
	}
	for before := -1; before < len(order) && len(order) < count; {
		before = len(order)
		in.on(taken, pass)
		out.on(taken, pass)
		if len(order) == count-len(out.late) { // what is left comes after all that was taken
			for _, v := range out.late {
				pass(v)
			}
			out.late = nil
		}
	}
	return order
}

// sweep goes over the begins of intervals as long as no interval has ended that
// is not taken.
type sweep struct {
	begin, end []int32 // by position: 1 + the value
	late       []int32 // values whose interval begins after all positions
	at, n      int32
}

func newSweep(n int32) *sweep {
	return &sweep{begin: make([]int32, n+1), end: make([]int32, n+1), n: n}
}

func (s *sweep) place(v, from, to int32) {
	if from > s.n {
		s.late = append(s.late, v)
	} else {
		s.begin[from] = v + 1
	}
	if to <= s.n {
		s.end[to] = v + 1
	}
}

func (s *sweep) on(taken []bool, pass func(v int32)) {
	for ; s.at <= s.n; s.at++ {
		if v := s.end[s.at]; v != 0 && !taken[v-1] {
			return
		}
		if v := s.begin[s.at]; v != 0 {
			pass(v - 1)
		}
	}
}
