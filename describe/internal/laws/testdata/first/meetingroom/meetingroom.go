package meetingroom

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// ErrBadSlot is returned for a slot that is empty, reversed or outside the day.
var ErrBadSlot = errors.New("meetingroom: bad slot")

// Booking is a reservation of the half-open hour range [Start, End).
type Booking struct {
	ID    int
	Title string
	Start int
	End   int
}

// Room is the one-day calendar of a single meeting room.
type Room struct {
	open, close int
	nextID      int
	bookings    []Booking // sorted by Start
}

// New returns a room that can be booked from hour open to hour close.
func New(open, close int) *Room {
	return &Room{open: open, close: close, nextID: 1}
}

// Book reserves the hours [start, end) and returns the booking's id.
func (r *Room) Book(title string, start, end int) (int, error) {
	if start >= end || start < r.open || end > r.close {
		return 0, ErrBadSlot
	}
	for _, b := range r.bookings {
		if start < b.End && b.Start < end {
			return 0, fmt.Errorf("meetingroom: %d-%d overlaps %q", start, end, b.Title)
		}
	}
	id := r.nextID
	r.nextID++
	r.bookings = append(r.bookings, Booking{ID: id, Title: title, Start: start, End: end})
	slices.SortFunc(r.bookings, func(a, b Booking) int { return cmp.Compare(a.Start, b.Start) })
	return id, nil
}

// Cancel removes a booking.
func (r *Room) Cancel(id int) bool {
	n := len(r.bookings)
	r.bookings = slices.DeleteFunc(r.bookings, func(b Booking) bool { return b.ID == id })
	return len(r.bookings) < n
}

// At returns the booking that covers the given hour.
func (r *Room) At(hour int) (Booking, bool) {
	for _, b := range r.bookings {
		if b.Start <= hour && hour < b.End {
			return b, true
		}
	}
	return Booking{}, false
}

// FirstFree returns the earliest start of a free stretch of the given length.
func (r *Room) FirstFree(hours int) (int, bool) {
	if hours < 1 {
		return 0, false
	}
	start := r.open
	for _, b := range r.bookings {
		if b.Start-start >= hours {
			return start, true
		}
		start = b.End
	}
	return start, r.close-start >= hours
}

// Agenda lists all bookings in order of their start.
func (r *Room) Agenda() []Booking { return slices.Clone(r.bookings) }
