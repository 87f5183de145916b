package monitor

import (
	"slices"
	"sort"
)

// peekPeeling takes the values of a stack away, as peeling does, where the
// value on top was looked at. A value that is below all others of its component
// is on top in the gaps that are in no core of these; what saw it must have such
// a gap. Whichever value is taken away first, nothing is lost, as without peeks.
//
// It takes O(n) for each value taken away, up to a bound.
type peekPeeling struct {
	*container
	c    *columns
	work int
}

// maxPeeling bounds how often a value is looked at, in all.
const maxPeeling = 100_000_000

// peel is like that of peeling; known is false if the bound was hit.
func (p *peekPeeling) peel() (stuck []int32, ok, known bool) {
	var all []int32
	for v := range p.values {
		if from, to := p.core(int32(v)); p.values[v].as != 0 && from < to {
			all = append(all, int32(v))
		}
	}
	slices.SortFunc(all, func(v, w int32) int { return int(p.from(v) - p.from(w)) })
	parts := p.connected(nil, all)
	for len(parts) > 0 {
		part := parts[len(parts)-1]
		parts = parts[:len(parts)-1]
		if p.work += len(part); p.work > maxPeeling {
			return nil, false, false
		}
		bottom := p.bottom(part)
		if bottom < 0 {
			return part, false, true
		}
		parts = p.connected(parts, slices.Delete(slices.Clone(part), bottom, bottom+1))
	}
	return nil, true, true
}

func (p *peekPeeling) from(v int32) int32 { from, _ := p.core(v); return from }
func (p *peekPeeling) to(v int32) int32   { _, to := p.core(v); return to }

// connected appends the components of values that are in the order of the
// begins of their cores.
func (p *peekPeeling) connected(parts [][]int32, vs []int32) [][]int32 {
	high, begin := int32(0), 0
	for i, v := range vs {
		if i > begin && p.from(v) > high {
			parts = append(parts, vs[begin:i])
			begin = i
		}
		high = max(high, p.to(v))
	}
	if begin < len(vs) {
		parts = append(parts, vs[begin:])
	}
	return parts
}

// bottom is the place of a value of a component that can be below all others,
// or -1.
func (p *peekPeeling) bottom(part []int32) int {
	first, last := p.from(part[0]), int32(0)
	for _, v := range part {
		last = max(last, p.to(v))
	}
	for i, v := range part {
		if m := &p.values[v]; m.as < first && m.re > last && p.onTop(part, v) {
			return i
		}
	}
	return -1
}

// onTop tells whether what saw a value has gaps in no core of the others.
func (p *peekPeeling) onTop(part []int32, v int32) bool {
	m := &p.values[v]
	var begins, high []int32 // of the cores of the others; the highest end so far
	p.lookers(v, func(int32) {
		if begins != nil {
			return
		}
		p.work += len(part)
		begins = make([]int32, 0, len(part))
		end := int32(0)
		for _, w := range part {
			if w != v {
				end = max(end, p.to(w))
				begins, high = append(begins, p.from(w)), append(high, end)
			}
		}
	})
	ok := true
	p.lookers(v, func(op int32) {
		g, end := max(m.as, p.c.call[op]), min(p.c.ret[op], m.re)
		for g < end {
			i := sort.Search(len(begins), func(i int) bool { return begins[i] > g })
			if i == 0 || high[i-1] <= g {
				return
			}
			g = high[i-1]
		}
		ok = false
	})
	return ok
}
