package monitor

// order makes a linearization: values are taken away once more, each of which
// is added before and removed after all that is left of its component then.
// Those that are no constraint come where their operations overlap.
func (s *stack) order(a *agenda) bool {
	if s.looks.any {
		return false
	}
	s.peeling.record = true
	s.peeling.peel(s.values, nil, s.n)
	s.peeling.record = false
	s.arrange(a, s.peeling.steps)
	for v := range s.values {
		if m := &s.values[v]; m.as != 0 && m.ae > m.rs {
			gap := max(m.as, m.rs)
			a.firstRemove(gap, m.rs, m.as)
			a.first(gap, a.called(m.as))
		}
	}
	return true
}
