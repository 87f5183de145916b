package lives

import (
	"cmp"
	"slices"
)

// An op is an operation, by its value: what adds it, or what removes it.
type op struct {
	Span
	value  int32
	leaves bool
}

// byBounds lists all operations, but those of values that may stay leave none, by their bounds.
func (s *search) byBounds() []op {
	if s.sorted == nil {
		for v := range int32(len(s.in)) {
			s.sorted = append(s.sorted, op{value: v}, op{value: v, leaves: true})
		}
	}
	for i := range s.sorted {
		if o := &s.sorted[i]; o.leaves {
			o.Span, _ = s.leaves(o.value)
		} else {
			o.Span = s.in[o.value]
		}
	}
	resort(s.sorted, func(a, b op) int {
		return cmp.Or(cmp.Compare(a.S, b.S), cmp.Compare(a.E, b.E), cmp.Compare(a.value, b.value))
	})
	ops := make([]op, 0, len(s.sorted))
	for _, o := range s.sorted {
		if _, stays := s.leaves(o.value); !o.leaves || !stays {
			ops = append(ops, o)
		}
	}
	return ops
}

// inOrder sorts operations by their bounds, and those of the same bounds by what is known of the
// orders of their values. It is false if these make a cycle.
//
// Where one operation must come before another, and neither has a narrower bound, its bounds are not
// later than the other's. So a cycle is among operations of the same bounds.
func (s *search) inOrder() ([]op, bool) {
	ops := s.byBounds()
	for from := 0; from < len(ops); {
		to := from + 1
		for to < len(ops) && ops[to].Span == ops[from].Span {
			to++
		}
		if to > from+1 && !s.untie(ops[from:to]) {
			return nil, false
		}
		from = to
	}
	return ops, true
}

// untie sorts operations of the same bounds; false if what must come before what makes a cycle.
func (s *search) untie(ops []op) bool {
	for i := range ops {
		k := slices.IndexFunc(ops[i:], func(a op) bool {
			return !slices.ContainsFunc(ops[i:], func(b op) bool { return a != b && s.before(b, a) })
		})
		if k < 0 {
			for _, a := range ops[i:] {
				s.roots = append(s.roots, a.value)
			}
			return false
		}
		a := ops[i+k]
		copy(ops[i+1:], ops[i:i+k])
		ops[i] = a
	}
	return true
}

// before reports whether an operation comes before another in all orders that are left.
func (s *search) before(a, b op) bool {
	if a.value == b.value {
		return b.leaves
	}
	o := s.orders(a.value, b.value)
	for k, sequence := range sequences {
		if o>>k&1 == 1 && slices.Index(sequence[:], place(a, 0)) > slices.Index(sequence[:], place(b, 2)) {
			return false
		}
	}
	return true
}

// place is an operation's place in sequences.
func place(a op, first uint8) uint8 {
	if a.leaves {
		return first + 1
	}
	return first
}
