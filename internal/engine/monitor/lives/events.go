package lives

import (
	"cmp"
	"slices"
)

// event is the beginning or the end of what adds or removes a value.
type event struct {
	at     int32
	begins bool
	leaves bool
	value  int32
}

// rank orders events at one position.
func (e *event) rank() int {
	switch {
	case !e.begins && e.leaves:
		return 0
	case !e.begins:
		return 1
	case e.leaves:
		return 2
	}
	return 3
}

// timeline lists them, as bounds are now; also those of what removes values that may stay. At one position what ends comes before what
// begins, what removes a value before what adds one, and the value that came last first: mostly it can leave first.
func (s *search) timeline() []event {
	if s.events == nil {
		for v := range int32(len(s.in)) {
			s.events = append(s.events, event{0, true, false, v}, event{0, false, false, v}, event{0, true, true, v}, event{0, false, true, v})
		}
	}
	for i := range s.events {
		e := &s.events[i]
		bounds := s.in[e.value]
		if e.leaves {
			bounds, _ = s.leaves(e.value)
		}
		if e.at = bounds.E; e.begins {
			e.at = bounds.S
		}
	}
	resort(s.events, func(a, b event) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.rank(), b.rank()), cmp.Compare(b.value, a.value))
	})
	return s.events
}

// resort sorts what is nearly in order.
func resort[T any](all []T, compare func(a, b T) int) {
	moves := 8 * len(all)
	for i := 1; i < len(all); i++ {
		x, j := all[i], i
		for ; j > 0 && compare(x, all[j-1]) < 0; j-- {
			all[j] = all[j-1]
		}
		all[j] = x
		if moves -= i - j; moves < 0 {
			slices.SortFunc(all, compare)
			return
		}
	}
}
