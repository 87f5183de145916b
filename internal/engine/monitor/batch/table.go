package batch

import (
	"slices"

	"github.com/adtinfer/adtinfer/internal/engine/monitor/columns"
)

// Table says how two values of a container may be in at the same time, by their
// classes: the kind of the operation that added a value, and of the one that
// removed it, or that none did. That is all that the patterns of two matches
// say.
type Table struct {
	Adders, Removers int
	Encloses         []bool // v may come first and leave last, w come and leave meanwhile
	Overtaken        []bool // v may come first and leave first, w come while it is in
}

// Class is the class of values added and removed by such kinds; remover is
// t.removers if nobody removed it.
func (t *Table) Class(adder, remover int) int { return adder*(t.Removers+1) + remover }

// Classes counts the classes.
func (t *Table) Classes() int { return t.Adders * (t.Removers + 1) }

// Stays reports whether nobody removes the values of a class.
func (t *Table) Stays(class int) bool { return class%(t.Removers+1) == t.Removers }

// At is the place of two classes in Encloses and Overtaken.
func (t *Table) At(v, w int) int { return v*t.Classes() + w }

// Uniform is the name of the shape that has the same table, if all kinds may be
// exchanged for each other.
func (t *Table) Uniform() (name string, ok bool) {
	for _, s := range []struct {
		name                         string
		encloses, overtaken, leaving bool // the last: two values may stay
	}{{"bag", true, true, true}, {"queue", false, true, true}, {"stack", true, false, true}, {"lock", false, false, false}} {
		same := true
		for v := range t.Classes() {
			for w := range t.Classes() {
				stay := t.Stays(v) && t.Stays(w)
				switch at := t.At(v, w); {
				case stay:
					same = same && t.Encloses[at] == s.leaving
				case !t.Stays(v) && !t.Stays(w):
					same = same && t.Encloses[at] == s.encloses && t.Overtaken[at] == s.overtaken
				case t.Stays(v): // w leaves, v does not
					same = same && t.Encloses[at] == s.encloses
				default:
					same = same && t.Overtaken[at] == s.overtaken
				}
			}
		}
		if same {
			return s.name, true
		}
	}
	return "", false
}

// Closed reports whether a remove, and the second of two removes, can be left out
// at the end of what is allowed.
func (t *Table) Closed() bool {
	stay := func(c int) int { return c - c%(t.Removers+1) + t.Removers }
	for v := range t.Classes() {
		for w := range t.Classes() {
			if t.Encloses[t.At(v, w)] && !(t.Encloses[t.At(stay(v), w)] && t.Encloses[t.At(stay(v), stay(w))]) ||
				t.Overtaken[t.At(v, w)] && !(t.Overtaken[t.At(v, stay(w))] && t.Overtaken[t.At(stay(v), stay(w))]) {
				return false
			}
		}
	}
	return true
}

// clash reports whether two values exclude each other: whether there is no order
// of their operations that the table and real time allow.
func (t *Table) clash(v, w *match, cv, cw int) bool {
	av, rv, aw, rw := span{v.as, v.ae}, span{v.rs, v.re}, span{w.as, w.ae}, span{w.rs, w.re}
	return !possible(av, rv, aw, rw) && !possible(aw, rw, av, rv) &&
		!(t.Encloses[t.At(cv, cw)] && possible(av, aw, rw, rv)) &&
		!(t.Encloses[t.At(cw, cv)] && possible(aw, av, rv, rw)) &&
		!(t.Overtaken[t.At(cv, cw)] && possible(av, aw, rv, rw)) &&
		!(t.Overtaken[t.At(cw, cv)] && possible(aw, av, rw, rv))
}

// span is an operation from call to return.
type span struct{ s, e int32 }

// possible reports whether operations can take effect in an order: none is called
// after a later one returned.
func possible(ops ...span) bool {
	last := int32(0)
	for _, o := range ops {
		if last = max(last, o.s); last >= o.e {
			return false
		}
	}
	return true
}

// maxTaking bounds the values that are looked at to choose pending removes. At
// least fewChecks decisions are made.
const maxTaking = 2_000_000

// take decides, for all ways in which pending removes that are not used may take
// values that are left. Where values exclude each other, or an operation that
// found nothing, one of them must have been taken; so only these are tried, each
// with all pending removes. Two of one kind are as good as each other if nothing
// returned between their calls, and an earlier one constrains less than a later
// one: a value that is taken too late by one need not be tried with those behind.
//
// After a bound the answer is unclear. If it is linearizable the values stay as
// they were taken.
func (d *TableContainer) take(c *columns.Columns, used []bool) (Answer, Witness) {
	result, w := d.check(c)
	if result == Linearizable || d.left == 0 || !slices.Contains(used, false) {
		return result, w
	}
	w.Values = slices.Clone(w.Values)
	blamed := w.Values
	if result == Unclear {
		blamed = d.needed(slices.Clone(d.open))
	}
	mayLeave := slices.DeleteFunc(slices.Clone(blamed), func(v int32) bool { return !d.isLeft(&d.values[v]) })
	if len(mayLeave) == 0 {
		return result, w
	}
	if a := d.alone(c); a != Linearizable {
		return a, w
	}
	for _, v := range mayLeave {
		a := d.takeValue(c, v, used)
		if a == Linearizable {
			return a, Witness{}
		}
		result = max(result, a)
	}
	return result, w
}

// takeValue tries which pending remove took a value.
func (d *TableContainer) takeValue(c *columns.Columns, v int32, used []bool) (result Answer) {
	result = Violating
	m := &d.values[v]
	tooLate := make([]bool, d.Removers)
	for t, call := range d.pending {
		kind := d.tokenKind(c, t)
		if used[t] || tooLate[kind] || t > 0 && !used[t-1] && kind == d.tokenKind(c, t-1) && c.Alike(d.pending[t-1], call) {
			continue
		}
		if d.checks > fewChecks+maxTaking/(len(d.values)+1) {
			return Unclear
		}
		used[t], m.rs = true, call
		d.left--
		d.class[v] = d.classOf(c, m)
		a := d.alone(c)
		if tooLate[kind] = a != Linearizable; !tooLate[kind] {
			a, _ = d.take(c, used)
		}
		if a == Linearizable {
			return a
		}
		result = max(result, a)
		used[t], m.rs = false, d.n+1
		d.left++
		d.class[v] = d.classOf(c, m)
	}
	return result
}

func (d *TableContainer) tokenKind(c *columns.Columns, t int) uint8 {
	return c.Kind[c.Within(d.pending[t])-1]
}

// alone decides without the values that are left.
func (d *TableContainer) alone(c *columns.Columns) (result Answer) {
	d.withoutLeft(func() { result, _ = d.check(c) })
	return result
}

// needed leaves out values of a part that are left, as long as the others cannot
// be taken away.
func (d *TableContainer) needed(part []int32) []int32 {
	for _, v := range slices.Clone(part) {
		if !d.isLeft(&d.values[v]) {
			continue
		}
		without := slices.DeleteFunc(slices.Clone(part), func(w int32) bool { return v == w })
		d.checks++
		if d.solve(slices.Clone(without)) != Linearizable {
			part = without
		}
	}
	return part
}
