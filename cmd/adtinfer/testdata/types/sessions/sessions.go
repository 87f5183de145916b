// Package sessions hands out session tokens.
package sessions

import (
	"fmt"
	"sync"
)

// Token identifies a session.
type Token string

// Manager keeps the open sessions.
type Manager struct {
	mu    sync.Mutex
	last  int
	users map[Token]string
}

// NewManager returns a manager without sessions.
func NewManager() *Manager { return &Manager{users: map[Token]string{}} }

// Login opens a session for a user.
func (m *Manager) Login(user string) Token {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last++
	t := Token(fmt.Sprintf("session-%d", m.last))
	m.users[t] = user
	return t
}

// User returns whose session it is.
func (m *Manager) User(t Token) (string, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	u, ok := m.users[t]
	return u, ok
}

// Logout ends a session.
func (m *Manager) Logout(t Token) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, ok := m.users[t]
	delete(m.users, t)
	return ok
}
