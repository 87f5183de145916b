package monitor

import "slices"

// order makes a linearization: values are taken away once more, and put back in
// the opposite order, each where the way in which it could be taken away says.
// That takes O(log n) for a value, but for those that came or left when no other
// was in: see treap.
func (d *deletion) order(a *agenda) bool {
	d.gone, d.work = d.gone[:0], 0
	r := restoring{d, treap{make([]limb, 2*len(d.values)+1)}}
	steps := r.list(r.steps(d.sorted()), make([]int32, 0, 2*len(d.values)))
	if d.work > maxDeletion {
		return false
	}
	d.arrange(a, steps)
	return true
}

// restoring makes linearizations of values without the operations that find
// nothing: value*2 for an add, and one more for a remove, be there one or not.
type restoring struct {
	*deletion
	treap
}

// add is a sequence of one step.
func (r *restoring) add(v int32) int32 {
	m := &r.values[v]
	return r.leaf(v*2, span{m.as, m.ae}, m.side())
}

// remove is the one of the remove, even of a value that stays: then it comes
// after all.
func (r *restoring) remove(v int32) int32 {
	m := &r.values[v]
	return r.leaf(v*2+1, span{m.rs, m.re}, m.side())
}

// steps is a linearization of values that are in the order of their sides.
func (r *restoring) steps(vs []int32) (steps int32) {
	for _, part := range r.components(vs) {
		steps = r.concat(steps, r.part(part))
	}
	return steps
}

// part is a linearization of a part, see solve.
func (r *restoring) part(vs []int32) (steps int32) {
	from := len(r.gone)
	for len(vs) > 1 {
		if vs, _ = r.strip(vs); len(vs) <= 1 || r.work > maxDeletion || len(r.components(vs)) > 1 {
			break
		}
	}
	gone := slices.Clone(r.gone[from:])
	r.gone = r.gone[:from]
	switch {
	case r.work > maxDeletion:
		return 0
	case len(vs) == 1:
		steps = r.concat(r.add(vs[0]), r.remove(vs[0]))
	case len(vs) > 1:
		steps = r.steps(vs)
	}
	for _, x := range slices.Backward(gone) {
		steps = r.back(steps, x)
	}
	return steps
}

// back puts a value back into a linearization of the others of its part, as
// removable says that it can be.
func (r *restoring) back(steps int32, x away) int32 {
	m, add, remove := &r.values[x.value], r.add(x.value), r.remove(x.value)
	switch x.way {
	case atOnce:
		left, right := r.after(steps, max(m.as, m.rs))
		return r.join(left, add, remove, right)
	case around:
		return r.join(add, steps, remove)
	case firstIn:
		left, right := r.after(steps, m.rs)
		return r.join(add, left, remove, right)
	case lastOut:
		left, right := r.before(steps, m.ae)
		return r.join(left, add, right, remove)
	}
	left, right := r.bySide(steps, x.gap) // there they can be cut in two
	if x.way == leavesAlone {
		before, behind := r.after(left, m.as)
		return r.join(before, add, behind, remove, right)
	}
	before, behind := r.after(right, max(m.rs, x.gap))
	return r.join(left, add, before, remove, behind)
}
