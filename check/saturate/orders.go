package saturate

import "math/bits"

// event is an operation of an order of two matches: its kind and the match.
type event struct{ kind, group int }

// eventsOf is the order in which positions of a chain stand.
func eventsOf(pos []position) (order []event) {
	for _, p := range pos {
		order = append(order, event{p.kind, p.group})
	}
	return order
}

// violates tells whether an order of the operations of two matches shows a
// pattern.
func (r *Rules) violates(order []event) bool {
	var shapes [2]int
	for g := range shapes {
		shapes[g] = r.shapeIn(order, g)
	}
	for i := range r.clauses {
		cl := &r.clauses[i]
		if cl.derived {
			continue
		}
		switch len(cl.shapes) {
		case 1:
			for g := range shapes {
				if cl.shapes[0] == shapes[g] && cl.occurs(order, g) {
					return true
				}
			}
		case 2:
			for g := range shapes {
				if cl.shapes[0] == shapes[g] && cl.shapes[1] == shapes[1-g] && cl.occurs(order, g) {
					return true
				}
			}
		}
	}
	return false
}

// shapeIn is the shape of one match in an order, or -1 without its target.
func (r *Rules) shapeIn(order []event, g int) int {
	s := shape{target: -1}
	for _, e := range order {
		if e.group != g {
			continue
		}
		switch k := &r.kinds[e.kind]; {
		case k.role == self || k.role == alone:
			s.target = e.kind
		case !k.readOnly:
			s.writers |= 1 << e.kind
		}
	}
	if n, ok := r.shapeOf[s]; ok {
		return n
	}
	return -1
}

// occurs tells whether the chain of a pattern's clause is a subsequence of an
// order, its group 0 being group first there.
func (cl *clause) occurs(order []event, first int) bool {
	i := 0
	for _, e := range order {
		if i < len(cl.pos) && e.kind == cl.pos[i].kind && e.group == cl.pos[i].group^first {
			i++
		}
	}
	return i == len(cl.pos)
}

// members is one operation of each kind of a shape.
func (r *Rules) members(s, group int) []event {
	all := []event{{r.shapes[s].target, group}}
	for w := r.shapes[s].writers; w != 0; w &= w - 1 {
		all = append(all, event{bits.TrailingZeros64(uint64(w)), group})
	}
	return all
}

// permute calls yield with every order of events; yield must not keep it.
func permute(events []event, yield func([]event)) {
	var step func(n int)
	step = func(n int) {
		if n == len(events) {
			yield(events)
			return
		}
		for i := n; i < len(events); i++ {
			events[n], events[i] = events[i], events[n]
			step(n + 1)
			events[n], events[i] = events[i], events[n]
		}
	}
	step(0)
}
