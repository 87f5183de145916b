package chatroom

import (
	"errors"
	"maps"
	"slices"
)

var (
	ErrNotMember = errors.New("not a member of the room")
	ErrEmpty     = errors.New("empty message")
)

// Message is a line of chat.
type Message struct {
	ID   int
	From string
	Text string
}

// Room is a chat room that keeps its most recent messages.
type Room struct {
	keep    int
	nextID  int
	members map[string]bool
	log     []Message
}

// New returns an empty room that keeps the last keep messages.
func New(keep int) *Room {
	return &Room{keep: keep, nextID: 1, members: make(map[string]bool)}
}

// Join lets a user in and reports whether the user was outside.
func (r *Room) Join(user string) bool {
	if r.members[user] {
		return false
	}
	r.members[user] = true
	return true
}

// Leave lets a user out and reports whether the user was inside.
func (r *Room) Leave(user string) bool {
	in := r.members[user]
	delete(r.members, user)
	return in
}

// Post adds a message and returns its id.
func (r *Room) Post(user, text string) (int, error) {
	if !r.members[user] {
		return 0, ErrNotMember
	}
	if text == "" {
		return 0, ErrEmpty
	}
	m := Message{ID: r.nextID, From: user, Text: text}
	r.nextID++
	r.log = append(r.log, m)
	if len(r.log) > r.keep {
		r.log = r.log[1:]
	}
	return m.ID, nil
}

// Since returns the kept messages with an id greater than the given one.
func (r *Room) Since(id int) []Message {
	var out []Message
	for _, m := range r.log {
		if m.ID > id {
			out = append(out, m)
		}
	}
	return out
}

// Members returns the names of the users in the room, sorted.
func (r *Room) Members() []string { return slices.Sorted(maps.Keys(r.members)) }
