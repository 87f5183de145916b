package monitor

// maxTries bounds the executions that are decided for one with pending removes.
const maxTries = 2000

// search decides with regard to pending removes, of which some are used.
//
// A stuck component with values that were not removed contains all of those
// that are left, since their cores all last to the end, and the oldest of them
// must have been taken by a pending remove. So only the choice which one is
// open. Two are as good as each other if nothing returned between their calls.
//
// If the values that were not removed are in nobody's way whatever happens to
// them, that is if the execution is not linearizable without them, there is
// nothing to choose.
func (s *stack) search(c *columns, used []bool) (answer, witness) {
	s.tries++
	a, w, forced := s.check(c)
	if a == linearizable || forced < 0 || s.spent(used) {
		return a, w
	}
	if s.tries == 1 && s.hopeless(c) {
		return a, w
	}
	if s.tries > maxTries {
		return unclear, w
	}
	old := s.values[forced]
	result := violating
	for t := range used {
		if used[t] || t > 0 && !used[t-1] && c.alike(s.tokens[t-1], s.tokens[t]) {
			continue
		}
		used[t], s.values[forced].rs = true, s.tokens[t]
		b, _ := s.search(c, used)
		used[t], s.values[forced] = false, old
		if b == linearizable {
			return b, witness{}
		}
		if b == unclear {
			result = unclear
		}
	}
	return result, w
}

func (s *stack) spent(used []bool) bool {
	for _, u := range used {
		if !u {
			return false
		}
	}
	return true
}

// hopeless decides without the values that were not removed.
func (s *stack) hopeless(c *columns) bool {
	var left []int32
	for v := range s.values {
		if s.isLeft(&s.values[v]) {
			left = append(left, int32(v))
		}
	}
	saved := make([]int32, len(left))
	for i, v := range left {
		saved[i], s.values[v].as = s.values[v].as, 0
	}
	a, _, _ := s.check(c)
	for i, v := range left {
		s.values[v].as = saved[i]
	}
	return a == violating
}
