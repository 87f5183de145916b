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

// over reports whether nothing more is looked at.
func (d *TableContainer) over() bool {
	if d.stopped() {
		d.work = maxTableWork + 1
	}
	return d.work > maxTableWork
}

// Decide implements Algorithm.
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
			if part = rest; len(part) <= 1 || d.over() {
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
		if d.over() {
			return Unclear
		}
		for _, w := range vs[:i] {
			d.work++
			if d.clash(&d.values[v], &d.values[w], d.class[v], d.class[w]) {
				d.pair = [2]int32{w, v}
				return Violating
			}
		}
	}
	return Unclear
}

// Linearize makes a linearization: values are taken away once more, and put back in
// the opposite order, each where the way in which it could be taken away says. O(n²)
// at worst, as deciding is.
func (d *TableContainer) Linearize(a *Linearizer) bool {
	d.gone, d.work = d.gone[:0], 0
	steps := d.steps(d.sorted())
	if d.work > maxTableWork {
		return false
	}
	d.linearize(a, steps)
	return true
}

// steps is a linearization of values that are in the order of their sides, without
// the operations that find nothing: value*2 for an add, and one more for a remove,
// be there one or not.
func (d *TableContainer) steps(vs []int32) (steps []int32) {
	for _, part := range d.components(vs) {
		steps = append(steps, d.part(part)...)
	}
	return steps
}

// part is a linearization of a part, see solve.
func (d *TableContainer) part(vs []int32) (steps []int32) {
	from := len(d.gone)
	for len(vs) > 1 {
		if vs, _ = d.removeSome(vs); len(vs) <= 1 || d.work > maxTableWork || len(d.components(vs)) > 1 {
			break
		}
	}
	gone := slices.Clone(d.gone[from:])
	d.gone = d.gone[:from]
	switch {
	case d.work > maxTableWork:
		return nil
	case len(vs) == 1:
		steps = []int32{vs[0] * 2, vs[0]*2 + 1}
	case len(vs) > 1:
		steps = d.steps(vs)
	}
	for _, x := range slices.Backward(gone) {
		steps = d.back(steps, x)
	}
	return steps
}

// back puts a value back into a linearization of the others of its part, as
// removable says that it can be.
func (d *TableContainer) back(steps []int32, x away) []int32 {
	m, add, remove := &d.values[x.value], x.value*2, x.value*2+1
	switch x.way {
	case atOnce:
		return slices.Insert(steps, d.after(steps, max(m.as, m.rs)), add, remove)
	case around:
		return append(slices.Insert(steps, 0, add), remove)
	case firstIn:
		return slices.Insert(slices.Insert(steps, d.after(steps, m.rs), remove), 0, add)
	case lastOut:
		return append(slices.Insert(steps, d.before(steps, m.ae), add), remove)
	}
	var left, right []int32 // of the gap, where they can be cut in two
	for _, s := range steps {
		if d.values[s/2].Side() <= x.gap {
			left = append(left, s)
		} else {
			right = append(right, s)
		}
	}
	if x.way == leavesAlone {
		left = append(slices.Insert(left, d.after(left, m.as), add), remove)
	} else {
		right = slices.Insert(slices.Insert(right, d.after(right, max(m.rs, x.gap)), remove), 0, add)
	}
	return append(left, right...)
}

// span is the operation of a step.
func (d *TableContainer) span(step int32) span {
	m := &d.values[step/2]
	if step%2 == 1 {
		return span{m.rs, m.re}
	}
	return span{m.as, m.ae}
}

// after is the place right behind the last step that returned by some position: all
// before that place were called there, and all behind it had not returned.
func (d *TableContainer) after(steps []int32, at int32) int {
	i := len(steps)
	for i > 0 && d.span(steps[i-1]).e > at {
		i--
	}
	return i
}

// before is the place right before the first step that was called at some position
// or later.
func (d *TableContainer) before(steps []int32, at int32) int {
	i := slices.IndexFunc(steps, func(s int32) bool { return d.span(s).s >= at })
	if i < 0 {
		return len(steps)
	}
	return i
}
