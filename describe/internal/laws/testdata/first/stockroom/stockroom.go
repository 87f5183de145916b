package stockroom

import (
	"errors"
	"fmt"
)

// ErrNoReservation is returned for an id that is not open.
var ErrNoReservation = errors.New("stockroom: no such reservation")

type reservation struct {
	sku string
	qty int
}

// Stock counts goods on hand and keeps reservations until they are shipped or
// released.
type Stock struct {
	onHand   map[string]int
	reserved map[string]int
	open     map[int]reservation
	seq      int
}

// New returns an empty stockroom.
func New() *Stock {
	return &Stock{
		onHand:   map[string]int{},
		reserved: map[string]int{},
		open:     map[int]reservation{},
	}
}

// Receive adds goods and returns the new amount on hand.
func (s *Stock) Receive(sku string, qty int) (int, error) {
	if qty <= 0 {
		return 0, fmt.Errorf("stockroom: cannot receive %d", qty)
	}
	s.onHand[sku] += qty
	return s.onHand[sku], nil
}

// Available returns the amount that is not reserved.
func (s *Stock) Available(sku string) int { return s.onHand[sku] - s.reserved[sku] }

// Reserve sets goods aside and returns the id of the reservation.
func (s *Stock) Reserve(sku string, qty int) (int, error) {
	if qty <= 0 {
		return 0, fmt.Errorf("stockroom: cannot reserve %d", qty)
	}
	if free := s.Available(sku); qty > free {
		return 0, fmt.Errorf("stockroom: want %d of %s, have %d", qty, sku, free)
	}
	s.seq++
	s.open[s.seq] = reservation{sku: sku, qty: qty}
	s.reserved[sku] += qty
	return s.seq, nil
}

// Ship sends out reserved goods and closes the reservation.
func (s *Stock) Ship(id int) error {
	r, ok := s.open[id]
	if !ok {
		return ErrNoReservation
	}
	delete(s.open, id)
	s.reserved[r.sku] -= r.qty
	s.onHand[r.sku] -= r.qty
	return nil
}

// Release gives reserved goods back and closes the reservation.
func (s *Stock) Release(id int) error {
	r, ok := s.open[id]
	if !ok {
		return ErrNoReservation
	}
	delete(s.open, id)
	s.reserved[r.sku] -= r.qty
	return nil
}
