// Package presence knows who is in a chat room.
package presence

import (
	"slices"
	"sync"
)

// UserID identifies a user.
type UserID int

// Room is empty at first.
type Room struct {
	mu    sync.Mutex
	users []UserID
}

// Join lets a user in.
func (r *Room) Join(u UserID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Contains(r.users, u) {
		r.users = append(r.users, u)
	}
}

// Leave lets a user out.
func (r *Room) Leave(u UserID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := slices.Index(r.users, u); i >= 0 {
		r.users = slices.Delete(r.users, i, i+1)
	}
}

// Online reports whether a user is in.
func (r *Room) Online(u UserID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Contains(r.users, u)
}
