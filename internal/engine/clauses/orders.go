package clauses

import "slices"

// event is an operation of an order of two matches: its kind and the match.
type event struct{ kind, group int }

// eventsOf is the order in which positions of a chain stand.
func eventsOf(pos []Position) (order []event) {
	for _, p := range pos {
		order = append(order, event{p.Kind, p.Group})
	}
	return order
}

// relations are those that the keys of the matches in an order may have, as far as
// that matters.
func (r *Rules) relations(order []event) []relation {
	var keyed [2]bool
	for _, e := range order {
		keyed[e.group] = keyed[e.group] || len(r.Kinds[e.kind].Key) > 0
	}
	if len(r.labels.Compared) > 0 && keyed[0] && keyed[1] {
		return []relation{smaller, larger}
	}
	return []relation{0}
}

// always reports whether an order shows a pattern, if the keys are in a relation; or
// in all that they may have, if it is 0.
func (r *Rules) always(order []event, keys relation) bool {
	all := []relation{keys}
	if keys == 0 {
		all = r.relations(order)
	}
	return !slices.ContainsFunc(all, func(k relation) bool { return !r.violates(order, k) })
}

// violates reports whether an order of the operations of two matches shows a
// pattern, if their keys are in a relation.
func (r *Rules) violates(order []event, keys relation) bool {
	var shapes [2]int
	for g := range shapes {
		shapes[g] = r.shapeIn(order, g)
	}
	return slices.ContainsFunc(r.Clauses, func(cl Clause) bool { return !cl.Derived && cl.excludes(order, keys, shapes) })
}

// excludes reports whether an order of the operations of one or two matches, of such
// shapes and with keys in such a relation, shows the pattern of a clause.
func (cl *Clause) excludes(order []event, keys relation, shapes [2]int) bool {
	for g := range shapes {
		switch {
		case cl.Shapes[0] != shapes[g] || len(cl.Shapes) == 2 && (cl.Shapes[1] != shapes[1-g] || !cl.speaks(keys, g)):
		case cl.occurs(order, g):
			return true
		}
	}
	return false
}

// speaks reports whether the clause, its group 0 being group first, speaks of
// matches whose keys are in a relation.
func (cl *Clause) speaks(keys relation, first int) bool {
	if first == 1 {
		keys = -keys
	}
	return cl.keys == 0 || cl.keys == keys
}

// shapeIn is the shape of one match in an order, or -1 without its target.
func (r *Rules) shapeIn(order []event, g int) int {
	s := Shape{Target: -1}
	for _, e := range order {
		if e.group != g {
			continue
		}
		switch k := &r.Kinds[e.kind]; {
		case k.Role == Self || k.Role == Unmatched:
			s.Target = e.kind
		case !k.ReadOnly:
			s.Writers |= 1 << e.kind
		}
	}
	if n, ok := r.ShapeOf[s]; ok {
		return n
	}
	return -1
}

// occurs reports whether the chain of a pattern's clause is a subsequence of an
// order, its group 0 being group first there.
func (cl *Clause) occurs(order []event, first int) bool {
	i := 0
	for _, e := range order {
		if i < len(cl.Positions) && e.kind == cl.Positions[i].Kind && e.group == cl.Positions[i].Group^first {
			i++
		}
	}
	return i == len(cl.Positions)
}

// members is one operation of each kind of a shape.
func (r *Rules) members(s, group int) []event {
	return append([]event{{r.Shapes[s].Target, group}}, each(r.Shapes[s].Writers, group)...)
}

// each is one event of each kind.
func each(ks Kinds, group int) (all []event) {
	for k := range ks.All() {
		all = append(all, event{k, group})
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
