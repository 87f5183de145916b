// Package stockroom tracks stock and the part of it that is reserved.
package stockroom

import "errors"

// Errors returned by Room.
var (
	ErrQuantity      = errors.New("stockroom: quantity must be positive")
	ErrShort         = errors.New("stockroom: not enough stock")
	ErrNoReservation = errors.New("stockroom: no such reservation")
)

// Reservation is stock set aside for an order.
type Reservation struct {
	SKU string
	Qty int
}

// Room holds stock by SKU.
type Room struct {
	onHand map[string]int
	held   map[string]int
	open   map[int]Reservation
	lastID int
}

// New returns an empty stockroom.
func New() *Room {
	return &Room{
		onHand: make(map[string]int),
		held:   make(map[string]int),
		open:   make(map[int]Reservation),
	}
}

// Receive adds stock.
func (r *Room) Receive(sku string, qty int) error {
	if qty <= 0 {
		return ErrQuantity
	}
	r.onHand[sku] += qty
	return nil
}

// Reserve sets stock aside and returns the reservation id.
func (r *Room) Reserve(sku string, qty int) (int, error) {
	if qty <= 0 {
		return 0, ErrQuantity
	}
	if r.Available(sku) < qty {
		return 0, ErrShort
	}
	r.lastID++
	r.open[r.lastID] = Reservation{SKU: sku, Qty: qty}
	r.held[sku] += qty
	return r.lastID, nil
}

// Ship takes the reserved stock out of the room.
func (r *Room) Ship(id int) (Reservation, error) {
	res, ok := r.open[id]
	if !ok {
		return Reservation{}, ErrNoReservation
	}
	delete(r.open, id)
	r.held[res.SKU] -= res.Qty
	r.onHand[res.SKU] -= res.Qty
	return res, nil
}

// Cancel puts the reserved stock back on sale.
func (r *Room) Cancel(id int) error {
	res, ok := r.open[id]
	if !ok {
		return ErrNoReservation
	}
	delete(r.open, id)
	r.held[res.SKU] -= res.Qty
	return nil
}

// Available returns the stock that is not reserved.
func (r *Room) Available(sku string) int { return r.onHand[sku] - r.held[sku] }
