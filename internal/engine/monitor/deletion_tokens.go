package monitor

import "slices"

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
