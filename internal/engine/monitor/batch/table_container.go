package batch

import (
	"slices"
	"sort"

	"github.com/adtinfer/adtinfer/internal/engine/monitor/columns"
)

// TableContainer decides containers of any table. It takes values away that can be
// put back into every linearization of the rest, cuts what is left in two at
// gaps in no core, and looks for two values that exclude each other where
// neither can be done. If there are none, the answer is unclear: three or more
// may exclude each other.
//
// It takes O(n log n) if the values can be taken away in the order in which
// they are looked at, and O(n²) otherwise, up to a bound. Proof:
// docs/proofs/container-by-table.md.
type TableContainer struct {
	Container
	*Table
	class []int
	work  int
	gone  []away  // values taken away
	open  []int32 // of a part that is unclear
	pair  [2]int32

	checks int // for pending removes
}

// maxTableWork bounds how often a value is looked at, in all.
const maxTableWork = 50_000_000

func (d *TableContainer) Decide(c *columns.Columns, n int32) (Answer, Witness) {
	if w, bad := d.load(c, n); bad {
		return Violating, w
	}
	d.classify(c)
	d.work, d.checks = 0, 0
	return d.take(c, make([]bool, len(d.pending)))
}

// classify computes the classes of the values.
func (d *TableContainer) classify(c *columns.Columns) {
	d.class = zeroed(d.class, len(d.values))
	for v := range d.values {
		if m := &d.values[v]; m.as != 0 {
			d.class[v] = d.classOf(c, m)
		}
	}
}

func (d *TableContainer) classOf(c *columns.Columns, m *match) int {
	remover := d.Removers
	if m.rs <= d.n {
		remover = int(c.Kind[c.Within(m.rs)-1])
	}
	return d.Table.Class(int(c.Kind[c.Within(m.as)-1]), remover)
}

// check decides for the pending removes as they are.
func (d *TableContainer) check(c *columns.Columns) (Answer, Witness) {
	d.checks++
	if len(d.empties) > 0 {
		d.covering()
		if op, ok := d.uncovered(c); !ok {
			return Violating, d.coveredBy(c, op)
		}
	}
	d.gone = d.gone[:0]
	switch a := d.solve(d.sorted()); a {
	case Violating:
		return a, Witness{Rule: clash, Values: d.pair[:], Op: -1, guess: d.shows()}
	default:
		return a, Witness{Op: -1}
	}
}

// sorted lists the values in the order of their sides.
func (d *TableContainer) sorted() []int32 {
	all := make([]int32, 0, len(d.values))
	for v := range d.values {
		if d.values[v].as != 0 {
			all = append(all, int32(v))
		}
	}
	sort.Slice(all, func(i, j int) bool { return d.values[all[i]].Side() < d.values[all[j]].Side() })
	return all
}

// shows is the last return of the pair, by which it is there.
func (d *TableContainer) shows() (at int32) {
	for _, v := range d.pair {
		for _, e := range []int32{d.values[v].ae, d.values[v].re} {
			if e <= d.n {
				at = max(at, e)
			}
		}
	}
	return max(at, 1)
}

// solve decides values that are in the order of their sides.
func (d *TableContainer) solve(vs []int32) Answer {
	result := Linearizable
	for _, part := range d.components(vs) {
		for {
			rest, any := d.removeSome(part)
			if part = rest; len(part) <= 1 || d.work > maxTableWork {
				break
			}
			if parts := d.components(part); len(parts) > 1 {
				result = worse(result, d.solve(part))
				part = nil
				break
			}
			if !any {
				break
			}
		}
		if len(part) > 1 {
			result = worse(result, d.stuck(part))
		}
		if result == Violating {
			return result
		}
	}
	return result
}

// worse is violating if one of two parts is.
func worse(a, b Answer) Answer {
	if a == Violating || b == Violating {
		return Violating
	}
	return max(a, b)
}

// components cuts values at the gaps in no core. Where a value may go to either
// side it goes to the right, as linearize does it.
func (d *TableContainer) components(vs []int32) (parts [][]int32) {
	cores := make([]*match, 0, len(vs))
	for _, v := range vs {
		if m := &d.values[v]; m.ae < m.rs {
			cores = append(cores, m)
		}
	}
	slices.SortFunc(cores, func(x, y *match) int { return int(x.ae - y.ae) })
	from, high, k := 0, int32(0), 0
	for i, v := range vs {
		side := d.values[v].Side()
		// A gap before side, and not before that of the value before, is in no
		// core: then the values from this one on are on the right of it.
		for k < len(cores) && cores[k].ae < side {
			high = max(high, cores[k].rs)
			k++
		}
		if i > from && high < side {
			parts = append(parts, vs[from:i])
			from = i
		}
	}
	return append(parts, vs[from:])
}

// stuck decides values of which none can be taken away.
func (d *TableContainer) stuck(vs []int32) Answer {
	d.open = append(d.open[:0], vs...)
	for i, v := range vs {
		for _, w := range vs[:i] {
			if d.work++; d.work > maxTableWork {
				return Unclear
			}
			if d.clash(&d.values[v], &d.values[w], d.class[v], d.class[w]) {
				d.pair = [2]int32{w, v}
				return Violating
			}
		}
	}
	return Unclear
}

// Linearize makes a linearization: values are taken away once more, and put back in
// the opposite order, each where the way in which it could be taken away says.
// That takes O(log n) for a value, but for those that came or left when no other
// was in: see treap.
func (d *TableContainer) Linearize(a *Linearizer) bool {
	d.gone, d.work = d.gone[:0], 0
	r := restoring{d, treap{make([]treapNode, 2*len(d.values)+1)}}
	steps := r.List(r.steps(d.sorted()), make([]int32, 0, 2*len(d.values)))
	if d.work > maxTableWork {
		return false
	}
	d.linearize(a, steps)
	return true
}

// restoring makes linearizations of values without the operations that find
// nothing: value*2 for an add, and one more for a remove, be there one or not.
type restoring struct {
	*TableContainer
	treap
}

// add is a sequence of one step.
func (r *restoring) add(v int32) int32 {
	m := &r.values[v]
	return r.leaf(v*2, span{m.as, m.ae}, m.Side())
}

// remove is the one of the remove, even of a value that stays: then it comes
// after all.
func (r *restoring) remove(v int32) int32 {
	m := &r.values[v]
	return r.leaf(v*2+1, span{m.rs, m.re}, m.Side())
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
		if vs, _ = r.removeSome(vs); len(vs) <= 1 || r.work > maxTableWork || len(r.components(vs)) > 1 {
			break
		}
	}
	gone := slices.Clone(r.gone[from:])
	r.gone = r.gone[:from]
	switch {
	case r.work > maxTableWork:
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
