// Package slot hands over one value at a time.
package slot

import "errors"

// ErrOccupied says that the last value was not taken yet.
var ErrOccupied = errors.New("slot: occupied")

// Slot has room for one message.
type Slot struct {
	message *string
}

// New returns an empty slot.
func New() *Slot {
	return &Slot{}
}

// Put fills the slot.
func (s *Slot) Put(message string) error {
	if s.message != nil {
		return ErrOccupied
	}
	s.message = &message
	return nil
}

// Take empties the slot; ok is false if there was nothing in it.
func (s *Slot) Take() (message string, ok bool) {
	if s.message == nil {
		return "", false
	}
	message = *s.message
	s.message = nil
	return message, true
}
