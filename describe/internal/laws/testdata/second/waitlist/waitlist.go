// Package waitlist seats restaurant parties in order of arrival.
package waitlist

type party struct {
	name string
	size int
}

// List is the queue at the door.
type List struct {
	parties []party
}

// New returns an empty waiting list.
func New() *List { return &List{} }

// Join adds a party to the end of the list and returns its position, counting
// from 1. A party of fewer than one person, or one whose name is already
// waiting, is refused with 0.
func (l *List) Join(name string, size int) int {
	if size < 1 || l.Position(name) > 0 {
		return 0
	}
	l.parties = append(l.parties, party{name, size})
	return len(l.parties)
}

// Seat removes and returns the first party that fits at a table with the
// given number of seats.
func (l *List) Seat(seats int) (string, bool) {
	for i, p := range l.parties {
		if p.size <= seats {
			l.parties = append(l.parties[:i], l.parties[i+1:]...)
			return p.name, true
		}
	}
	return "", false
}

// Leave removes a party that gave up.
func (l *List) Leave(name string) bool {
	i := l.Position(name) - 1
	if i < 0 {
		return false
	}
	l.parties = append(l.parties[:i], l.parties[i+1:]...)
	return true
}

// Position returns the place of a party in the list, or 0.
func (l *List) Position(name string) int {
	for i, p := range l.parties {
		if p.name == name {
			return i + 1
		}
	}
	return 0
}

// People returns the number of persons waiting.
func (l *List) People() int {
	n := 0
	for _, p := range l.parties {
		n += p.size
	}
	return n
}
