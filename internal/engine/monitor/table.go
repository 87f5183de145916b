package monitor

import (
	"slices"
)

// table says how two values of a container may be in at the same time, by their
// classes: the kind of the operation that added a value, and of the one that
// removed it, or that none did. That is all that the patterns of two matches
// say.
type table struct {
	adders, removers int
	encloses         []bool // v may come first and leave last, w come and leave meanwhile
	overtaken        []bool // v may come first and leave first, w come while it is in
}

// class is the class of values added and removed by such kinds; remover is
// t.removers if nobody removed it.
func (t *table) class(adder, remover int) int { return adder*(t.removers+1) + remover }

func (t *table) classes() int { return t.adders * (t.removers + 1) }

func (t *table) stays(class int) bool { return class%(t.removers+1) == t.removers }

func (t *table) at(v, w int) int { return v*t.classes() + w }

// uniform is the name of the shape that has the same table, if all kinds may be
// exchanged for each other.
func (t *table) uniform() (name string, ok bool) {
	for _, s := range []struct {
		name                         string
		encloses, overtaken, leaving bool // the last: two values may stay
	}{{"bag", true, true, true}, {"queue", false, true, true}, {"stack", true, false, true}, {"lock", false, false, false}} {
		same := true
		for v := range t.classes() {
			for w := range t.classes() {
				stay := t.stays(v) && t.stays(w)
				switch at := t.at(v, w); {
				case stay:
					same = same && t.encloses[at] == s.leaving
				case !t.stays(v) && !t.stays(w):
					same = same && t.encloses[at] == s.encloses && t.overtaken[at] == s.overtaken
				case t.stays(v): // w leaves, v does not
					same = same && t.encloses[at] == s.encloses
				default:
					same = same && t.overtaken[at] == s.overtaken
				}
			}
		}
		if same {
			return s.name, true
		}
	}
	return "", false
}

// clash tells whether two values exclude each other: whether there is no order
// of their operations that the table and real time allow.
func (t *table) clash(v, w *match, cv, cw int) bool {
	av, rv, aw, rw := span{v.as, v.ae}, span{v.rs, v.re}, span{w.as, w.ae}, span{w.rs, w.re}
	return !possible(av, rv, aw, rw) && !possible(aw, rw, av, rv) &&
		!(t.encloses[t.at(cv, cw)] && possible(av, aw, rw, rv)) &&
		!(t.encloses[t.at(cw, cv)] && possible(aw, av, rv, rw)) &&
		!(t.overtaken[t.at(cv, cw)] && possible(av, aw, rv, rw)) &&
		!(t.overtaken[t.at(cw, cv)] && possible(aw, av, rw, rv))
}

// span is an operation from call to return.
type span struct{ s, e int32 }

// possible tells whether operations can take effect in an order: none is called
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
func (d *deletion) take(c *columns, used []bool) (answer, witness) {
	result, w := d.check(c)
	if result == linearizable || d.left == 0 || !slices.Contains(used, false) {
		return result, w
	}
	w.values = slices.Clone(w.values)
	blamed := w.values
	if result == unclear {
		blamed = d.needed(slices.Clone(d.open))
	}
	mayLeave := slices.DeleteFunc(slices.Clone(blamed), func(v int32) bool { return !d.isLeft(&d.values[v]) })
	if len(mayLeave) == 0 {
		return result, w
	}
	if a := d.alone(c); a != linearizable {
		return a, w
	}
	for _, v := range mayLeave {
		a := d.takeValue(c, v, used)
		if a == linearizable {
			return a, witness{}
		}
		result = max(result, a)
	}
	return result, w
}

// takeValue tries which pending remove took a value.
func (d *deletion) takeValue(c *columns, v int32, used []bool) (result answer) {
	result = violating
	m := &d.values[v]
	tooLate := make([]bool, d.removers)
	for t, call := range d.tokens {
		kind := d.tokenKind(c, t)
		if used[t] || tooLate[kind] || t > 0 && !used[t-1] && kind == d.tokenKind(c, t-1) && c.alike(d.tokens[t-1], call) {
			continue
		}
		if d.checks > fewChecks+maxTaking/(len(d.values)+1) {
			return unclear
		}
		used[t], m.rs = true, call
		d.left--
		d.class[v] = d.classOf(c, m)
		a := d.alone(c)
		if tooLate[kind] = a != linearizable; !tooLate[kind] {
			a, _ = d.take(c, used)
		}
		if a == linearizable {
			return a
		}
		result = max(result, a)
		used[t], m.rs = false, d.n+1
		d.left++
		d.class[v] = d.classOf(c, m)
	}
	return result
}

func (d *deletion) tokenKind(c *columns, t int) uint8 { return c.kind[c.within(d.tokens[t])-1] }

// alone decides without the values that are left.
func (d *deletion) alone(c *columns) (result answer) {
	var dropped, saved []int32
	for v := range d.values {
		if m := &d.values[v]; d.isLeft(m) {
			dropped, saved = append(dropped, int32(v)), append(saved, m.as)
			m.as = 0
		}
	}
	result, _ = d.check(c)
	for i, v := range dropped {
		d.values[v].as = saved[i]
	}
	return result
}

// needed leaves out values of a part that are left, as long as the others cannot
// be taken away.
func (d *deletion) needed(part []int32) []int32 {
	for _, v := range slices.Clone(part) {
		if !d.isLeft(&d.values[v]) {
			continue
		}
		without := slices.DeleteFunc(slices.Clone(part), func(w int32) bool { return v == w })
		d.checks++
		if d.solve(slices.Clone(without)) != linearizable {
			part = without
		}
	}
	return part
}
