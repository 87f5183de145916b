package history

import "strconv"

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

// Before tells whether op i happens before op j.
func (h *History) Before(i, j int) bool { return h.Ops[i].End < h.Ops[j].Start }

// IsTarget tells whether op i is a match target. Targets map to themselves, so
// looking at op i is enough.
func (h *History) IsTarget(i int) bool { return h.Ops[i].Target == i }

// Identical tells whether ops i and j have the same label and the same matching
// ("Symbolic ADT inference" §3): two unmatched ops of one kind are identical.
func (h *History) Identical(i, j int) bool {
	a, b := &h.Ops[i], &h.Ops[j]
	return a.Target == b.Target && a.ReadOnly == b.ReadOnly && a.Completed == b.Completed && a.Kind == b.Kind
}

// Frequency is the number of ops identical to op i, itself included.
func (h *History) Frequency(i int) int {
	n := 0
	for j := range h.Ops {
		if h.Identical(i, j) {
			n++
		}
	}
	return n
}

// Matches is the number of matches, that is of match targets.
func (h *History) Matches() int {
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
	w := h.Matches()
	// The first op of a class of identical ops sees the whole class behind it;
	// a class that starts too late to beat w need not be counted.
	for i := 0; i < len(h.Ops)-w; i++ {
		n := 1
		for j := i + 1; j < len(h.Ops); j++ {
			if h.Identical(i, j) {
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
