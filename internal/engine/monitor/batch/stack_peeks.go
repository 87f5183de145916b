package batch

import (
	"slices"
	"sort"

	"github.com/adtinfer/adtinfer/internal/engine/monitor/columns"
)

// peekElimination takes the values of a stack away, as elimination does, where the
// value on top was looked at. A value that is below all others of its component
// is on top in the gaps that are in no core of these; what saw it must have such
// a gap. Whichever value is taken away first, nothing is lost, as without peeks.
//
// It takes O(n) for each value taken away, up to a bound. Proof: docs/proofs/stack.md.
type peekElimination struct {
	*Container
	c    *columns.Columns
	work int
}

// maxElimination bounds how often a value is looked at, in all.
const maxElimination = 100_000_000

// eliminate is that of elimination; known is false if the bound was hit.
func (p *peekElimination) eliminate() (stuck []int32, ok, known bool) {
	parts := p.connected(nil, p.cores())
	for len(parts) > 0 {
		part := parts[len(parts)-1]
		parts = parts[:len(parts)-1]
		if p.work += len(part); p.work > maxElimination || p.stopped() {
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

// cores lists the values whose cores are not empty, in the order of their begins.
func (p *peekElimination) cores() (all []int32) {
	for v := range p.values {
		if from, to := p.core(int32(v)); p.values[v].as != 0 && from < to {
			all = append(all, int32(v))
		}
	}
	slices.SortFunc(all, func(v, w int32) int { return int(p.from(v) - p.from(w)) })
	return all
}

func (p *peekElimination) from(v int32) int32 { from, _ := p.core(v); return from }
func (p *peekElimination) to(v int32) int32   { _, to := p.core(v); return to }

// connected appends the components of values that are in the order of the
// begins of their cores.
func (p *peekElimination) connected(parts [][]int32, vs []int32) [][]int32 {
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
func (p *peekElimination) bottom(part []int32) int {
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

// onTop reports whether what saw a value has gaps in no core of the others.
func (p *peekElimination) onTop(part []int32, v int32) bool {
	m := &p.values[v]
	var free *outsideOf
	ok := true
	p.eachPeek(v, func(op int32) {
		if free == nil {
			free = p.freeOf(part, v)
		}
		if _, has := free.from(max(m.as, p.c.Call[op]), min(p.c.Ret[op], m.re)); !has {
			ok = false
		}
	})
	return ok
}

// outsideOf is the gaps in no core of some values.
type outsideOf struct{ begins, high []int32 } // of the cores; the highest end so far

// freeOf is the gaps in no core of a component without one of its values.
func (p *peekElimination) freeOf(part []int32, v int32) *outsideOf {
	p.work += len(part)
	x := &outsideOf{make([]int32, 0, len(part)), make([]int32, 0, len(part))}
	end := int32(0)
	for _, w := range part {
		if w != v {
			end = max(end, p.to(w))
			x.begins, x.high = append(x.begins, p.from(w)), append(x.high, end)
		}
	}
	return x
}

// from is the first of the gaps g..end-1; false if there is none.
func (x *outsideOf) from(g, end int32) (gap int32, ok bool) {
	for g < end {
		i := sort.Search(len(x.begins), func(i int) bool { return x.begins[i] > g })
		if i == 0 || x.high[i-1] <= g {
			return g, true
		}
		g = x.high[i-1]
	}
	return 0, false
}
