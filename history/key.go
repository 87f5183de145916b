package history

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// Key is a text that two valid histories share exactly if they are equal up to
// renaming of operation identifiers, that is if some bijection of their ops
// keeps kinds, flags, order and matching. It is meant for map keys, not for
// reading; see appendKey.
func (h *History) Key() string {
	var buf [256]byte
	return string(h.appendKey(buf[:0]))
}

// Equal reports whether the histories are equal up to renaming of operations
// ("Symbolic ADT inference" §3).
func (h *History) Equal(g *History) bool {
	if len(h.Ops) != len(g.Ops) {
		return false
	}
	var bufH, bufG [256]byte
	return string(h.appendKey(bufH[:0])) == string(g.appendKey(bufG[:0]))
}

// appendKey appends Key to dst: the ops in canonical order, each with kind,
// flags, target and, unless the history is sequential, its interval of columns.
// A sequential history listed in its own order is written as it stands, in
// O(n), without allocation; any other is sorted first, in O(n log n), without
// allocation up to 24 ops.
func (h *History) appendKey(dst []byte) []byte {
	if h.inSequence() {
		for i := range h.Ops {
			dst = appendOp(dst, &h.Ops[i], h.Ops[i].Target, 0)
		}
		return dst
	}
	var bufSlots [small]slot
	var bufPlace [small]int
	slots := h.canonicalOrder(bufSlots[:0])
	place := placesOf(slots, bufPlace[:0])
	var wide byte
	for i := range slots {
		if slots[i].start != i || slots[i].end != i {
			wide = keyWide
		}
	}
	for i := range slots {
		s := &slots[i]
		dst = appendOp(dst, s.Op, targetPlace(s.Op, place), wide)
		if wide != 0 {
			dst = binary.AppendUvarint(dst, uint64(s.start))
			dst = binary.AppendUvarint(dst, uint64(s.end))
		}
	}
	return dst
}

// Flags of an op in a key.
const (
	keyReadOnly = 1 << iota
	keyCompleted
	keyWide // the interval follows
)

func appendOp(dst []byte, op *Op, target int, flags byte) []byte {
	if op.ReadOnly {
		flags |= keyReadOnly
	}
	if op.Completed {
		flags |= keyCompleted
	}
	dst = append(dst, flags)
	dst = binary.AppendUvarint(dst, uint64(target+1))
	dst = binary.AppendUvarint(dst, uint64(len(op.Method)))
	dst = append(dst, op.Method...)
	dst = binary.AppendUvarint(dst, uint64(len(op.Outcome)))
	return append(dst, op.Outcome...)
}

// canonical is the representative of the histories equal to h up to renaming:
// its ops are in canonical order (of start first) and its intervals are the
// fewest columns that show the order.
func (h *History) canonical() *History {
	slots := h.canonicalOrder(nil)
	place := placesOf(slots, nil)
	c := &History{Ops: make([]Op, len(slots))}
	for i := range slots {
		s := &slots[i]
		op := *s.Op
		op.Target, op.Start, op.End = targetPlace(s.Op, place), s.start, s.end
		if !op.Completed {
			op.End = Never
		}
		c.Ops[i] = op
	}
	return c
}

// placesOf says, for each index of an op in its history, where it is in slots.
func placesOf(slots []slot, buf []int) []int {
	place := buf
	for range slots {
		place = append(place, 0)
	}
	for i := range slots {
		place[slots[i].index] = i
	}
	return place
}

func targetPlace(op *Op, place []int) int {
	if op.Target == Unmatched {
		return Unmatched
	}
	return place[op.Target]
}

// A slot is an op on its way to its canonical place.
type slot struct {
	*Op
	index int // in the history
	role  int // 0 unmatched, 1 match target, 2 other member of a match
	interval
	class int // rank of label, interval and role
	match int // rank of the match, or -1
}

// canonicalOrder sorts the ops so that equal histories end up in the same
// order. Matches are stars (a target and the ops that map to it), so no search
// is needed: an op's class is the rank of its label, interval and role; a match
// is told from another by the classes of its ops; and two matches with the same
// classes can be swapped whole without changing the history, so their order
// does not matter.
func (h *History) canonicalOrder(slots []slot) []slot {
	var buf [small]interval
	cols, _ := h.columns(buf[:0])
	for i := range h.Ops {
		op := &h.Ops[i]
		role := 2
		if op.Target == Unmatched {
			role = 0
		} else if op.Target == i {
			role = 1
		}
		slots = append(slots, slot{Op: op, index: i, role: role, interval: cols[i], match: -1})
	}
	slices.SortFunc(slots, compareLabels)
	for i := 1; i < len(slots); i++ {
		slots[i].class = slots[i-1].class
		if compareLabels(slots[i-1], slots[i]) != 0 {
			slots[i].class++
		}
	}
	rankMatches(slots)
	slices.SortFunc(slots, func(a, b slot) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.match, b.match))
	})
	return slots
}

func compareLabels(a, b slot) int {
	return cmp.Or(
		cmp.Compare(a.start, b.start),
		cmp.Compare(a.end, b.end),
		cmp.Compare(a.Method, b.Method),
		cmp.Compare(a.Outcome, b.Outcome),
		cmp.Compare(bit(a.Completed), bit(b.Completed)),
		cmp.Compare(bit(a.ReadOnly), bit(b.ReadOnly)),
		cmp.Compare(a.role, b.role))
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// rankMatches sorts the matches by the classes of their ops and numbers them.
func rankMatches(slots []slot) {
	slices.SortFunc(slots, func(a, b slot) int {
		return cmp.Or(cmp.Compare(a.Target, b.Target), cmp.Compare(a.class, b.class))
	})
	// Matches are ranges of slots, not slices of it, so that slots need not
	// escape to the heap.
	var buf [small]interval
	matches := buf[:0]
	for i := 0; i < len(slots); {
		j := i
		for j+1 < len(slots) && slots[j+1].Target == slots[i].Target {
			j++
		}
		if slots[i].Target != Unmatched {
			matches = append(matches, interval{i, j})
		}
		i = j + 1
	}
	slices.SortFunc(matches, func(a, b interval) int {
		return slices.CompareFunc(slots[a.start:a.end+1], slots[b.start:b.end+1],
			func(x, y slot) int { return cmp.Compare(x.class, y.class) })
	})
	for rank, m := range matches {
		for i := m.start; i <= m.end; i++ {
			slots[i].match = rank
		}
	}
}
