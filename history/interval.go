package history

import "slices"

// small is the number of ops up to which the algorithms of this package work
// on the stack.
const small = 24

// Sequential tells whether all ops are ordered, that is the width is at most 1.
func (h *History) Sequential() bool { return h.inSequence() || h.Width() <= 1 }

// inSequence tells whether each op happens before the next one in Ops.
func (h *History) inSequence() bool {
	for i := 1; i < len(h.Ops); i++ {
		if h.Ops[i-1].End >= h.Ops[i].Start {
			return false
		}
	}
	return true
}

// Width is the largest number of mutually unordered ops ("Symbolic ADT
// inference" §3). Intervals that meet pairwise have a point in common, so a
// sweep over the endpoints finds it. O(n log n).
func (h *History) Width() int {
	var buf [2 * small]int
	starts, ends := h.endpoints(buf[:0])
	width, open, e := 0, 0, 0
	for _, s := range starts {
		for ends[e] < s {
			e, open = e+1, open-1
		}
		open++
		width = max(width, open)
	}
	return width
}

// endpoints are the sorted starts and the sorted ends, in buf if they fit.
func (h *History) endpoints(buf []int) (starts, ends []int) {
	for i := range h.Ops {
		buf = append(buf, h.Ops[i].Start)
	}
	for i := range h.Ops {
		buf = append(buf, h.Ops[i].End)
	}
	starts, ends = buf[:len(h.Ops)], buf[len(h.Ops):]
	slices.Sort(starts)
	slices.Sort(ends)
	return starts, ends
}

// An interval is a range of columns, both ends included.
type interval struct{ start, end int }

// columns appends the interval representation of the order with the fewest
// columns to dst, op by op, and returns it with the number of columns. It
// depends on the order alone, not on the intervals at hand: in an interval
// order the sets of predecessors are nested, an op starts at the rank of its
// own set among them, and lasts until just before the first op after it
// starts. O(n log n).
func (h *History) columns(dst []interval) ([]interval, int) {
	var buf [2 * small]int
	starts, ends := h.endpoints(buf[:0])

	// before[c] is the number of predecessors of the ops that start in column
	// c, first[c] the earliest of their starts.
	var bufBefore, bufFirst [small]int
	before, first := bufBefore[:0], bufFirst[:0]
	e := 0
	for _, s := range starts {
		for ends[e] < s {
			e++
		}
		if len(before) == 0 || before[len(before)-1] != e {
			before, first = append(before, e), append(first, s)
		}
	}
	for i := range h.Ops {
		op := &h.Ops[i]
		dst = append(dst, interval{countUpTo(first, op.Start) - 1, countUpTo(first, op.End) - 1})
	}
	return dst, len(first)
}

// countUpTo is the number of elements of sorted that are at most x.
func countUpTo(sorted []int, x int) int {
	i, found := slices.BinarySearch(sorted, x)
	if found {
		i++
	}
	return i
}
