package sessioncache

type entry struct {
	user    string
	expires int64
}

// Sessions maps session tokens to users. A session ends when it has not been
// used for the idle time; every successful lookup extends it.
type Sessions struct {
	idle    int64
	entries map[string]entry
}

// New returns a session store with the given idle time.
func New(idle int64) *Sessions {
	return &Sessions{idle: idle, entries: make(map[string]entry)}
}

// Start begins a session for user, replacing any session with the same token.
func (s *Sessions) Start(token, user string, now int64) {
	s.entries[token] = entry{user: user, expires: now + s.idle}
}

// User returns the user behind token and extends the session.
func (s *Sessions) User(token string, now int64) (string, bool) {
	e, ok := s.entries[token]
	if !ok {
		return "", false
	}
	if now >= e.expires {
		delete(s.entries, token)
		return "", false
	}
	e.expires = now + s.idle
	s.entries[token] = e
	return e.user, true
}

// Live reports whether token is in use, without extending the session.
func (s *Sessions) Live(token string, now int64) bool {
	e, ok := s.entries[token]
	return ok && now < e.expires
}

// End closes a session and reports whether it existed.
func (s *Sessions) End(token string) bool {
	_, ok := s.entries[token]
	delete(s.entries, token)
	return ok
}
