// Package roombook takes bookings for the rooms of one hotel.
package roombook

import "errors"

// Errors returned by Ledger.
var (
	ErrBadRoom  = errors.New("roombook: no such room")
	ErrBadDates = errors.New("roombook: departure must be after arrival")
	ErrTaken    = errors.New("roombook: room is taken")
)

// Stay asks for one room from the arrival day up to, but not including, the
// departure day.
type Stay struct {
	Guest  string
	Room   int
	Arrive int
	Depart int
}

// Ledger holds the bookings of rooms numbered from 1.
type Ledger struct {
	rooms int
	next  int
	stays map[int]Stay
}

// NewLedger returns a ledger for a hotel with the given number of rooms.
func NewLedger(rooms int) *Ledger {
	return &Ledger{rooms: rooms, stays: make(map[int]Stay)}
}

func (l *Ledger) free(room, arrive, depart int) bool {
	for _, s := range l.stays {
		if s.Room == room && s.Arrive < depart && arrive < s.Depart {
			return false
		}
	}
	return true
}

// Book records a stay and returns the booking number.
func (l *Ledger) Book(s Stay) (int, error) {
	if s.Room < 1 || s.Room > l.rooms {
		return 0, ErrBadRoom
	}
	if s.Depart <= s.Arrive {
		return 0, ErrBadDates
	}
	if !l.free(s.Room, s.Arrive, s.Depart) {
		return 0, ErrTaken
	}
	l.next++
	l.stays[l.next] = s
	return l.next, nil
}

// Cancel drops a booking and returns the stay it was for.
func (l *Ledger) Cancel(booking int) (Stay, bool) {
	s, ok := l.stays[booking]
	delete(l.stays, booking)
	return s, ok
}

// FreeRooms lists the rooms that are free for the whole period.
func (l *Ledger) FreeRooms(arrive, depart int) []int {
	out := []int{}
	for r := 1; r <= l.rooms; r++ {
		if l.free(r, arrive, depart) {
			out = append(out, r)
		}
	}
	return out
}

// Occupied returns the number of rooms in use on the night of day.
func (l *Ledger) Occupied(day int) int {
	n := 0
	for _, s := range l.stays {
		if s.Arrive <= day && day < s.Depart {
			n++
		}
	}
	return n
}
