package saturate

import "slices"

// list is operations of one kind in matches of one shape, in the order in which
// they came to be so. It finds those within a time.
type list struct {
	times []int
	ops   []int32 // -1: not any more
	skip  []int32 // a live entry at or after this one is at skip or after it
	dead  int
	late  int // live entries that returned before they were listed
}

// list adds operation x, of a match with a shape, to the series it belongs to.
func (m *Monitor) list(x int32) {
	if m.probing.on {
		return // to be undone soon
	}
	o := &m.ops[x]
	s := m.r.Listed[int(m.matches[o.match].shape)*len(m.r.Kinds)+int(o.kind)]
	if s < 0 {
		return
	}
	l := &m.series[s]
	if o.ret < m.now-1 {
		l.late++
	}
	o.listed, o.at = s, int32(len(l.ops))
	l.times = append(l.times, m.now-1)
	l.ops = append(l.ops, x)
	l.skip = append(l.skip, int32(len(l.skip)))
}

// unlist removes operation x from its series.
func (m *Monitor) unlist(x int32) {
	o := &m.ops[x]
	if o.listed < 0 {
		return
	}
	l := &m.series[o.listed]
	if o.ret < l.times[o.at] {
		l.late--
	}
	l.ops[o.at] = -1
	l.skip[o.at]++
	o.listed = -1
	if l.dead++; l.dead > 32 && l.dead > len(l.ops)/2 {
		m.compact(l)
	}
}

func (m *Monitor) compact(l *list) {
	n := 0
	for i, x := range l.ops {
		if x >= 0 {
			l.times[n], l.ops[n], l.skip[n] = l.times[i], x, int32(n)
			m.ops[x].at = int32(n)
			n++
		}
	}
	l.times, l.ops, l.skip, l.dead = l.times[:n], l.ops[:n], l.skip[:n], 0
}

// next is the first live entry at or after i.
func (l *list) next(i int) int {
	for i < len(l.skip) && int(l.skip[i]) != i {
		if j := int(l.skip[i]); j < len(l.skip) {
			l.skip[i] = l.skip[j]
		}
		i = int(l.skip[i])
	}
	return i
}

// from is the first entry listed after a time.
func (l *list) from(after int) int {
	i, _ := slices.BinarySearch(l.times, after+1)
	return i
}
