// Package presence says who is in a room.
package presence

// Room is empty at first.
type Room struct {
	here map[string]bool
}

// NewRoom makes an empty room.
func NewRoom() *Room {
	return &Room{here: map[string]bool{}}
}

// Enter lets a user in, who may be there already.
func (r *Room) Enter(user string) {
	r.here[user] = true
}

// Leave lets a user out.
func (r *Room) Leave(user string) {
	delete(r.here, user)
}

// IsHere reports whether a user is in the room.
func (r *Room) IsHere(user string) bool {
	return r.here[user]
}
