// Package ttl16 remembers sessions for sixteen ticks after they were touched.
package ttl16

// Sessions is ready for use.
type Sessions struct{ left map[int]int }

// Touch makes a session last another sixteen ticks.
func (s *Sessions) Touch(id int) {
	if s.left == nil {
		s.left = map[int]int{}
	}
	s.left[id] = 16
}

// Alive reports whether a session has not expired.
func (s *Sessions) Alive(id int) bool { return s.left[id] > 0 }

// Tick lets time pass.
func (s *Sessions) Tick() {
	for id, n := range s.left {
		if n == 1 {
			delete(s.left, id)
		} else {
			s.left[id] = n - 1
		}
	}
}
