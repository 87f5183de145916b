package lives

import "slices"

// taken is a value that a token must take, and by when.
type taken struct{ value, by int32 }

// maxReserved bounds the values that must be taken, times those that may be, of which is concluded that tokens
// take no others.
const maxReserved = 100_000

// tokensSuffice reports whether there are as many tokens, called in time, as values that
// cannot stay need, for each set of kinds. Where there are no more than that, they take no other
// value.
func (s *search) tokensSuffice() bool {
	if len(s.left) == 0 {
		return true
	}
	for set, calls := range s.calls {
		must := s.mustBeTaken(set)
		for i, m := range must {
			inTime, _ := slices.BinarySearch(calls, m.by)
			if inTime <= i {
				s.roots = append(s.roots, values(must[:i+1])...)
				return false
			}
			if inTime == i+1 && (i+1 == len(must) || must[i+1].by > m.by) {
				next := int32(1<<31 - 1)
				if inTime < len(calls) {
					next = calls[inTime]
				}
				if (i+1)*len(s.left) <= maxReserved {
					s.reserve(set, must[:i+1], next)
				}
			}
		}
	}
	return true
}

// mustBeTaken lists the values that cannot stay, and that only tokens of some kinds can take, by the time by which
// they do.
func (s *search) mustBeTaken(set int) (must []taken) {
	for _, v := range s.left {
		kinds, by, stays := 0, int32(0), false
		for i := s.from[v]; i < s.from[v+1]; i++ {
			switch {
			case s.never[i]:
			case s.Stays(int(s.class[i])):
				stays = true
			default:
				kinds, by = kinds|1<<s.kind(i), max(by, s.out[i].E)
			}
		}
		if !stays && kinds&^set == 0 {
			must = append(must, taken{v, by})
		}
	}
	slices.SortFunc(must, func(a, b taken) int { return int(a.by - b.by) })
	return must
}

// reserve keeps tokens of some kinds for some values: what else they take they take from a later
// call on.
func (s *search) reserve(set int, some []taken, next int32) {
	for _, v := range s.left {
		if slices.ContainsFunc(some, func(m taken) bool { return m.value == v }) {
			continue
		}
		for i := s.from[v] + 1; i < s.from[v+1]; i++ {
			if s.never[i] || set>>s.kind(i)&1 == 0 || s.out[i].S >= next {
				continue
			}
			s.bind(s.out, i, Span{next, s.out[i].E})
			if next >= s.out[i].E {
				s.rule(i)
			}
			for _, m := range some {
				s.changed(v, m.value)
			}
		}
	}
}

func values(must []taken) (vs []int32) {
	for _, m := range must {
		vs = append(vs, m.value)
	}
	return vs
}
