package history

import (
	"fmt"
	"slices"
	"strconv"
)

// Unmatched is the Target of an operation that maps to no match target.
const Unmatched = -1

// Op is one operation of a history: a label without values.
type Op struct {
	Kind
	Target    int  // index of the match target in the history, or Unmatched
	ReadOnly  bool // R of the matching scheme
	Completed bool // false: pending; then Outcome is Pending and Target Unmatched

	// The interval: op i happens before op j iff Ops[i].End < Ops[j].Start.
	// A sequential history has Start = End = index. A pending op has
	// End = Never.
	Start, End int
}

// Never is the End of a pending operation: after every Start.
const Never = int(^uint(0) >> 1)

// History is an execution seen through a matching scheme: methods, outcomes,
// order, matching and read-only flags, and no values ("Symbolic ADT inference" §3).
type History struct {
	Ops []Op
}

// Before reports whether op i happens before op j.
func (h *History) Before(i, j int) bool { return h.Ops[i].End < h.Ops[j].Start }

// identical reports whether ops i and j have the same label and the same matching
// ("Symbolic ADT inference" §3): two unmatched ops of one kind are identical.
func (h *History) identical(i, j int) bool {
	a, b := &h.Ops[i], &h.Ops[j]
	return a.Target == b.Target && a.ReadOnly == b.ReadOnly && a.Completed == b.Completed && a.Kind == b.Kind
}

// frequency is the number of ops identical to op i, itself included.
func (h *History) frequency(i int) int {
	n := 0
	for j := range h.Ops {
		if h.identical(i, j) {
			n++
		}
	}
	return n
}

// matches is the number of matches, that is of match targets.
func (h *History) matches() int {
	n := 0
	for i := range h.Ops {
		if h.Ops[i].Target == i {
			n++
		}
	}
	return n
}

// Weight is the larger of the number of matches and the highest frequency of
// identical operations ("Symbolic ADT inference" §7). It compares each pair of
// ops at most once and allocates nothing.
func (h *History) Weight() int {
	w := h.matches()
	// The first op of a class of identical ops sees the whole class behind it;
	// a class that starts too late to beat w need not be counted.
	for i := 0; i < len(h.Ops)-w; i++ {
		n := 1
		for j := i + 1; j < len(h.Ops); j++ {
			if h.identical(i, j) {
				n++
			}
		}
		w = max(w, n)
	}
	return w
}

// Sequence builds the sequential history of ops: it sets their intervals, and
// their Completed flags from their outcomes. Only the last op may be pending.
func Sequence(ops ...Op) *History {
	h := &History{Ops: append([]Op(nil), ops...)}
	for i := range h.Ops {
		op := &h.Ops[i]
		op.Start, op.End, op.Completed = i, i, op.Outcome != Pending
		if !op.Completed {
			op.End = Never
		}
	}
	return h
}

func itoa(n int) string { return strconv.Itoa(n) }

// Validate checks what every history promises and every algorithm over
// histories relies on; the error names the first op (from 1) that breaks it:
//
//   - a target is an op of the history or Unmatched, and maps to itself;
//   - an op is pending exactly if its outcome is Pending and its End is Never;
//   - a pending op is unmatched;
//   - no interval ends before it starts.
func (h *History) Validate() error {
	for i := range h.Ops {
		if err := h.validateOp(i); err != nil {
			return fmt.Errorf("history: op %d (%s): %w", i+1, h.Ops[i].Kind, err)
		}
	}
	return nil
}

func (h *History) validateOp(i int) error {
	op := &h.Ops[i]
	switch t := op.Target; {
	case t < Unmatched || t >= len(h.Ops):
		return fmt.Errorf("its target is op %d of %d", t+1, len(h.Ops))
	case t != Unmatched && h.Ops[t].Target != t:
		return fmt.Errorf("its target, op %d, does not map to itself", t+1)
	case op.Completed == (op.Outcome == Pending):
		return fmt.Errorf("completed is %t and the outcome %q", op.Completed, op.Outcome)
	case op.Completed == (op.End == Never):
		return fmt.Errorf("completed is %t and the interval ends at %d", op.Completed, op.End)
	case !op.Completed && t != Unmatched:
		return fmt.Errorf("it is pending and matches op %d", t+1)
	case op.End < op.Start:
		return fmt.Errorf("it ends at %d, before it starts at %d", op.End, op.Start)
	}
	return nil
}

// small is the number of ops up to which the algorithms of this package work
// on the stack.
const small = 24

// Sequential reports whether all ops are ordered, that is the width is at most 1.
func (h *History) Sequential() bool { return h.inSequence() || h.width() <= 1 }

// inSequence reports whether each op happens before the next one in Ops.
func (h *History) inSequence() bool {
	for i := 1; i < len(h.Ops); i++ {
		if h.Ops[i-1].End >= h.Ops[i].Start {
			return false
		}
	}
	return true
}

// width is the largest number of mutually unordered ops ("Symbolic ADT
// inference" §3). Intervals that meet pairwise have a point in common, so a
// sweep over the endpoints finds it. O(n log n).
func (h *History) width() int {
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
