// Package sessions remembers who logged in within the last half hour.
package sessions

import "time"

const lifetime = 30 * time.Minute

// Sessions maps users to the time at which they were seen last.
type Sessions struct {
	seen map[string]time.Time
}

// New makes a store without sessions.
func New() *Sessions {
	return &Sessions{seen: map[string]time.Time{}}
}

// Login starts a session.
func (s *Sessions) Login(user string) {
	s.seen[user] = time.Now()
}

// Touch keeps a session alive and reports whether there was one.
func (s *Sessions) Touch(user string) bool {
	t, ok := s.seen[user]
	if !ok || time.Since(t) > lifetime {
		delete(s.seen, user)
		return false
	}
	s.seen[user] = time.Now()
	return true
}

// Logout ends a session.
func (s *Sessions) Logout(user string) {
	delete(s.seen, user)
}
